"""A yes to a question that quoted the stored value confirms it; nothing less does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from extractors.candidate import Candidate, Kind
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.judge import judge
from validators.verdict import Code, Decision, Disposition, KnownFact

SAID = datetime(2026, 3, 20, 9, tzinfo=UTC)
KNOWN = KnownFact("deploy_target", "staging", "preview", datetime(2026, 3, 2, tzinfo=UTC), id="f_1")
ASKED = 'I have "preview" for the deploy target (staging), from 2026-03-02 (18 days ago). Does it still hold?'


def decide(agent: str, words: str, value: str = "preview", *, origin: Origin = Origin.TYPED) -> Decision:
    turns = (
        Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, "deploy to staging"),), SAID),
        Turn("2", Speaker.AGENT, (Segment(Origin.TYPED, agent),), SAID),
        Turn("3", Speaker.DEVELOPER, (Segment(origin, words),), SAID),
    )
    session = Session("s", "neutral", "github.com/acme/webapp", turns, "dana", ended=SAID)
    kind = Kind.STANDING if value else Kind.CORRECTION
    candidate = Candidate(words, "deploy_target", kind, value, "staging", "3")
    (decision,) = judge(session, [candidate], policy=load_policy(), known=[KNOWN])
    return decision


@pytest.mark.parametrize(
    "words",
    [
        "yes",
        "yep, go ahead",
        "yes, still preview",
        "correct.",
        "that still holds",
        "it does",
        "still the same, thanks",
        "preview",
        "`preview`",
        "ja",
    ],
)
def test_a_yes_confirms(words: str) -> None:
    decision = decide(f"Looking.\n\n{ASKED}", words)
    assert (Disposition.RECONFIRM, True) == (decision.disposition, decision.confirms)


@pytest.mark.parametrize(
    "agent",
    [
        "Staging goes to preview, said on March 2. Is that still right?",
        "Is `preview` still the deploy target for staging?",
        "Memory says staging deploys from preview (18 days old). Can you confirm?",
        'I found:\n- staging: "preview"\nIs this current?',
        "Staging läuft auf preview. Stimmt das noch?",
    ],
)
def test_an_agents_own_words_for_the_question_count_too(agent: str) -> None:
    assert decide(agent, "yes").confirms


@pytest.mark.parametrize(
    "agent",
    [
        "Shall I deploy staging to preview?",
        "I deployed to preview. Should I run the tests, too?",
        "Is preview still right, or has it changed?",
        "Is preview no longer the target?",
        "Isn't preview still the target?",
        "Does preview-2 still hold?",
        "Preview is deployed.\n\nThe tests are red. Is that still known?",
        "preview. " + "More words here. " * 20 + "Does it still hold?",
        "I have it from March. Does it still hold?",
    ],
)
def test_any_other_question_does_not(agent: str) -> None:
    assert not decide(agent, "yes").confirms


@pytest.mark.parametrize(
    ("words", "disposition"),
    [
        ("yes but only this once", Disposition.DISCARD),
        ("for now, yes", Disposition.DISCARD),
        ("preview is slow today", None),
        ("the preview page is broken", None),
    ],
)
def test_a_limited_yes_and_other_words_do_not(words: str, disposition: Disposition | None) -> None:
    decision = decide(ASKED, words)
    assert not decision.confirms
    assert disposition in (None, decision.disposition)


def test_a_chosen_yes_confirms() -> None:
    decision = decide(f"{ASKED}\n- Yes\n- No, it has changed", "Yes", origin=Origin.CHOSEN)
    assert (Disposition.RECONFIRM, True) == (decision.disposition, decision.confirms)


def test_a_no_puts_the_stored_value_in_question() -> None:
    decision = decide(ASKED, "no, not any more", value="")
    assert (Disposition.QUEUE, Code.CORRECTION, (KNOWN,)) == (decision.disposition, decision.code, decision.targets)


def test_another_value_goes_the_way_of_all_replacements() -> None:
    decision = decide(ASKED, "no, it's develop now", value="develop")
    assert (Disposition.QUEUE, Code.REPLACEMENT, False) == (decision.disposition, decision.code, decision.confirms)


BAN = KnownFact("do_not_edit", "", "legacy/", datetime(2026, 3, 2, tzinfo=UTC), id="f_2")
VENDOR = KnownFact("do_not_edit", "", "vendor/", datetime(2026, 3, 2, tzinfo=UTC), id="f_3")
LEAVE = "`legacy/` is off limits. May I edit it?"
STILL = "`legacy/` was not to be edited. Does that still hold?"


def of_ban(agent: str, words: str, *, value: str = "", known: tuple[KnownFact, ...] = (BAN, VENDOR)) -> Decision:
    """What becomes of an answer as a model might label it: with a value a restatement, without one a correction."""
    turns = (
        Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, "tidy up legacy"),), SAID),
        Turn("2", Speaker.AGENT, (Segment(Origin.TYPED, agent),), SAID),
        Turn("3", Speaker.DEVELOPER, (Segment(Origin.TYPED, words),), SAID),
    )
    session = Session("s", "neutral", "github.com/acme/webapp", turns, "dana", ended=SAID)
    candidate = Candidate(words, "do_not_edit", Kind.STANDING if value else Kind.CORRECTION, value, "", "3")
    (decision,) = judge(session, [candidate], policy=load_policy(), known=list(known))
    return decision


@pytest.mark.parametrize(("agent", "words"), [(STILL, "no"), ("Is the ban on `legacy/` lifted?", "yes")])
def test_of_several_bans_the_one_that_was_asked_about_is_put_in_question(agent: str, words: str) -> None:
    decision = of_ban(agent, words)
    assert (Disposition.QUEUE, Code.CORRECTION, (BAN,)) == (decision.disposition, decision.code, decision.targets)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (LEAVE, "yes"),  # leave for this once
        (LEAVE, "no"),  # the ban holds
        (STILL, "yes"),
        ("Shall I edit legacy/config.py for you?", "yes"),
        ("Shall I edit legacy/config.py for you?", "no"),
        ("`docs/` was not to be edited. Does that still hold?", "no"),  # no such fact
    ],
)
@pytest.mark.parametrize("known", [(BAN,), (BAN, VENDOR)])
def test_nobodys_label_makes_an_end_of_a_ban_out_of_another_answer(
    agent: str, words: str, known: tuple[KnownFact, ...]
) -> None:
    assert Code.NOT_ASSERTED is of_ban(agent, words, known=known).code


def test_a_leave_to_edit_restates_no_ban() -> None:
    assert Disposition.DISCARD is of_ban(LEAVE, "yes", value="legacy/").disposition
    assert of_ban(LEAVE, "no", value="legacy/").confirms
    assert of_ban(STILL, "yes", value="legacy/").confirms


def test_a_no_that_is_older_than_the_last_confirmation_is_late() -> None:
    later = datetime(2026, 3, 25, tzinfo=UTC)
    confirmed = KnownFact("do_not_edit", "", "legacy/", datetime(2026, 3, 2, tzinfo=UTC), later, id="f_2")
    assert Code.OLDER_THAN_CURRENT is of_ban(STILL, "no", known=(confirmed, VENDOR)).code


def test_a_no_with_another_path_replaces_the_one_that_was_asked_about() -> None:
    decision = of_ban(STILL, "no, only legacy/v1/", value="legacy/v1/")
    assert (Disposition.QUEUE, Code.REPLACEMENT, (BAN,)) == (decision.disposition, decision.code, decision.targets)


def test_a_yes_that_names_another_value_does_not_confirm() -> None:
    assert not decide(ASKED, "yes, develop").confirms
