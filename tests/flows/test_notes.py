"""Notes in the pass: written with the facts, never at their cost, and not asked for again and again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Request, Say, Status, Step, vector_of

from extractors.openai_compatible import forget_learned
from flows.run import run
from policy.settings import Settings
from store.records import Note
from store.store import Store
from tests.flows.conftest import REPO, Write

TURNS = [("developer", "the cart is empty after a reload. we use pnpm here"), ("agent", "Fixed in src/cart.ts.")]
NOTE = {
    "note": "The cart was empty after a reload, fixed in src/cart.ts.",
    "outcome": "done",
    "files": ["src/cart.ts", "src/made_up.ts"],
    "importance": 6,
}
DANA = "dana@acme.example"
LATER = "2026-06-12T10:00:00Z"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Proposes nothing, and says of every session what :data:`NOTE` says."""
    forget_learned()
    with ModelServer(("m", "vectors")) as running:
        running.respond = answering(NOTE)
        yield running


@pytest.fixture
def settings(home: Path, server: ModelServer) -> Settings:
    return Settings(home=home, model="m", base_url=server.openai_url, workers=1, timeout=20)


def answering(note: Any) -> Any:
    """A server's replies: an empty list of candidates, and this note (an object, or any step)."""

    def respond(request: Request) -> Step:
        if "candidates" in json.dumps(request.body["response_format"]):
            return Say(json.dumps({"reasoning": "", "candidates": []}))
        return Say(json.dumps(note)) if isinstance(note, dict) else note

    return respond


def notes(settings: Settings) -> list[Note]:
    with Store(settings.home).connect() as db:
        return db.notes(REPO, DANA)


def values(settings: Settings) -> list[str]:
    with Store(settings.home).connect() as db:
        return [fact.value for fact in db.facts()]


def problem(settings: Settings, key: str = "neutral:s") -> str | None:
    with Store(settings.home).connect() as db:
        row = db.ledger(key)
    assert row is not None
    return row.note_problem


def test_a_session_gets_its_note_with_its_facts(settings: Settings, write: Write) -> None:
    result = run(settings, [write("s", TURNS)])
    assert ({"written": 1, "problems": []}, ["pnpm"]) == (result.to_json()["notes"], values(settings))
    (note,) = notes(settings)
    assert ("s", NOTE["note"], "done", ("src/cart.ts",), 6) == (
        note.session,
        note.text,
        note.outcome,
        note.files,
        note.importance,
    )
    assert (None, None) == (note.embedding, note.embedding_model)


def test_a_session_without_candidates_gets_its_note_too(settings: Settings, write: Write) -> None:
    run(settings, [write("s", [("developer", "the cart is empty after a reload"), TURNS[1]])])
    assert ([], [NOTE["note"]]) == (values(settings), [note.text for note in notes(settings)])


def test_the_call_is_on_record(settings: Settings, write: Write) -> None:
    run(settings, [write("s", TURNS)])
    with Store(settings.home).connect() as db:
        calls = db.sql.raw.execute("SELECT extractor, prompt_version FROM calls ORDER BY position").fetchall()
    assert [("openai", "v1"), ("note", "note-v1")] == calls


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Status(401, "bad key"), "ask: m at "),
        (Say("I cannot help with that."), "reply: m gave no usable note: it refuses"),
        ({**NOTE, "note": "Always push to main."}, "check: it gives an order or advice"),
        ({**NOTE, "note": "The cart needs password: hunter22x."}, "check: it holds a credential"),
    ],
)
def test_a_note_that_fails_costs_no_fact_and_says_why(
    said: Any, why: str, settings: Settings, server: ModelServer, write: Write
) -> None:
    server.respond = answering(said)
    result = run(settings, [write("s", TURNS)])
    assert (True, {"done": 1}, ["pnpm"]) == (
        result.ok,
        {state: count for state, count in result.sessions.items() if count},
        values(settings),
    )
    assert [] == notes(settings)
    assert (problem(settings) or "").startswith(why)
    ((session, told),) = result.note_problems
    assert ("neutral:s", True) == (session, told.startswith(why))


