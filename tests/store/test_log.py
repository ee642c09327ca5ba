"""The log: what was refused and why, what can be judged again, passes and health."""

from __future__ import annotations

from typing import Any

import pytest

from store.errors import NotFound
from validators.verdict import Code


@pytest.fixture
def refused(work: Any) -> Any:
    session = work.session("s1", "use tabs today", "maybe preview")
    work.land(
        session,
        work.decide(session, "use tabs today", Code.ONE_OFF_CUE, "code_style", "tabs", "use tabs"),
        work.decide(session, "maybe preview", Code.OWNER_UNCLEAR),
        now=work.at(1),
    )
    other = work.session("s2", "someone said qa", day=2, repo="github.com/acme/api")
    work.land(other, work.decide(other, "someone said qa", Code.NOT_ASSERTED, value="qa"), now=work.at(3))
    work.write("main", day=4)
    return work


NARROWED = [
    ({}, ["not_asserted", "one_off_cue", "owner_unclear"]),
    ({"code": "one_off_cue"}, ["one_off_cue"]),
    ({"repo": "github.com/acme/api"}, ["not_asserted"]),
    ({"session": "s1"}, ["one_off_cue", "owner_unclear"]),
    ({"session": "neutral:s2"}, ["not_asserted"]),
    ({"session": "/transcripts/s2.jsonl"}, ["not_asserted"]),
    ({"code": "one_off_cue", "session": "s2"}, []),
]


@pytest.mark.parametrize(("narrow", "codes"), NARROWED)
def test_rejected_candidates_can_be_narrowed(refused: Any, narrow: dict[str, Any], codes: list[str]) -> None:
    assert codes == [row.code for row in refused.db.rejected(**narrow)]


def test_rejected_since_a_time(refused: Any) -> None:
    assert ["not_asserted"] == [row.code for row in refused.db.rejected(since=refused.at(2))]


def test_a_rejected_candidate_in_its_published_shape(refused: Any) -> None:
    row = refused.db.rejected(code="one_off_cue")[0].to_json()
    expected = {
        "session": "s1",
        "owner": "github.com/acme/webapp",
        "type": "code_style",
        "subject": "tabs",
        "value": "use tabs",
        "kind": "standing",
        "disposition": "discard",
        "code": "one_off_cue",
        "detail": "because of one_off_cue",
        "verdicts": [{"check": "one_off_cue", "outcome": "fail", "detail": "seen"}],
        "extractor": "cues",
        "at": "2026-06-02T09:00:00Z",
    }
    assert expected.items() <= row.items()
    assert {"turn": "1", "start": 0, "end": 14, "text": "use tabs today"}.items() <= row["evidence"].items()
    assert row["id"].startswith("c_")


def test_evidence_that_was_not_found_is_kept_as_it_was_quoted(work: Any) -> None:
    session = work.session("s1", "hello")
    work.land(session, work.decide(session, "never said", Code.EVIDENCE_NOT_FOUND))
    (row,) = work.db.rejected()
    assert row.evidence is None
    assert {"session": "s1", "text": "never said"} == row.to_json()["evidence"]


def test_stored_candidates_name_the_transcript_to_judge_them_against(refused: Any) -> None:
    found = [(row.path, row.raw["evidence"]) for row in refused.db.replayable()]
    assert ("/transcripts/s1.jsonl", "use tabs today") in found
    assert 4 == len(found)


def test_candidates_of_one_session_stand_in_the_order_of_judgement(refused: Any) -> None:
    assert ["one_off_cue", "owner_unclear"] == [row.code for row in refused.db.candidates("neutral:s1")]


def test_passes_are_on_record(work: Any) -> None:
    first = work.db.begin_pass("run", worker="w", now=work.at(0))
    second = work.db.begin_pass("nightly", worker="w", now=work.at(1))
    work.db.finish_pass(first, summary={"sessions": {"done": 2}}, now=work.at(2))
    assert [(second, None), (first, {"sessions": {"done": 2}})] == [
        (each.id, each.summary) for each in work.db.passes()
    ]
    with pytest.raises(NotFound):
        work.db.finish_pass("q_nothere", summary={}, now=work.at(2))


def test_status_counts_what_there_is(refused: Any) -> None:
    refused.queue(Code.CONFIRMATION, "uat", day=5)
    status = refused.db.status().to_json()
    assert {"done": 4} == status["sessions"]
    assert {"active": 1} == status["facts"]
    assert {"discard": 2, "quarantine": 1, "write": 1, "queue": 1} == status["candidates"]
    assert (1, None, None) == (status["reviews_open"], status["last_pass"], status["oldest_pending"])
    assert (status["file_bytes"] or 0) > 0 if refused.db.path else status["file_bytes"] is None


def test_status_names_the_oldest_that_waits(work: Any) -> None:
    from store.records import SessionFile

    for name, day in (("new", 3), ("old", 1)):
        work.db.enqueue(
            SessionFile(f"neutral:{name}", f"/t/{name}", 1, 1, native_id=name, ended_at=work.at(day)), now=work.at(9)
        )
    assert "old" == work.db.status().oldest_pending.native_id
