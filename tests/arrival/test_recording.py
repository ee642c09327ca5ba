"""What a person and a model read back is on record like what the hooks tell: ids and times, no values."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from extractors.note import Outcome, SessionNote
from policy.load import load_policy
from store.records import Landing, SessionFile
from store.store import Store
from tests.arrival.test_mcp import call
from tests.arrival.test_stats import stats
from transcripts.session import Session

REPO, DANA = "github.com/acme/webapp", "dana@acme.example"


def note(desk: Any, text: str, name: str = "s-9", repo: str = REPO, developer: str = DANA) -> str:
    """The id of the note of a session of yesterday."""
    ended = datetime.now(UTC) - timedelta(days=1)
    session = Session(name, "neutral", repo, (), developer, ended=ended)
    file = SessionFile(f"neutral:{name}", f"/t/{name}", 1, 1, name, "neutral", name, repo, developer)
    with Store(desk.home).connect() as db:
        db.land(Landing(session, file, (), load_policy(), ended, None, 0, note=SessionNote(text, Outcome.DONE)))
        found = db.note_of(f"neutral:{name}")
    assert found is not None
    return found.id


def recall(desk: Any, *words: str) -> Any:
    done = desk.run("recall", *words, "--json")
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def test_a_block_and_an_answer_of_the_command_are_on_record(desk: Any) -> None:
    fact = desk.remember("make zebra")
    recall(desk, "--task", "run the tests, password: hunter22x")
    recall(desk, "--type", "test_command", "--request", "how do i test?")
    block, answer = desk.records()
    for line in (block, answer):
        assert ("command", "", REPO, DANA) == tuple(line[name] for name in ("by", "session", "repo", "developer"))
        assert ([fact.id], {fact.id: "load"}, [fact.id], []) == tuple(
            line[name] for name in ("eligible", "placed", "shown", "asked")
        )
        assert "zebra" not in json.dumps(line)
    assert ("run the tests, password: [redacted]", "how do i test?") == (block["query"], answer["query"])
    assert ("test_command", True) == (answer["type"], block["tokens"] > 0)


def test_the_commands_recalls_are_counted(desk: Any) -> None:
    desk.remember("make zebra")
    note(desk, "The zebra target was slow.")
    recall(desk, "--type", "test_command")
    recall(desk, "--notes", "zebra")
    recall(desk, "--notes", "payments")
    (row,) = stats(desk)["recalls"]
    assert ("command", 3, 1) == tuple(row[name] for name in ("caller", "times", "silent"))


def test_where_nothing_was_ever_kept_a_question_keeps_nothing(desk: Any) -> None:
    assert recall(desk, "--type", "test_command")["value"] is None
    assert not desk.home.exists()


def test_notes_of_the_command_are_on_record_by_their_ids(desk: Any) -> None:
    note_id = note(desk, "The zebra target was slow.")
    recall(desk, "--notes", "why was zebra slow")
    (line,) = desk.records()
    assert ("command", "notes", [note_id], "why was zebra slow") == tuple(
        line[name] for name in ("by", "event", "notes", "query")
    )


@pytest.mark.slow
def test_a_model_reads_the_notes_of_its_place_and_no_others(desk: Any) -> None:
    note_id = note(desk, "The zebra target was slow because it was built twice.")
    note(desk, "The zebra of another repository.", "s-8", repo="github.com/acme/mobile")
    note(desk, "Somebody else's zebra.", "s-7", developer="sam@acme.example")
    told = call(desk, "recall_notes", query="slow zebra")
    assert [("s-9", note_id)] == [(each["session"], each["id"]) for each in told["notes"]]
    assert told["block"].startswith('<afterpass-memory repo="github.com/acme/webapp"')
    assert [note_id] == [each["id"] for each in call(desk, "recall_notes")["notes"]]
    assert ["mcp", "mcp"] == [line["by"] for line in desk.records()]
    assert "slow zebra" == desk.records()[0]["query"]


def test_a_forgotten_value_leaves_the_query_of_notes_too(desk: Any) -> None:
    fact = desk.remember("make zebra")
    note_id = note(desk, "Found that make zebra was slow.")
    recall(desk, "--notes", "was make zebra slow")
    desk.run("facts", "forget", fact.id)
    assert "was [forgotten] slow" == desk.records()[0]["query"]
    told = recall(desk, "--notes", "slow")
    assert [(note_id, "Found that [forgotten] was slow.")] == [(each["id"], each["note"]) for each in told["notes"]]


def test_a_note_is_forgotten_by_its_id(desk: Any) -> None:
    note_id = note(desk, "Found that make zebra was slow.")
    done = desk.run("facts", "forget", note_id, "--json")
    assert ([note_id], {"notes": 1, "calls": 0}) == tuple(
        json.loads(done.stdout)[key] for key in ("forgotten", "erased")
    )
    assert [] == recall(desk, "--notes")["notes"]
    assert 1 == desk.run("facts", "forget", note_id).returncode
    assert b"zebra" not in b"".join(file.read_bytes() for file in desk.home.glob("afterpass.duckdb*"))
