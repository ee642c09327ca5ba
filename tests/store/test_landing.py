"""A landing keeps all of a session's decisions, or none of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from store.errors import LeaseLost, StaleDecision
from store.records import Applied, ModelCall
from validators.verdict import Code, Decision, Disposition, KnownFact

MALFORMED_RAW = {"evidence": 3, "note": "password: hunter22x"}


def test_a_new_fact_has_its_dates_its_count_and_the_words_behind_it(work: Any) -> None:
    session = work.session("s1", "and staging moved to preview by the way", day=2)
    decision = work.decide(session, "staging moved to preview", Code.NEW)
    landed = work.land(session, decision, now=work.at(3))
    fact = work.db.fact(landed.decisions[0].fact_id)
    assert landed.decisions[0].applied is Applied.WRITTEN
    assert ("deploy_target", "staging", "preview", "active") == (fact.type, fact.subject, fact.value, fact.state)
    assert (work.at(2), work.at(3), work.at(2)) == (fact.stated_at, fact.recorded_at, fact.valid_from)
    assert fact.times_stated == 1
    assert {
        "session": "s1",
        "turn": "1",
        "start": 4,
        "end": 28,
        "text": "staging moved to preview",
        "time": "2026-06-03T09:00:00Z",
        "path": "/transcripts/s1.jsonl",
    } == fact.to_json()["evidence"]
    assert fact.evidence.turn_text == "and staging moved to preview by the way"
    assert fact.evidence.transcript_hash == "hash of s1"


def test_the_agents_turn_before_is_kept_with_the_developers(work: Any) -> None:
    session = work.session("s1", "hello", "yes, always preview")
    work.land(session, work.decide(session, "always preview", Code.NEW))
    (fact,) = work.db.facts()
    assert work.db.fact(fact.id).evidence.before_text == "done: 0"


@pytest.mark.parametrize(
    ("type_name", "subject", "confirmed"), [("test_command", "", True), ("deploy_target", "staging", False)]
)
def test_only_low_stakes_count_as_confirmed_by_being_said(
    work: Any, type_name: str, subject: str, confirmed: bool
) -> None:
    fact = work.write("make test", type_name, subject)
    assert (fact.stated_at if confirmed else None) == fact.confirmed_at


def test_every_decision_is_on_record_with_verdicts_and_call(work: Any) -> None:
    session = work.session("s1", "use tabs today")
    call = ModelCall("openai", "small-model", "p3", {"temperature": 0}, "the reply", 120, 30, 1.5)
    kept = work.decide(
        session, "use tabs today", Code.ONE_OFF_CUE, "code_style", "tabs", "use tabs", extractor="openai"
    )
    from extractors.candidate import Malformed

    broken = Decision(
        Disposition.DISCARD, Code.MALFORMED, "evidence is no text", Malformed(MALFORMED_RAW, "x", "openai")
    )
    work.land(session, kept, broken, calls=(call,))
    first, second = work.db.candidates("neutral:s1")
    assert ("one_off_cue", "discard", "small-model", "p3", Applied.KEPT) == (
        first.code,
        first.disposition,
        first.model,
        first.prompt_version,
        first.applied,
    )
    assert ({"check": "one_off_cue", "outcome": "fail", "detail": "seen"},) == first.verdicts
    assert work.policy.version == first.policy_version
    assert {"evidence": 3, "note": "password: [redacted]"} == second.raw
    assert work.raw("SELECT reply, parameters FROM calls") == [("the reply", '{"temperature": 0}')]


def test_the_ledger_row_is_done_with_progress_and_cost(work: Any) -> None:
    session = work.session("s1", "a", "b")
    call = ModelCall("openai", "small-model", "p3", {}, "", 120, 30, 1.5)
    work.land(session, calls=(call, call))
    row = work.db.ledger("neutral:s1")
    assert ("done", "4", 4, 240, 60, 3.0, "small-model") == (
        row.state,
        row.last_turn,
        row.turn_count,
        row.input_tokens,
        row.output_tokens,
        row.seconds,
        row.model,
    )
    assert {"/transcripts/s1.jsonl": (100, 1)} == work.db.seen_files()


def test_a_landing_that_cannot_be_kept_leaves_nothing(work: Any) -> None:
    first = work.write("preview")
    session = work.session("s2", "make test and production", day=1)
    fine = work.decide(session, "make test", Code.NEW, "test_command", "", "make test")
    gone = KnownFact("deploy_target", "staging", "old", first.stated_at, id="f_nothere")
    stale = work.decide(session, "production", Code.REPLACEMENT, value="production", targets=(gone,))
    with pytest.raises(StaleDecision):
        work.land(session, fine, stale)
    assert ["preview"] == work.values()
    assert work.db.candidates("neutral:s2") == []
    assert work.db.ledger("neutral:s2") is None


def test_a_write_into_a_slot_that_was_filled_since_is_judged_again(work: Any) -> None:
    work.write("preview")
    session = work.session("s2", "staging is uat", day=1)
    with pytest.raises(StaleDecision):
        work.land(session, work.decide(session, "staging is uat", Code.NEW, value="uat"))


def test_a_mark_shows_any_change_of_the_slots_since_they_were_read(work: Any) -> None:
    mark = work.db.mark()
    fact = work.write("preview")
    session = work.session("s2", "preview again", day=1)
    again = work.decide(session, "preview again", Code.SAME_VALUE, targets=(as_target(fact),))
    with pytest.raises(StaleDecision):
        work.land(session, again, mark=mark)
    assert Applied.RECONFIRMED is work.land(session, again, mark=work.db.mark()).decisions[0].applied


def test_a_lost_lease_keeps_nothing(work: Any) -> None:
    session = work.session("s1", "preview it is")
    with pytest.raises(LeaseLost):
        work.land(session, work.decide(session, "preview it is", Code.NEW), worker="somebody")
    assert work.values() == []


def test_restating_moves_the_date_and_counts_distinct_statements(work: Any) -> None:
    fact = work.write("preview", day=0)
    for day, name in ((5, "later"), (3, "older, read late")):
        session = work.session(name, "yes preview is right", day=day)
        work.land(session, work.decide(session, "preview is right", Code.SAME_VALUE, targets=(as_target(fact),)))
    fact = work.db.fact(fact.id)
    assert (work.at(5), 3) == (fact.stated_at, fact.times_stated)


SAME = [
    ("another extractor, a longer quote", {"quote": "so preview it is"}, "w0-preview", 1),
    ("the same session read again", {}, "w0-preview", 1),
    ("a fork with the same text and time", {}, "fork", 1),
    ("another session, another time", {"day": 1}, "other", 2),
]


@pytest.mark.parametrize(("change", "name", "times"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
def test_the_same_words_are_never_counted_twice(work: Any, change: dict[str, Any], name: str, times: int) -> None:
    fact = work.write("preview")
    session = work.session(name, "so preview it is", day=change.get("day", 0))
    quote = change.get("quote", "preview it is")
    work.land(session, work.decide(session, quote, Code.SAME_VALUE, targets=(as_target(fact),)))
    assert times == work.db.fact(fact.id).times_stated


def test_two_extractors_in_one_session_make_one_fact_said_once(work: Any) -> None:
    session = work.session("s1", "so preview it is")
    cues = work.decide(session, "preview it is", Code.NEW, extractor="cues")
    model = work.decide(session, "so preview it is", Code.NEW, extractor="openai")
    landed = work.land(session, cues, model)
    assert [Applied.ALREADY_USED, Applied.WRITTEN] == sorted(each.applied for each in landed.decisions)
    (fact,) = work.db.facts()
    assert fact.times_stated == 1


def test_neutral_turn_numbers_of_two_sessions_are_two_turns(work: Any) -> None:
    fact = work.write("preview")
    session = work.session("untimed", "so preview it is", day=1, timed=False)
    work.land(session, work.decide(session, "preview it is", Code.SAME_VALUE, targets=(as_target(fact),)))
    assert work.db.fact(fact.id).times_stated == 2


def test_evidence_of_a_retired_fact_does_not_bring_it_back(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview", day=0, name="s1")
    work.db.accept(item, actor="dana", now=work.at(1))
    work.db.undo(item, actor="dana", now=work.at(2))
    session = work.session("s1", "hm, preview now?", day=0)
    landed = work.land(session, work.decide(session, "preview now?", Code.NEW))
    assert Applied.ALREADY_USED is landed.decisions[0].applied
    assert work.values() == []


def test_a_multi_valued_slot_takes_further_values(work: Any) -> None:
    work.write("db/schema.sql", "do_not_edit", "")
    work.write("infra/", "do_not_edit", "", day=1, code=Code.ADDITIONAL)
    assert ["db/schema.sql", "infra/"] == work.values()


def test_two_values_said_for_one_slot_in_one_session_go_to_a_person(work: Any) -> None:
    session = work.session("s1", "use preview", "use uat")
    landed = work.land(
        session,
        work.decide(session, "use preview", Code.NEW, value="preview"),
        work.decide(session, "use uat", Code.NEW, value="uat"),
    )
    assert [Applied.WRITTEN, Applied.QUEUED] == [each.applied for each in landed.decisions]
    (item,) = work.db.reviews()
    assert ("replacement", "preview", "uat") == (item.kind, item.current, item.proposed)


def test_a_dated_rule_stands_beside_the_default_and_ends_by_itself(work: Any) -> None:
    work.write("main")
    work.write("hotfix", day=1, until=work.at(10).date(), code=Code.TEMPORARY)
    assert ["main", "hotfix"] == work.values()
    session = work.session("late", "main again", day=11)
    (default,) = (fact for fact in work.db.facts() if fact.value == "main")
    work.land(session, work.decide(session, "main again", Code.SAME_VALUE, value="main", targets=(as_target(default),)))
    assert {"main": "active", "hotfix": "expired"} == work.states()


@pytest.mark.parametrize(("day", "listed", "state"), [(10, ["hotfix"], "active"), (11, [], "expired")])
def test_a_dated_rule_is_listed_through_its_last_day(work: Any, day: float, listed: list[str], state: str) -> None:
    work.write("hotfix", until=work.at(10).date(), code=Code.TEMPORARY)
    today = work.at(day).date()
    assert listed == work.values(on=today)
    assert [state] == [fact.state for fact in work.db.facts(all=True, on=today)]


def test_an_assent_to_what_the_same_session_states_asks_nothing(work: Any) -> None:
    session = work.session("s1", "preview it is", "yes preview")
    landed = work.land(
        session,
        work.decide(session, "preview it is", Code.NEW),
        work.decide(session, "yes preview", Code.CONFIRMATION, extractor="openai"),
    )
    assert [Applied.WRITTEN, Applied.RECONFIRMED] == [each.applied for each in landed.decisions]
    assert [] == work.db.reviews()


def test_names_that_are_no_text_are_kept_all_the_same(work: Any) -> None:
    session = work.session("s\udcff", "preview it is")
    work.land(session, work.decide(session, "preview it is", Code.NEW), path="/t/\udcff\x00.jsonl")
    assert ["preview"] == work.values()
    assert ["/t/\\udcff\ufffd.jsonl"] == list(work.db.seen_files())


def test_preferences_belong_to_the_developer_in_every_repository(work: Any) -> None:
    work.write("short answers", "preference", "answers")
    work.write("make test", "test_command", "", day=1)
    seen = [(fact.type, fact.value) for fact in work.db.known("github.com/other/repo", "dana@acme.example")]
    assert [("preference", "short answers")] == seen
    assert [] == work.db.known("github.com/other/repo", None)
    assert ["make test"] == work.values(repo="github.com/acme/webapp")
    assert ["short answers"] == work.values(developer="dana@acme.example")


def test_credentials_never_come_to_rest(work: Any) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    session = work.session("s1", f"push with {token} to preview")
    discard = work.decide(session, f"push with {token} to preview", Code.SECRET, value=token)
    call = ModelCall("cues", reply=f"I saw {token}", parameters={"note": token}, error=token)
    work.land(session, discard, work.decide(session, "to preview", Code.NEW), calls=(call,))
    if work.db.path:
        work.db.sql.raw.execute("CHECKPOINT")
        assert token.encode() not in work.db.path.read_bytes()
    for table in ("candidates", "calls", "turns", "statements", "facts"):
        assert token not in str(work.raw(f"SELECT * FROM {table}"))  # noqa: S608 - names of this list
    (fact,) = work.db.facts()
    assert work.db.fact(fact.id).evidence.turn_text == "push with [redacted] to preview"


def test_a_landing_without_decisions_is_a_session_read(work: Any) -> None:
    session = work.session("s1", "fix the test")
    assert () == work.land(session).decisions
    assert work.db.ledger("s1").state == "done"


def test_reading_on_lands_again_under_the_same_session(work: Any) -> None:
    session = work.session("s1", "preview it is")
    work.land(session, work.decide(session, "preview it is", Code.NEW))
    longer = work.session("s1", "preview it is", "and make test")
    work.land(longer, work.decide(longer, "make test", Code.NEW, "test_command", "", "make test"))
    assert ["preview", "make test"] == sorted(work.values(), reverse=True)
    assert 4 == work.db.ledger("s1").turn_count
    assert 2 == len(work.db.candidates("neutral:s1"))


def test_known_rows_carry_what_the_checks_compare(work: Any) -> None:
    fact = work.write("preview", until=work.at(30).date(), code=Code.TEMPORARY)
    expected = KnownFact("deploy_target", "staging", "preview", work.at(0), None, work.at(30).date(), fact.id)
    assert [expected] == work.db.known("github.com/acme/webapp", None)


def test_moved_forward_is_by_what_was_said_not_by_when_it_was_read(work: Any) -> None:
    session = work.session("s1", "main first", "then preview", "then forget preview")
    write = work.decide(session, "then preview", Code.NEW)
    fact_time = write.stated_at
    work.land(session, write, now=session.ended + timedelta(days=300))
    (fact,) = work.db.facts()
    assert fact_time == fact.stated_at


def as_target(fact: Any) -> KnownFact:
    return KnownFact(fact.type, fact.subject, fact.value, fact.stated_at, fact.confirmed_at, fact.valid_until, fact.id)


def passed_on(work: Any, value: str = "main") -> Any:
    """A session that consists of words which an agent passed on, and the question that they come to."""
    session = work.session("passed on", f"yes, still {value}", day=3)
    known = tuple(work.db.known(session.repo, session.developer))
    return session, work.decide(session, f"still {value}", Code.CONFIRMATION, value=value, targets=known)


def test_what_was_passed_on_asks_and_never_restates(work: Any) -> None:
    main = work.write("main", day=0)
    session, asked = passed_on(work)
    landed = work.land(session, asked, second_hand=True)
    assert [Applied.QUEUED] == [each.applied for each in landed.decisions]
    assert (main.stated_at, 1) == (work.db.fact(main.id).stated_at, work.db.fact(main.id).times_stated)
    with pytest.raises(ValueError, match="cannot write"):
        work.land(session, work.decide(session, "still main", Code.NEW, value="trunk"), second_hand=True)


def test_a_restatement_answers_the_question_whether_it_still_holds(work: Any) -> None:
    work.write("main", day=0)
    work.land(*passed_on(work), second_hand=True)
    (item,) = work.db.reviews()
    own = work.session("own words", "staging is still main", day=3)
    known = tuple(work.db.known(own.repo, own.developer))
    work.land(own, work.decide(own, "still main", Code.SAME_VALUE, value="main", targets=known))
    found = work.db.review(item.id)
    assert ("expired", "the developer has stated it since") == (found.state, found.reason)


def test_a_yes_to_a_question_confirms_at_the_time_it_was_said(work: Any) -> None:
    main = work.write("main", day=0)
    assert main.confirmed_at is None
    session = work.session("s2", "yes, main still holds", day=4)
    known = tuple(work.db.known(session.repo, session.developer))
    decision = work.decide(session, "still holds", Code.SAME_VALUE, value="main", targets=known)
    work.land(session, replace(decision, confirms=True), now=work.at(9))
    fact = work.db.fact(main.id)
    assert (work.at(4), work.at(4), "dana@acme.example", 2) == (
        fact.stated_at,
        fact.confirmed_at,
        fact.confirmed_by,
        fact.times_stated,
    )
    older = work.session("s3", "yes, main still holds", day=2)
    decision = work.decide(older, "still holds", Code.SAME_VALUE, value="main", targets=known)
    work.land(older, replace(decision, confirms=True), now=work.at(10))
    assert work.at(4) == work.db.fact(main.id).confirmed_at


def test_a_mere_restatement_does_not_confirm_what_is_high_in_stakes(work: Any) -> None:
    main = work.write("main", day=0)
    session = work.session("s2", "staging is main", day=4)
    known = tuple(work.db.known(session.repo, session.developer))
    work.land(session, work.decide(session, "staging is main", Code.SAME_VALUE, value="main", targets=known))
    assert (work.at(4), None) == (work.db.fact(main.id).stated_at, work.db.fact(main.id).confirmed_at)