def test_a_failed_note_is_not_asked_for_again(settings: Settings, server: ModelServer, write: Write) -> None:
    server.respond = answering({**NOTE, "note": "Always push to main."})
    path = write("s", TURNS)
    run(settings, [path])
    asked = len(server.chats)
    assert 1 == run(settings, [path]).unchanged
    assert asked == len(server.chats)


def test_a_session_that_went_on_is_noted_with_its_earlier_note(
    settings: Settings, server: ModelServer, write: Write
) -> None:
    run(settings, [write("s", TURNS)])
    server.respond = answering({**NOTE, "note": "The cart was empty after a reload, and the header moved."})
    more = [*TURNS, ("developer", "now move the header down"), ("agent", "Moved.")]
    run(settings, [write("s", more, ended=LATER)])
    prompt = server.chats[-1].prompt
    assert f"Of that its note says: {NOTE['note']}" in prompt
    assert "developer: the cart" not in prompt
    (note,) = notes(settings)
    assert ("The cart was empty after a reload, and the header moved.", "2026-06-12") == (
        note.text,
        note.happened_at.date().isoformat(),
    )


def test_what_was_forgotten_between_two_readings_stays_forgotten(
    settings: Settings, server: ModelServer, write: Write
) -> None:
    server.respond = answering({**NOTE, "note": "The cart was empty after a reload, and we use pnpm here."})
    run(settings, [write("s", TURNS)])
    with Store(settings.home).connect() as db:
        (fact,) = db.facts()
        db.forget_fact(fact.id, actor="dana", now=datetime(2026, 6, 11, tzinfo=UTC))
    server.respond = answering({**NOTE, "note": "The cart was empty after a reload, and the header moved."})
    run(settings, [write("s", [*TURNS, ("developer", "now move the header"), ("agent", "Moved.")], ended=LATER)])
    assert "and we use [forgotten] here." in server.chats[-1].prompt
    assert "pnpm" not in server.chats[-1].prompt
    assert ["The cart was empty after a reload, and the header moved."] == [note.text for note in notes(settings)]


@pytest.mark.parametrize("change", [{"notes": False}, {"extractor": "cues"}])
def test_no_note_is_asked_for_without_a_model_or_where_the_settings_say_so(
    change: dict[str, Any], settings: Settings, server: ModelServer, write: Write
) -> None:
    result = run(replace(settings, **change), [write("s", TURNS)])
    assert (0, [], None) == (result.notes, notes(settings), problem(settings))
    assert not any("Write the note" in chat.prompt for chat in server.chats)


def test_a_dry_run_asks_for_no_note(settings: Settings, server: ModelServer, write: Write) -> None:
    run(settings, [write("s", TURNS)], dry_run=True)
    assert 1 == len(server.chats)


def test_an_embedding_model_makes_the_notes_vector(settings: Settings, server: ModelServer, write: Write) -> None:
    run(replace(settings, embedding_model="vectors"), [write("s", TURNS)])
    (note,) = notes(settings)
    assert (tuple(vector_of(NOTE["note"])), "vectors") == (note.embedding, note.embedding_model)


def test_a_note_without_its_vector_is_kept_and_the_session_says_so(
    settings: Settings, server: ModelServer, write: Write
) -> None:
    result = run(replace(settings, embedding_model="nowhere"), [write("s", TURNS)])
    (note,) = notes(settings)
    assert (None, 1, 1) == (note.embedding, result.notes, len(result.note_problems))
    assert (problem(settings) or "").startswith("embedding: nowhere at ")


def test_explain_shows_the_note_and_what_went_wrong_with_it(
    settings: Settings, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    from afterpass.cli import run as main

    run(replace(settings, embedding_model="nowhere"), [write("s", TURNS)])
    main(["explain", "s", "--home", str(settings.home)])
    shown = capsys.readouterr().out
    assert f"done, importance 6: {NOTE['note']}" in shown
    assert "note: embedding: nowhere at " in shown
    main(["explain", "s", "--home", str(settings.home), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (NOTE["note"], ["src/cart.ts"]) == (told["note"]["note"], told["note"]["files"])
    assert told["session"]["note_problem"].startswith("embedding: nowhere at ")
