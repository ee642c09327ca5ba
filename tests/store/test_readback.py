"""What was read back, in the store: taken in once, followed through the transcripts, measured."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from store import recalls
from store.records import Landing, SessionFile
from store.upkeep import Horizons
from transcripts.session import Session, Speaker, Turn
from validators.verdict import Code

REPO = "github.com/acme/webapp"


def told(
    work: Any, session: str, placed: dict[str, str], *, day: float, asked: tuple[str, ...] = (), **more: Any
) -> None:
    """A recall as the hook puts it on record, and taken in."""
    line = {
        "at": work.at(day).isoformat(),
        "by": "hook",
        "event": "SessionStart",
        "session": session,
        "repo": REPO,
        "eligible": sorted(placed),
        "placed": placed,
        "shown": list(placed),
        "asked": list(asked),
        "tokens": 40,
        "ms": 30,
    }
    recalls.append(str(work.db.home), line | more)
    work.db.take_recalls(now=work.at(day))


def spoken(work: Any, name: str, *texts: str, day: float) -> Session:
    """A session in which the agent and the developer take turns, the agent first; a minute between them."""
    from transcripts.session import Origin, Segment

    turns = tuple(
        Turn(
            str(place),
            Speaker.DEVELOPER if place % 2 else Speaker.AGENT,
            (Segment(Origin.TYPED, text),),
            work.at(day) + timedelta(minutes=place + 1),
        )
        for place, text in enumerate(texts)
    )
    return Session(name, "neutral", REPO, turns, "dana@acme.example", started=work.at(day), ended=work.at(day + 0.5))


def counts(work: Any, **narrow: Any) -> dict[str, Any]:
    """The measures that are not nought."""
    return {name: found for name, found in work.db.measures(**narrow).to_json().items() if found}


def test_the_log_is_taken_in_once_and_leaves_the_file(work: Any) -> None:
    fact = work.write("main")
    told(work, "s1", {fact.id: "load"}, day=2)
    told(work, "s2", {fact.id: "load"}, day=3)
    assert [] == list(recalls.read(str(work.db.home)))
    assert 0 == work.db.take_recalls(now=work.at(4))
    assert [("hook", "s1", 40), ("hook", "s2", 40)] == work.raw(
        "SELECT caller, session, tokens FROM recalls ORDER BY session"
    )
    assert [] == work.db.verify()


def test_a_file_that_was_taken_in_and_not_deleted_counts_once(work: Any) -> None:
    fact = work.write("main")
    told(work, "s1", {fact.id: "load"}, day=2)
    told(work, "s1", {fact.id: "load"}, day=2)
    assert 1 == len(work.raw("SELECT id FROM recalls"))


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"at": "yesterday"},
        {"at": "2026-06-01"},
        {"at": 7},
        {"at": "2026-06-01T09:00:00Z", "placed": ["f_1"], "shown": "f_1", "eligible": {}, "ms": "fast", "session": 7},
        {"at": "2026-06-01T09:00:00Z", "shown": ["f_nobody", 7, None], "tokens": 1 << 40},
    ],
)
def test_a_line_of_nonsense_costs_nothing(work: Any, line: dict[str, Any]) -> None:
    recalls.append(str(work.db.home), line)
    work.db.take_recalls(now=work.at(1))
    assert ([], []) == (work.db.verify(), work.raw("SELECT * FROM recalled"))


def test_a_credential_in_a_request_is_not_kept(work: Any) -> None:
    told(work, "s1", {}, day=2, query="my key is AKIAIOSFODNN7EXAMPLE")
    assert "AKIA" not in str(work.raw("SELECT query FROM recalls"))


def test_what_the_agent_speaks_of_afterwards_was_used(work: Any) -> None:
    main, pnpm, tabs = (
        work.write("main"),
        work.write("pnpm", "package_manager", ""),
        work.write("tabs", "code_style", "indentation"),
    )
    told(work, "s1", {main.id: "load", pnpm.id: "load", tabs.id: "load"}, day=2)
    said = spoken(work, "s1", "I run `pnpm install`, then the mainframe.", "use tabs, go on", "done", day=2)
    assert (3, None) == tuple(counts(work).get(name) for name in ("told", "followed"))
    work.land(said)
    found = counts(work)
    assert (3, 1, 2, 0.333) == tuple(found[name] for name in ("followed", "used", "ignored", "use_rate"))
    assert 1 == found["types"]["package_manager"]["used"]


def test_what_was_said_before_the_telling_is_no_use(work: Any) -> None:
    fact = work.write("pnpm", "package_manager", "")
    told(work, "s1", {fact.id: "load"}, day=3)
    work.land(spoken(work, "s1", "pnpm it is", "go on", day=2))
    assert (1, None) == tuple(counts(work).get(name) for name in ("followed", "used"))


def test_a_session_with_nothing_to_decide_is_followed_too(work: Any) -> None:
    fact = work.write("pnpm", "package_manager", "")
    told(work, "s1", {fact.id: "load"}, day=2)
    session = spoken(work, "s1", "pnpm it is", "go on", day=2)
    file = SessionFile("neutral:s1", "/t/s1", 1, 1, "fp", "neutral", "s1", REPO)
    work.db.claim(file, worker="w", now=work.at(3))
    landing = Landing(session, file, (), work.policy, work.at(3), "1", 2, worker="w")
    assert {"neutral:s1"} == work.db.land_quiet([landing])
    assert 1 == counts(work)["used"]


def answer(work: Any, fact: Any, code: Code, value: str, *, name: str, known: Any, day: float = 3) -> None:
    """The agent asks, the developer answers with a value."""
    said = spoken(work, name, f"Does {fact.value} still hold?", f"{value} it is", day=day)
    work.land(said, work.decide(said, f"{value} it is", code, value=value, targets=(known(fact),)))


def test_questions_are_confirmed_or_change_the_value(work: Any, as_known: Any) -> None:
    fact = work.write("main")
    for name in ("s1", "s2", "s3"):
        told(work, name, {fact.id: "ask"}, day=3, asked=(fact.id,))
    answer(work, fact, Code.SAME_VALUE, "main", name="s1", known=as_known)
    answer(work, fact, Code.REPLACEMENT, "preview", name="s2", known=as_known, day=3.1)
    found = counts(work)
    assert (3, 2, 1, 1, 0.5, 0.5) == tuple(
        found[name] for name in ("asked", "answered", "confirmed", "changed", "confirmation_rate", "change_rate")
    )
    assert ("missed" in found, "loaded" in found) == (False, False)


def test_a_load_that_the_session_corrects_was_stale(work: Any, as_known: Any) -> None:
    fact = work.write("main")
    for name in ("s1", "s2"):
        told(work, name, {fact.id: "load"}, day=3)
    answer(work, fact, Code.CORRECTION, "preview", name="s2", known=as_known)
    found = counts(work)
    assert (2, 1, 0.5) == tuple(found[name] for name in ("loaded", "stale", "stale_load_rate"))


def test_a_load_of_what_turned_out_wrong_was_stale(work: Any) -> None:
    fact, other = work.write("main"), work.write("pnpm", "package_manager", "")
    told(work, "s1", {fact.id: "load", other.id: "load"}, day=3)
    work.db.edit_fact(fact.id, "preview", actor="dana", now=work.at(9), wrong=True)
    work.db.edit_fact(other.id, "yarn", actor="dana", now=work.at(9))
    found = counts(work)
    assert (2, 1) == (found["loaded"], found["stale"])
    assert 1 == found["types"]["deploy_target"]["stale"]


def test_what_the_agent_had_to_ask_for_was_missed(work: Any, as_known: Any) -> None:
    fact = work.write("main")
    answer(work, fact, Code.SAME_VALUE, "main", name="s1", known=as_known)
    told(work, "s2", {fact.id: "load"}, day=4)
    answer(work, fact, Code.SAME_VALUE, "main", name="s2", known=as_known, day=4)
    found = counts(work)
    assert (1, 3, 0.333) == tuple(found[name] for name in ("missed", "sessions", "missing_memory_rate"))


@pytest.mark.parametrize(
    ("question", "text", "missed"),
    [
        ("Which branch does staging deploy from?", "main", 1),
        ("Done.\n\nWhich branch does staging deploy from?", "it's `main`, as always", 1),
        ("Which branch does staging deploy from?", "Main.", 1),
        ("Which branch does staging deploy from?", "main - I told you yesterday", 1),
        ("Which branch does staging deploy from?", "ok main, thanks. also make the banner red", 1),
        ("Should staging deploy from preview?", "no, main", 1),
        ("Which branch does staging deploy from?", "main\n\nand make the banner red", 1),
        ("Which branch does staging deploy from?", "main?", 0),
        ("Which branch does staging deploy from?", "merge main first", 0),
        ("Which branch does staging deploy from?", "the maintainer's", 0),
        ("Which branch does staging deploy from?", "not main", 0),
        ("Which branch does production deploy from?", "main", 0),
        ("Which branch does staging of the docs repository deploy from?", "main", 0),
        ("Which branch shall I base my work on?", "main", 0),
        ("Staging deploys. What shall the button say?", "main", 0),
        ("The tests pass.", "main", 0),
        ("Where does staging deploy from?", "main " * 20, 0),
    ],
)
def test_a_bare_answer_is_what_the_agent_had_to_ask_for(work: Any, question: str, text: str, missed: int) -> None:
    work.write("main")
    work.land(spoken(work, "s1", question, text, day=3))
    found = work.db.measures().to_json()
    assert (missed, 2) == (found["missed"], found["sessions"])
    assert [missed] * missed == [counts["missed"] for counts in found["types"].values()]


def test_a_bare_answer_counts_where_nobody_had_told_and_the_store_held_it(work: Any) -> None:
    fact = work.write("main")
    asked = "Which branch does staging deploy from?"
    told(work, "s1", {fact.id: "load"}, day=3)
    work.land(spoken(work, "s1", asked, "main", day=4))
    work.land(spoken(work, "s2", asked, "main", "And what does staging deploy from at night?", "main", day=4))
    work.land(
        spoken(
            work,
            "s2",
            asked,
            "main",
            "And what does staging deploy from at night?",
            "main",
            "Sure?",
            "yes, main",
            day=4,
        )
    )
    work.land(spoken(work, "s0", asked, "main", day=-1))  # before anybody had said so
    assert (1, [("s1",), ("s2",)]) == (
        counts(work)["missed"],
        work.raw("SELECT session FROM answered ORDER BY session"),
    )
    assert [] == work.db.verify()


def test_of_several_facts_with_one_value_the_question_says_which(work: Any) -> None:
    staging, _ = work.write("main"), work.write("main", "deploy_target", "production")
    work.land(spoken(work, "s1", "Which branch does staging deploy from?", "main", day=3))
    work.land(spoken(work, "s2", "Which branch?", "main", day=3))
    assert [("s1", staging.id)] == work.raw("SELECT session, fact_id FROM answered")


def test_the_measures_are_narrowed_by_time_and_repository(work: Any) -> None:
    fact = work.write("main")
    told(work, "s1", {fact.id: "load"}, day=2)
    told(work, "s2", {fact.id: "load"}, day=5)
    assert (2, 1, None) == (
        counts(work)["told"],
        counts(work, since=work.at(3))["told"],
        counts(work, repo="github.com/acme/other").get("told"),
    )


def test_old_recalls_are_deleted_by_upkeep(work: Any) -> None:
    fact = work.write("main")
    told(work, "s1", {fact.id: "load"}, day=2)
    told(work, "s2", {fact.id: "load"}, day=30)
    horizons = Horizons(recall=20)
    assert 1 == len(work.db.upkeep(now=work.at(31), horizons=horizons, dry_run=True).recalls)
    assert 1 == len(work.db.upkeep(now=work.at(31), horizons=horizons).recalls)
    assert [("s2",)] == work.raw("SELECT session FROM recalled")
    assert [] == work.db.verify()
