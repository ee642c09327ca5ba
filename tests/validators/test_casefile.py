"""A judgement from JSON to JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from policy.load import load_policy
from transcripts.session import Session
from validators.casefile import CaseError, judge_json, read_known, read_refusals, read_tombstones
from validators.verdict import KnownFact, Refusal, Tombstone, value_hash

TOKEN = "ghp_EXAMPLEexample0123456789"


def test_a_decision_in_json(session_of: Callable[..., Session]) -> None:
    proposed = {
        "turn": 1,
        "evidence": "we always use pnpm",
        "type": "package_manager",
        "value": "pnpm",
        "kind": "standing",
    }
    [found] = judge_json(session_of("we always use pnpm"), [proposed], policy=load_policy())
    assert {"disposition": "write", "code": "new", "candidate": proposed} == {
        key: found[key] for key in ("disposition", "code", "candidate")
    }
    assert {"turn": "1", "start": 0, "end": 18, "text": "we always use pnpm"} == found["evidence"]
    assert {"check": "malformed", "outcome": "pass", "detail": ""} == found["verdicts"][0]
    assert found == json.loads(json.dumps(found))


def test_no_credential_leaves(session_of: Callable[..., Session]) -> None:
    said = f"the key is always {TOKEN}"
    proposed = [
        {
            "evidence": said,
            "type": "identifier",
            "subject": TOKEN,
            "value": TOKEN,
            "kind": "standing",
            "extra": [TOKEN],
        },
        {"evidence": TOKEN, "type": TOKEN, "kind": "no such kind", "value": {TOKEN: TOKEN}},
        TOKEN,
    ]
    found = judge_json(session_of(said), proposed, policy=load_policy())
    assert ["secret", "malformed", "malformed"] == [decision["code"] for decision in found]
    assert TOKEN not in json.dumps(found)


@pytest.mark.parametrize("candidates", [{}, None, "x", 5])
def test_candidates_are_a_list(session_of: Callable[..., Session], candidates: object) -> None:
    with pytest.raises(CaseError, match="candidates"):
        judge_json(session_of("ok"), candidates, policy=load_policy())


def test_what_is_known_is_read() -> None:
    row = {
        "type": "reviewer",
        "subject": "auth",
        "value": "Noor",
        "stated": "2026-06-10T10:00:00+02:00",
        "confirmed": None,
    }
    stated = datetime(2026, 6, 10, 8, tzinfo=UTC)
    assert [KnownFact("reviewer", "auth", "Noor", stated)] == read_known([row])
    dated = {**row, "confirmed": "2026-06-11T08:00:00", "until": "2026-07-01", "id": "f-1"}
    expected = KnownFact(
        "reviewer", "auth", "Noor", stated, datetime(2026, 6, 11, 8, tzinfo=UTC), date(2026, 7, 1), "f-1"
    )
    assert [expected] == read_known([dated])


def test_tombstones_and_refusals_are_read() -> None:
    at = datetime(2026, 6, 10, tzinfo=UTC)
    row = {"type": "do_not_edit", "subject": "", "at": "2026-06-10T00:00:00Z"}
    assert [Tombstone("do_not_edit", "", at)] == read_tombstones([row])
    assert [Tombstone("do_not_edit", "", at, value_hash("src/a"))] == read_tombstones([{**row, "value": "src/a"}])
    assert [Tombstone("do_not_edit", "", at, "abc")] == read_tombstones([{**row, "value_hash": "abc"}])
    assert [Refusal("do_not_edit", "", "src/a", at)] == read_refusals([{**row, "value": "src/a"}])
    assert [] == read_known(None) == read_tombstones(None) == read_refusals(None)


@pytest.mark.parametrize(
    ("read", "obj", "named"),
    [
        (read_known, {}, "known"),
        (read_known, [5], r"known\[0\]"),
        (read_known, [{"type": "reviewer"}], r"known\[0\]: value"),
        (read_known, [{"type": "reviewer", "value": "x", "stated": "yesterday"}], r"known\[0\]: stated"),
        (read_known, [{"type": "reviewer", "value": "x", "stated": "2026-06-10", "until": "soon"}], r"known\[0\]"),
        (read_tombstones, [{"type": "reviewer", "subject": "a"}], r"tombstones\[0\]: at"),
        (read_refusals, [{"type": 5}], r"refusals\[0\]: type"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(read: Callable[[object], Any], obj: object, named: str) -> None:
    with pytest.raises(CaseError, match=named):
        read(obj)
