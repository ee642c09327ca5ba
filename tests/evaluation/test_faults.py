"""Faults on purpose: each is stopped, by the check that it names, and would come through without that one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from afterpass.evaluation.files import EvalError
from afterpass.evaluation.judged import Judged, evaluate_cases, to_json
from policy.load import load_policy

FAULTS = Path(__file__).with_name("faults.jsonl")
RESULTS = evaluate_cases(FAULTS, load_policy())
KINDS = {
    "stale",
    "near_miss",
    "wrong_project",
    "wrong_user",
    "contradiction",
    "duplicate",
    "poisoned",
    "obsolete",
}


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.id)
def test_each_fault_is_stopped_by_its_check_and_by_no_other(result: Judged) -> None:
    assert result.decided_right, result.got
    assert result.stopped_by is not None
    assert result.comes_through, result.otherwise


def test_every_kind_of_fault_is_there_several_times() -> None:
    counted = Counter(result.group for result in RESULTS)
    assert KINDS == set(counted)
    assert min(counted.values()) >= 3


def record(**changed: Any) -> dict[str, Any]:
    first = json.loads(FAULTS.read_text("utf-8").splitlines()[0])
    return {**first, **changed}


def judged(tmp_path: Path, **changed: Any) -> Judged:
    path = tmp_path / "case.jsonl"
    path.write_text(json.dumps(record(**changed)), "utf-8")
    (result,) = evaluate_cases(path, load_policy())
    return result


def test_a_case_that_another_check_stops_as_well_is_not_right(tmp_path: Path) -> None:
    result = judged(tmp_path, stopped_by="one_off_cue")
    assert (True, False, False) == (result.decided_right, result.comes_through, result.right)
    (shown,) = to_json([result])["not_right"]
    assert ("one_off_cue", "older_than_current") == (shown["without"], shown["otherwise"][0]["code"])


def test_a_case_need_not_name_a_check(tmp_path: Path) -> None:
    assert judged(tmp_path, stopped_by=None).right


def test_a_check_that_does_not_exist_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match=r"case\.jsonl:1: stopped_by: no check is named 'older'"):
        judged(tmp_path, stopped_by="older")
