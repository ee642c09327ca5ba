"""The note of a session: one for each, its developer's own, put away and forgotten with everything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from extractors.note import Outcome, SessionNote
from store.errors import NotFound, StaleDecision
from store.records import Landing, ModelCall
from store.store import Store
from store.upkeep import Horizons
from tests.store.conftest import file_of
from validators.verdict import Code

REPO = "github.com/acme/webapp"
DANA, SAM = "dana@acme.example", "sam@acme.example"


def note(text: str = "The cart lost its items.", **more: Any) -> SessionNote:
    return SessionNote(text, **{"outcome": Outcome.DONE, "files": ("src/cart.ts",), "importance": 6, **more})


def test_a_note_lands_with_its_session(work: Any) -> None:
    session = work.session("s1", "the cart is empty after a reload", day=3)
    work.land(session, note=note(embedding=(0.5, -1.0), embedding_model="vectors"))
    (found,) = work.db.notes(REPO, DANA)
    assert ("s1", "note", REPO, DANA) == (found.session, found.kind, found.owner, found.developer)
    assert ("The cart lost its items.", "done", ("src/cart.ts",), 6) == (
        found.text,
        found.outcome,
        found.files,
        found.importance,
    )
    assert ((0.5, -1.0), "vectors") == (found.embedding, found.embedding_model)
    assert session.ended == found.happened_at
    assert found == work.db.note_of("neutral:s1")


def test_quiet_sessions_land_their_notes_together(work: Any) -> None:
    sessions = [work.session(name, "hello there") for name in ("a", "b")]
    files = [file_of(session) for session in sessions]
    work.db.claim_many(files, worker="w", now=work.at(1))
    landings = [
        Landing(session, file, (), work.policy, work.at(1), "1", 2, worker="w", note=kept, note_problem=problem)
        for session, file, kept, problem in zip(sessions, files, (note("One."), None), (None, "reply: no"), strict=True)
    ]
    assert {"neutral:a", "neutral:b"} == work.db.land_quiet(landings)
    assert ["One."] == [each.text for each in work.db.notes(REPO, DANA)]
    assert [None, "reply: no"] == [work.db.ledger(key).note_problem for key in ("neutral:a", "neutral:b")]


def test_a_session_that_grew_has_one_note(work: Any) -> None:
    session = work.session("s1", "the cart is empty")
    work.land(session, note=note("First."))
    work.land(session, note=note("Both."))
    assert ["Both."] == [each.text for each in work.db.notes(REPO, DANA)]


def test_a_note_that_failed_says_why_and_leaves_the_earlier_one(work: Any) -> None:
    session = work.session("s1", "the cart is empty")
    work.land(session, note=note("First."))
    work.land(session, note_problem="check: it gives an order")
    assert "check: it gives an order" == work.db.ledger("neutral:s1").note_problem
    assert "First." == work.db.note_of("neutral:s1").text
    work.land(session)  # a reading that asked for no note
    assert "check: it gives an order" == work.db.ledger("neutral:s1").note_problem
    work.land(session, note=note("Second."))
    assert (None, "Second.") == (work.db.ledger("neutral:s1").note_problem, work.db.note_of("neutral:s1").text)


def test_a_landing_that_fails_keeps_no_note(work: Any) -> None:
    mark = work.db.mark()
    work.write("preview")  # meanwhile, another session changes the slot
    session = work.session("s1", "staging deploys from main")
    decision = work.decide(session, "staging deploys from main", Code.NEW, value="main")
    with pytest.raises(StaleDecision):
        work.land(session, decision, mark=mark, note=note())
    assert (None, []) == (work.db.note_of("neutral:s1"), work.db.notes(REPO, DANA))


def test_a_note_is_its_developers_own_and_its_repositorys(work: Any) -> None:
    for name, repo, developer in (
        ("dana-here", REPO, DANA),
        ("sam-here", REPO, SAM),
        ("dana-there", "github.com/acme/mobile", DANA),
        ("nobody-here", REPO, None),
    ):
        work.land(work.session(name, "hello there", repo=repo, developer=developer), note=note(name))
    assert {"dana-here", "nobody-here"} == {each.text for each in work.db.notes(REPO, DANA)}
    assert {"sam-here", "nobody-here"} == {each.text for each in work.db.notes(REPO, SAM)}
    assert {"nobody-here"} == {each.text for each in work.db.notes(REPO)}


def test_a_credential_never_rests_in_a_note(work: Any) -> None:
    session = work.session("s1", "hello there")
    work.land(session, note=note("The password: hunter22x was changed."), note_problem="password: hunter22x")
    assert "hunter22x" not in work.db.note_of("neutral:s1").text
    assert "hunter22x" not in work.db.ledger("neutral:s1").note_problem


def test_what_was_forgotten_before_does_not_come_back_in_a_note(work: Any) -> None:
    session = work.session("old", "staging deploys from falcon")
    decision = work.decide(session, "staging deploys from falcon", Code.FORGOTTEN_BEFORE, value="falcon")
    kept = note("Staging deploys from falcon.", files=("falcon.yml", "a.yml"), embedding=(1.0,), embedding_model="v")
    work.land(session, decision, note=kept)
    found = work.db.note_of("neutral:old")
    assert ("Staging deploys from [forgotten].", ("a.yml",), None) == (found.text, found.files, found.embedding)


def test_forgetting_a_preference_reaches_the_developers_notes_of_every_repository(work: Any) -> None:
    fact = work.write("tables, not prose", "preference", "summaries")
    for name, developer in (("hers", DANA), ("his", SAM)):
        session = work.session(name, "hello there", repo="github.com/acme/mobile", developer=developer)
        work.land(session, note=note("Dana wants tables, not prose."))
    work.db.forget_fact(fact.id, actor="dana", now=work.at(6))
    assert "Dana wants [forgotten]." == work.db.note_of("neutral:hers").text
    assert "Dana wants tables, not prose." == work.db.note_of("neutral:his").text  # another owner's


def test_a_note_can_be_forgotten_by_hand(work: Any) -> None:
    call = ModelCall("note", "m", "note-v1", {}, "The zebra wrote this.")
    for name in ("gone", "stays"):
        work.land(work.session(name, "hello there"), note=note(f"A zebra of {name}."), calls=(call,))
    gone = work.db.note_of("neutral:gone").id
    assert {"notes": 1, "calls": 1} == dict(work.db.forget_note(gone[:6], now=work.at(2)).erased)
    assert ["A zebra of stays."] == [each.text for each in work.db.notes(REPO, DANA)]
    assert [("",), ("The zebra wrote this.",)] == sorted(work.raw("SELECT reply FROM calls"))
    assert work.db.needs_compacting()
    with pytest.raises(NotFound):
        work.db.forget_note(gone, now=work.at(3))


def test_a_note_is_deleted_when_it_is_past_its_horizon(work: Any) -> None:
    for name, day in (("old", 0), ("new", 20)):
        work.land(work.session(name, "hello there", day=day), note=note(name))
    (old,) = (each.id for each in work.db.notes(REPO, DANA) if each.text == "old")
    assert (old,) == work.db.upkeep(now=work.at(30), horizons=Horizons(note=20), dry_run=True).notes
    work.db.upkeep(now=work.at(30), horizons=Horizons(note=20))
    assert ["new"] == [each.text for each in work.db.notes(REPO, DANA)]


def test_notes_go_along_when_a_store_moves(work: Any, store: Store, home: Path) -> None:
    work.land(work.session("s1", "hello there"), note=note(embedding=(0.1,), embedding_model="v"))
    before = work.db.notes(REPO, DANA)
    store.export(home / "out")
    other = Store(home / "other")
    other.import_from(home / "out")
    with other.connect() as db:
        assert before == db.notes(REPO, DANA)


@pytest.mark.parametrize("session_key", ["neutral:none", ""])
def test_a_session_without_a_note_has_none(work: Any, session_key: str) -> None:
    assert work.db.note_of(session_key) is None
