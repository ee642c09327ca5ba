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
