"""The scores against a person's labels: the curve, the best gate, and labelling what the store holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from afterpass.evaluation.files import EvalError
from afterpass.evaluation.importance import Label, Scored, evaluate_importance, read_labels
from policy.load import load_policy

POLICY = load_policy()


def told(*labels: tuple[int, bool], kind: str = "code_style") -> dict[str, Any]:
    """The report on one type, from (importance, worth keeping)."""
    report = evaluate_importance([Label(Scored(kind, score), keep) for score, keep in labels], POLICY)
    return dict(report["types"][kind])


def test_the_curve_counts_what_each_gate_keeps_and_how_much_of_it_is_right() -> None:
    curve = told((2, False), (4, False), (6, True), (9, True))["curve"]
    assert [(1, 4, 2), (5, 2, 2), (7, 1, 1), (10, 0, 0)] == [
        (curve[at]["gate"], curve[at]["kept"], curve[at]["right"]) for at in (0, 4, 6, 9)
    ]
    assert (0.5, 1.0) == (curve[0]["precision"], curve[0]["recall"])
    assert (1.0, 0.5) == (curve[6]["precision"], curve[6]["recall"])
    assert (None, 0.0, None) == (curve[9]["precision"], curve[9]["recall"], curve[9]["f"])


def test_the_best_gate_is_the_lowest_that_tells_best() -> None:
    """Gates 5 and 6 keep the same two."""
    report = told((2, False), (4, False), (6, True), (9, True))
    assert (4, 2, 5, 3) == (report["labelled"], report["worth_keeping"], report["best"], report["gate"])


def test_a_wrong_one_that_is_kept_counts_for_more_than_a_right_one_that_is_lost() -> None:
    """From gate 4 on: one of two right ones is lost (F0.5 0.83); below, one of three is wrong (0.71)."""
    report = told((3, False), (3, True), (8, True))
    assert 4 == report["best"]
    assert (0.7143, 0.8333) == (round(report["curve"][2]["f"], 4), round(report["curve"][3]["f"], 4))


@pytest.mark.parametrize("keep", [True, False])
def test_labels_that_are_all_the_same_tell_nothing_apart(keep: bool) -> None:
    assert told((2, keep), (9, keep))["best"] is None


def test_a_type_that_the_policy_does_not_know_has_no_gate() -> None:
    assert told((2, True), (9, False), kind="mascot")["gate"] is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "c_gone", "keep": true}', "the store holds no scored candidate 'c_gone'"),
        ('{"type": "code_style", "importance": 5}', "keep is missing"),
        ('{"type": "code_style", "keep": true}', "importance is missing"),
        ("[]", "not a JSON object"),
    ],
)
def test_a_label_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(line + "\n", "utf-8")
    with pytest.raises(EvalError, match=rf"labels\.jsonl:1: {problem}"):
        read_labels(path, {})


def test_the_last_label_of_an_id_counts(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"id": "c_1", "keep": true}\n{"id": "c_1", "keep": false}\n', "utf-8")
    stored = {"c_1": Scored("code_style", 5.0)}
    assert [Label(stored["c_1"], keep=False)] == read_labels(path, stored)


def command(home: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-I", "-m", "afterpass", "--home", str(home), *words]
    return subprocess.run(program, input=given, capture_output=True, text=True, check=False)


def test_stored_candidates_are_labelled_once_without_showing_their_score(tmp_path: Path) -> None:
    """Two candidates of two types: the first is worth it, the second is left for another time."""
    header = {"afterpass": 1, "session": "s", "repo": "github.com/acme/webapp", "ended": "2026-06-10T09:40:00Z"}
    turns = [
        {"id": "1", "speaker": "developer", "text": "we use pnpm in this repo"},
        {"id": "2", "speaker": "developer", "text": "never touch legacy/"},
    ]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(one) + "\n" for one in [header, *turns]), "utf-8")
    home, labels = tmp_path / "home", tmp_path / "labels.jsonl"
    assert 0 == command(home, "run", str(tmp_path / "s.jsonl"), "--extractor", "cues").returncode
    first = command(home, "eval", "importance", str(labels), "--ask", "5", "--json", given="what\ny\nq\n")
    assert (0, 1) == (first.returncode, json.loads(first.stdout)["labelled"]), first.stderr
    assert "«we use pnpm" in first.stderr
    assert "importance" not in first.stderr
    second = command(home, "eval", "importance", str(labels), "--ask", "5", "--json", given="n\n")
    counted = json.loads(second.stdout)["types"]
    assert {"package_manager": (1, 1), "do_not_edit": (1, 0)} == {
        name: (one["labelled"], one["worth_keeping"]) for name, one in counted.items()
    }
    page = tmp_path / "page.html"
    shown = command(home, "eval", "importance", str(labels), "--html", str(page))
    assert "package_manager" in shown.stdout
    assert "<polyline" in page.read_text("utf-8")
