"""The deletion protocol: every place is searched for the forgotten value, bytes included, and its twin survives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from extractors.note import Outcome as CameOfIt
from extractors.note import SessionNote
from store import recalls
from store.errors import Conflict
from store.records import ModelCall, SessionFile
from store.store import Store
from validators.verdict import Code, Outcome, Verdict

VALUE = "zebra-box-17"
OTHER = "heron-box-23"
REPO = "github.com/acme/webapp"
DANA = "dana@acme.example"


def places(work: Any) -> dict[str, list[str]]:
    """Every text in the database by table."""
    tables = work.raw(
        "SELECT table_name FROM information_schema.tables"
        " WHERE table_type = 'BASE TABLE' AND table_schema = current_schema()"
    )
    return {
        table: [str(row) for row in work.raw(f"SELECT * FROM {table}")]  # noqa: S608 - the schema's own names
        for (table,) in tables
    }


def holding(work: Any, value: str) -> set[str]:
    return {table for table, rows in places(work).items() if any(value in row for row in rows)}


def fill(work: Any) -> Any:
    """The value in as many places as the product can bring it to; the twin in another slot beside it."""
    early = work.queue(Code.CONFIRMATION, VALUE, day=-2, name="s0")
    work.db.reject(early, actor="dana", now=work.at(-1), reason=f"not {VALUE}")
    session = work.session("s1", f"staging goes to {VALUE} and qa to {OTHER}", f"again: staging goes to {VALUE}")
    write = work.decide(session, f"staging goes to {VALUE}", Code.NEW, value=VALUE, extractor="openai")
    twin = work.decide(session, f"qa to {OTHER}", Code.NEW, subject="qa", value=OTHER, extractor="openai")
    refused = work.decide(
        session, f"again: staging goes to {VALUE}", Code.KIND_OBSERVED, value=VALUE, extractor="openai"
    )
    call = ModelCall("openai", "m", "p", {"hint": VALUE}, f'[{{"value": "{VALUE}"}}, {{"value": "{OTHER}"}}]')
    files = (f"deploy/{VALUE}.yml", "deploy/all.yml")
    note = SessionNote(f"Staging goes to {VALUE}.", CameOfIt.DONE, files, 5, (0.5, 0.25), "vectors")
    landed = work.land(session, write, twin, refused, calls=(call,), note=note, note_problem=f"no {VALUE}")
    fact, other = (work.db.fact(landed.decisions[place].fact_id) for place in (0, 1))
    work.queue(Code.CORRECTION, "eagle", base=fact, day=2)
    work.db.add_note(
        "summary", f"They use {VALUE}.", owner=REPO, now=work.at(4), derived_from=[fact.id], embedding=[0.25]
    )
    work.db.add_note("note", f"Talked about {VALUE} and {OTHER}.", owner=REPO, now=work.at(4), session_key="neutral:s1")
    work.db.add_note("note", f"About {OTHER}.", owner=REPO, now=work.at(4), derived_from=[other.id])
    work.db.claim(SessionFile("neutral:s9", "/t/s9", 1, 1, repo=REPO), worker="w", now=work.at(4))
    work.db.record_failure(
        "neutral:s9", worker="w", step="x", error=f"no {VALUE}", next_step="", terminal=True, now=work.at(4)
    )
    told = {"at": work.at(4).isoformat(), "repo": REPO, "query": f"why {VALUE}, not {OTHER}?", "shown": [fact.id]}
    recalls.append(str(work.db.home), told)
    work.db.take_recalls(now=work.at(4))
    recalls.append(str(work.db.home), told)
    pass_id = work.db.begin_pass("run", worker="w", now=work.at(4))
    work.db.finish_pass(pass_id, summary={"failures": [f"no {VALUE}"]}, now=work.at(4))
    return fact, other


def test_the_value_is_in_every_place_before_it_is_forgotten(work: Any) -> None:
    fill(work)
    assert {
        "facts",
        "statements",
        "turns",
        "candidates",
        "calls",
        "reviews",
        "proposals",
        "refusals",
        "notes",
        "sessions",
        "passes",
        "events",
        "recalls",
    } == holding(work, VALUE)


def test_erased_it_is_in_none_and_the_twin_is_whole(work: Any, store: Store) -> None:
    fact, twin = fill(work)
    twin_before = work.db.fact(twin.id)
    forgotten = work.db.forget_fact(fact.id, actor="dana", now=work.at(6), reason=f"no more {VALUE}")
    assert (fact.id,) == forgotten.facts
    assert set() == holding(work, VALUE)
    queries = work.raw("SELECT query FROM recalls")
    assert [(f"why [forgotten], not {OTHER}?",)] == queries
    after = work.db.fact(twin.id)
    assert (OTHER, "active", f"qa to {OTHER}") == (after.value, after.state, after.evidence.text)
    assert f"qa to {OTHER}" in after.evidence.turn_text
    assert twin_before.times_stated == after.times_stated
    assert [f"About {OTHER}.", "Staging goes to [forgotten].", f"Talked about [forgotten] and {OTHER}."] == sorted(
        note.text for note in work.db.notes(REPO, DANA)
    )
    note = work.db.note_of("neutral:s1")
    assert (("deploy/all.yml",), None, None) == (note.files, note.embedding, note.embedding_model)
    assert 1 == len(work.db.tombstones(REPO, None))
    assert fact.id == work.db.fact(fact.id).id


def test_the_bytes_are_gone_after_compaction(home: Path, open_work: Any) -> None:
    store = Store(home)
    with open_work(store) as work:
        fact, twin = fill(work)
        work.db.sql.raw.execute("CHECKPOINT")
    assert VALUE.encode() in store.path.read_bytes()
    with store.connect() as db:
        db.forget_fact(fact.id, actor="dana", now=fact.stated_at)
        assert db.needs_compacting()
    store.compact()
    files = {str(file.relative_to(home)): file.read_bytes() for file in home.rglob("*") if file.is_file()}
    snapshot = "recall/repo-github.com%2facme%2fwebapp.json"
    assert {"afterpass.duckdb", "afterpass.lock", "recalls.jsonl", snapshot} == set(files)
    assert not any(VALUE.encode() in content for content in files.values())
    assert OTHER.encode() in files["afterpass.duckdb"]
    with store.connect() as db:
        assert not db.needs_compacting()
        assert [OTHER] == [each.value for each in db.facts()]
        before = db.mark()
        db.confirm_fact(twin.id, actor="dana", now=fact.stated_at)
        assert before < db.mark()


def test_the_old_transcript_read_again_brings_nothing_back(work: Any) -> None:
    fact, _ = fill(work)
    work.db.forget_fact(fact.id, actor="dana", now=work.at(6))
    session = work.session("s1", f"staging goes to {VALUE} and qa to {OTHER}", f"again: staging goes to {VALUE}")
    before = Verdict(Code.FORGOTTEN_BEFORE, Outcome.FAIL, f"{VALUE} was forgotten")
    from dataclasses import replace

    again = replace(
        work.decide(session, f"staging goes to {VALUE}", Code.FORGOTTEN_BEFORE, value=VALUE), verdicts=(before,)
    )
    other = work.decide(
        session, f"again: staging goes to {VALUE}", Code.KIND_ONE_OFF, "code_style", "x", f"goes to {VALUE}"
    )
    call = ModelCall("openai", "m", "p", {}, f"saw {VALUE}")
    work.land(session, again, other, calls=(call,))
    assert set() == holding(work, VALUE)
    assert [OTHER] == work.values()


def test_a_live_fact_with_the_same_value_elsewhere_is_left_whole(work: Any) -> None:
    session = work.session("s1", "staging deploys from main", "production deploys from main")
    gone = work.decide(session, "staging deploys from main", Code.NEW, value="main")
    stays = work.decide(session, "production deploys from main", Code.NEW, subject="production", value="main")
    landed = work.land(session, gone, stays)
    work.db.forget_fact(landed.decisions[0].fact_id, actor="dana", now=work.at(1))
    fact = work.only_fact()
    assert ("main", "production deploys from main", "production deploys from main") == (
        fact.value,
        fact.evidence.text,
        fact.evidence.turn_text,
    )
    (kept,) = (row for row in work.db.candidates("neutral:s1") if row.subject == "production")
    assert ("main", "production deploys from main") == (kept.value, kept.quote)


def test_questions_and_refusals_of_other_slots_keep_their_values(work: Any) -> None:
    gone = work.write("main")
    asked = work.queue(Code.CONFIRMATION, "main", day=1, subject="qa")
    refused = work.queue(Code.CONFIRMATION, "main", day=2, subject="production")
    work.db.reject(refused, actor="d", now=work.at(3))
    work.db.forget_fact(gone.id, actor="dana", now=work.at(4))
    assert ("main", "main now?") == (work.db.review(asked).proposed, work.db.review(asked).evidence.text)
    assert ["main"] == [refusal.value for refusal in work.db.refusals(REPO, None)]
    work.db.undo(refused, actor="d", now=work.at(5))
    assert ("open", "main") == (work.db.review(refused).state, work.db.review(refused).proposed)


def test_a_question_of_another_slot_that_holds_the_value_in_its_own_is_left_whole(work: Any) -> None:
    gone = work.write("pnpm", "package_manager", "")
    asked = work.queue(Code.CONFIRMATION, "pnpm test", day=1, type_name="test_command", subject="")
    work.db.forget_fact(gone.id, actor="dana", now=work.at(2))
    item = work.db.review(asked)
    assert ("open", "pnpm test", "pnpm test now?") == (item.state, item.proposed, item.evidence.text)
    assert [] == work.db.verify()


def test_a_shared_turn_loses_the_value_and_keeps_the_other_facts_words(work: Any) -> None:
    session = work.session("s1", "staging is on main, production is on main too")
    gone = work.decide(session, "staging is on main", Code.NEW, value="main")
    stays = work.decide(session, "production is on main", Code.NEW, subject="production", value="main")
    landed = work.land(session, gone, stays)
    work.db.forget_fact(landed.decisions[0].fact_id, actor="dana", now=work.at(1))
    fact = work.only_fact()
    assert "staging is on [forgotten], production is on main too" == fact.evidence.turn_text


def test_what_a_pass_forgot_can_be_taken_back_until_it_is_erased(work: Any, store: Store) -> None:
    main = work.write("main")
    work.forget(main, day=5)
    back = work.db.restore_fact(main.id, actor="dana", now=work.at(6))
    assert ("active", "main") == (back.state, back.value)
    assert [] == work.db.tombstones(REPO, None)
    work.forget(main, day=7)
    assert () == work.db.upkeep(now=work.at(13)).erased
    assert (main.id,) == work.db.upkeep(now=work.at(15), dry_run=True).erased
    assert "main" == work.db.fact(main.id).value
    done = work.db.upkeep(now=work.at(15))
    assert ((main.id,), True) == (done.erased, done.compact)
    assert ("forgotten", "", None) == (lambda fact: (fact.state, fact.value, fact.evidence))(work.db.fact(main.id))
    with pytest.raises(Conflict, match="erased"):
        work.db.restore_fact(main.id, actor="dana", now=work.at(16))
    with pytest.raises(Conflict, match="nothing left"):
        work.db.forget_fact(main.id, actor="dana", now=work.at(16))


def test_a_question_that_would_bring_the_value_back_goes_with_a_fact_of_the_past(work: Any) -> None:
    main = work.write("main")
    work.db.retire_fact(main.id, actor="dana", now=work.at(1))
    asked = work.queue(Code.CONFIRMATION, "main", day=2)
    other = work.queue(Code.CONFIRMATION, "main", day=2, subject="qa")
    work.db.forget_fact(main.id, actor="dana", now=work.at(3))
    assert ("expired", None) == (work.db.review(asked).state, work.db.review(asked).proposed)
    assert ("open", "main") == (work.db.review(other).state, work.db.review(other).proposed)


def test_a_question_asked_after_the_forgetting_outlives_the_erasure(work: Any) -> None:
    work.forget(work.write("main"), day=5)
    asked = work.queue(Code.CONFIRMATION, "main", day=6)
    work.db.upkeep(now=work.at(13))
    item = work.db.review(asked)
    assert ("open", "main", "main now?") == (item.state, item.proposed, item.evidence.text)
    assert [] == work.db.verify()
    work.db.accept(asked, actor="dana", now=work.at(14))
    assert ["main"] == work.values()


def test_what_was_said_again_after_the_forgetting_outlives_the_erasure(work: Any) -> None:
    work.forget(work.write("main"), day=5)
    again = work.write("main", day=6)
    work.db.upkeep(now=work.at(20))
    assert ("main", "main it is") == (work.db.fact(again.id).value, work.db.fact(again.id).evidence.text)


def test_earlier_rows_of_the_same_value_are_erased_with_it(work: Any) -> None:
    old = work.write(VALUE, name="s1")
    work.db.accept(work.queue(Code.REPLACEMENT, "preview", base=old, day=1), actor="d", now=work.at(1))
    (preview,) = work.db.facts()
    work.db.accept(work.queue(Code.REPLACEMENT, VALUE, base=preview, day=2, name="s2"), actor="d", now=work.at(2))
    (new,) = work.db.facts()
    work.db.forget_fact(new.id, actor="dana", now=work.at(3))
    assert set() == holding(work, VALUE)
    assert {"", "preview"} == {fact.value for fact in work.db.facts(all=True)}


def test_a_row_of_the_past_can_be_forgotten_without_the_slot(work: Any) -> None:
    old = work.write("main")
    work.db.accept(work.queue(Code.REPLACEMENT, "preview", base=old, day=1), actor="d", now=work.at(2))
    work.db.forget_fact(old.id, actor="dana", now=work.at(3))
    assert ["preview"] == work.values()
    assert ("forgotten", "") == (work.db.fact(old.id).state, work.db.fact(old.id).value)
    (stone,) = work.db.tombstones(REPO, None)
    assert work.at(1) == stone.at


def test_what_is_built_on_a_forgotten_fact_through_others_is_found(work: Any) -> None:
    main = work.write("main")
    first = work.db.add_note("summary", "one", owner=REPO, now=work.at(1), derived_from=[main.id])
    work.db.add_note("procedure", "two", owner=REPO, now=work.at(1), derived_from=[first])
    work.db.add_note("note", "apart", owner=REPO, now=work.at(1))
    work.db.forget_fact(main.id, actor="dana", now=work.at(2))
    assert ["apart"] == [note.text for note in work.db.notes(REPO)]


def test_a_correction_marks_what_was_built_on_the_wrong_value(work: Any) -> None:
    main = work.write("main")
    first = work.db.add_note("summary", "one", owner=REPO, now=work.at(1), derived_from=[main.id])
    work.db.add_note("procedure", "two", owner=REPO, now=work.at(1), derived_from=[first])
    work.db.accept(work.queue(Code.CORRECTION, "preview", base=main), actor="dana", now=work.at(5))
    assert [work.at(5), work.at(5)] == [note.rewrite_at for note in work.db.notes(REPO)]


def test_every_text_column_is_reached_by_forgetting_or_holds_no_words_of_anybody(work: Any) -> None:
    """A new column has to be put on one side or the other."""
    reached = {
        "facts.value",
        "facts.evidence_text",
        "statements.quote",
        "turns.text",
        "turns.text_hash",
        "candidates.value",
        "candidates.raw",
        "candidates.quote",
        "candidates.detail",
        "candidates.verdicts",
        "candidates.subject",
        "calls.reply",
        "calls.parameters",
        "calls.error",
        "reviews.base_value",
        "reviews.proposed",
        "reviews.decided_value",
        "reviews.detail",
        "reviews.reason",
        "reviews.undo_data",
        "proposals.value",
        "proposals.quote",
        "refusals.value",
        "events.reason",
        "tombstones.reason",
        "sessions.error",
        "sessions.error_next",
        "sessions.skip_reason",
        "passes.summary",
        "notes.text",
        "notes.embedding",
        "notes.files",
        "sessions.note_problem",
        "recalls.query",
        "statements.turn_hash",
        "facts.active_key",
        "reviews.open_key",
    }
    names = {
        "id",
        "team",
        "key",
        "state",
        "owner",
        "scope",
        "type",
        "subject",
        "slot",
        "kind",
        "agent",
        "native_id",
        "path",
        "repo",
        "developer",
        "fingerprint",
        "last_turn",
        "lease_owner",
        "model",
        "skip_code",
        "session_key",
        "session",
        "extractor",
        "prompt_version",
        "turn",
        "speaker",
        "before_id",
        "transcript_hash",
        "policy_version",
        "turn_id",
        "call_id",
        "disposition",
        "code",
        "applied",
        "fact_id",
        "review_id",
        "candidate_id",
        "stakes",
        "superseded_by",
        "confirmed_by",
        "derived_from",
        "evidence_id",
        "evidence_session",
        "evidence_session_key",
        "evidence_turn",
        "evidence_path",
        "evidence_transcript_hash",
        "evidence_turn_id",
        "archived_from",
        "base_fact",
        "decided_by",
        "result_fact",
        "actor",
        "action",
        "from_state",
        "to_state",
        "worker",
        "name",
        "embedding_model",
        "outcome",
        "recall_id",
        "placement",
        "caller",
        "event",
        "eligible",
        "error_step",
        "value_hash",
        "turn_hash",
    }
    rows = work.raw(
        "SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t"
        " ON t.table_name = c.table_name AND t.table_schema = c.table_schema"
        " WHERE t.table_type = 'BASE TABLE' AND t.table_schema = current_schema()"
        " AND c.data_type IN ('VARCHAR', 'text')"
    )
    unplaced = {f"{table}.{column}" for table, column in rows if column not in names} - reached
    assert set() == unplaced
