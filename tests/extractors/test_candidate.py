"""Which proposals are usable, and how the usable ones are read."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from extractors.candidate import Candidate, Kind, Malformed, parse_candidate

WELL_FORMED: dict[str, Any] = {
    "turn": "3",
    "evidence": "staging moved to preview",
    "type": "deploy_target",
    "subject": "staging",
    "value": "preview",
    "kind": "standing",
    "about": "this",
    "until": None,
    "importance": 9,
}


def parsed(**changes: Any) -> Candidate | Malformed:
    return parse_candidate({**WELL_FORMED, **changes}, "test")


def without(*keys: str, **changes: Any) -> Candidate | Malformed:
    return parse_candidate({k: v for k, v in {**WELL_FORMED, **changes}.items() if k not in keys}, "test")


def test_a_well_formed_proposal_keeps_its_fields_and_its_raw_object() -> None:
    expected = Candidate(
        evidence="staging moved to preview",
        type="deploy_target",
        kind=Kind.STANDING,
        value="preview",
        subject="staging",
        turn="3",
        about="this",
        until=None,
        importance=9.0,
        extractor="test",
        raw=WELL_FORMED,
    )
    assert expected == parse_candidate(WELL_FORMED, "test")


@pytest.mark.parametrize("obj", [None, "text", 7, True, [], ["evidence"]])
def test_anything_but_an_object_is_malformed(obj: object) -> None:
    found = parse_candidate(obj, "test")
    assert isinstance(found, Malformed)
    assert (obj, "test") == (found.raw, found.extractor)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"evidence": None}, "evidence"),
        ({"evidence": 12}, "evidence"),
        ({"evidence": ["a", "b"]}, "evidence"),
        ({"type": None}, "type"),
        ({"type": {}}, "type"),
        ({"kind": None}, "kind"),
        ({"kind": 1}, "kind"),
        ({"kind": "rule"}, "kind"),
        ({"kind": ""}, "kind"),
        ({"value": None}, "value"),
        ({"value": 8080}, "value"),
        ({"value": True}, "value"),
        ({"kind": "observed", "value": None}, "value"),
        ({"kind": "forget", "value": 5}, "value"),
        ({"subject": 5}, "subject"),
        ({"subject": ["staging"]}, "subject"),
        ({"about": 5}, "about"),
        ({"importance": "8"}, "importance"),
        ({"importance": True}, "importance"),
        ({"importance": [8]}, "importance"),
        ({"importance": float("nan")}, "importance"),
        ({"until": "next friday"}, "until"),
        ({"until": ""}, "until"),
        ({"until": 20260714}, "until"),
        ({"until": "2026-02-30"}, "until"),
        ({"until": "2026-7-1"}, "until"),
        ({"until": "20260701"}, "until"),
        ({"until": "2026-07-01T10:00:00Z"}, "until"),
        ({"until": "２０２６-07-01"}, "until"),
        ({"turn": True}, "turn"),
        ({"turn": 1.5}, "turn"),
        ({"turn": ["3"]}, "turn"),
    ],
)
def test_a_missing_or_wrongly_typed_field_is_malformed_and_named(changes: dict[str, Any], named: str) -> None:
    found = parsed(**changes)
    assert isinstance(found, Malformed)
    assert named in found.reason


@pytest.mark.parametrize("key", ["evidence", "type", "kind", "value"])
def test_a_required_field_that_is_absent_is_malformed(key: str) -> None:
    found = without(key)
    assert isinstance(found, Malformed)
    assert f"{key} is missing" == found.reason


@pytest.mark.parametrize("kind", ["forget", "correction"])
@pytest.mark.parametrize("changes", [{"value": None}, {"value": ""}])
def test_a_forget_and_a_correction_need_no_value(kind: str, changes: dict[str, Any]) -> None:
    found = parsed(kind=kind, **changes)
    assert isinstance(found, Candidate)
    assert "" == found.value
    absent = without("value", kind=kind)
    assert isinstance(absent, Candidate)
    assert "" == absent.value


@pytest.mark.parametrize("key", ["turn", "subject", "about", "until", "importance"])
def test_optional_fields_may_be_absent_or_null(key: str) -> None:
    assert isinstance(without(key), Candidate)
    assert isinstance(parsed(**{key: None}), Candidate)


@pytest.mark.parametrize("about", [None, "", "  ", "this"])
def test_an_empty_about_means_this_repository(about: str | None) -> None:
    found = parsed(about=about)
    assert isinstance(found, Candidate)
    assert "this" == found.about


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0, 1.0),
        (-3, 1.0),
        (1, 1.0),
        (7.5, 7.5),
        (10, 10.0),
        (11, 10.0),
        (10**400, 10.0),
        (float("inf"), 10.0),
        (None, None),
    ],
)
def test_a_number_outside_the_scale_is_clamped(given: float | None, expected: float | None) -> None:
    found = parsed(importance=given)
    assert isinstance(found, Candidate)
    assert expected == found.importance


@pytest.mark.parametrize(("given", "expected"), [(3, "3"), (3.0, "3"), ("u-7", "u-7"), (" 3 ", "3"), ("", None)])
def test_a_turn_is_a_string_or_a_whole_number(given: object, expected: str | None) -> None:
    found = parsed(turn=given)
    assert isinstance(found, Candidate)
    assert expected == found.turn


def test_an_iso_date_is_read() -> None:
    found = parsed(until="2026-07-15")
    assert isinstance(found, Candidate)
    assert date(2026, 7, 15) == found.until


@pytest.mark.parametrize(
    ("label", "kind"), [("Standing", Kind.STANDING), ("one-off", Kind.ONE_OFF), ("ONE_OFF ", Kind.ONE_OFF)]
)
def test_the_spelling_of_a_label_does_not_matter(label: str, kind: Kind) -> None:
    found = parsed(kind=label)
    assert isinstance(found, Candidate)
    assert kind is found.kind


def test_half_a_surrogate_pair_does_not_survive() -> None:
    found = parsed(evidence="a\ud83d b")
    assert isinstance(found, Candidate)
    assert "a\ufffd b" == found.evidence
