"""What is proposed where a developer answers the question whether a stored value still holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from extractors.cues.extractor import CueExtractor
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn

SLOTS = (
    ("deploy_target", "staging"),
    ("deploy_target", "production"),
    ("test_command", ""),
    ("reviewer", "billing"),
    ("do_not_edit", ""),
    ("code_style", "imports"),
    ("code_style", "isort"),
    ("service_fact", "legacy"),
)
ASKED = 'I have "preview" for the deploy target (staging), from 2026-03-02 (18 days ago). Does it still hold?'
TESTS = 'I have "make test" for the test command, from 2026-01-02 (200 days ago). Does it still hold?'
BANNED = 'I have "legacy/" as not to be edited, from 2026-03-02 (18 days ago). Does it still hold?'
STYLE = (
    'I have "sort imports with isort" for the code style (imports), from 2026-03-02 (18 days ago). Does it still hold?'
)
WHICH = 'Two values. which holds for the deploy target (staging): "preview" or "develop"?'

PRODUCTION_FROM_STAGING = ("deploy_target", "production", "staging", "standing")


def proposed(agent: str, words: str, *, origin: Origin = Origin.TYPED) -> list[tuple[str, str, str, str, str]]:
    """(evidence, type, subject, value, kind) of what the answer's turn is taken for."""
    said = datetime(2026, 3, 20, tzinfo=UTC)
    turns = (
        Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, "go on"),), said),
        Turn("2", Speaker.AGENT, (Segment(Origin.TYPED, agent),), said),
        Turn("3", Speaker.DEVELOPER, (Segment(origin, words),), said),
    )
    session = Session("s", "neutral", "github.com/acme/webapp", turns, "dana", ended=said)
    found = CueExtractor().propose(session, policy=load_policy(), known_slots=SLOTS).candidates
    return [
        (one.evidence, one.type, one.subject, one.value, one.kind.value)
        for one in found
        if getattr(one, "raw", {}).get("cue", "").startswith("answer.")
    ]


@pytest.mark.parametrize(
    "words", ["yes", "Yep, go ahead", "still preview", "it does", "correct", "no change", "yes\nthx"]
)
def test_a_yes_proposes_the_value_again(words: str) -> None:
    quote = words.splitlines()[0]
    assert [(quote, "deploy_target", "staging", "preview", "standing")] == proposed(ASKED, words)


@pytest.mark.parametrize("words", ["no", "nope, not any more", "no, that's wrong", "not anymore", "not any longer"])
def test_a_no_proposes_that_the_stored_value_is_wrong(words: str) -> None:
    assert [(words, "deploy_target", "staging", "", "correction")] == proposed(ASKED, words)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("no, it's develop now", "develop"),
        ("nope, `release/7`", "release/7"),
        ("no. develop.", "develop"),
        ("no, it moved to develop", "develop"),
        ("No, use develop instead", "develop"),
        ("no, we switched it to develop", "develop"),
    ],
)
def test_a_no_with_another_value_proposes_that_one(words: str, value: str) -> None:
    assert [(words, "deploy_target", "staging", value, "standing")] == proposed(ASKED, words)


@pytest.mark.parametrize(
    ("agent", "words", "fact"),
    [
        (TESTS, "yes", ("test_command", "", "make test", "standing")),
        (TESTS, "no, it's `make check` now", ("test_command", "", "make check", "standing")),
        (TESTS, "no, make check", ("test_command", "", "", "correction")),  # where a command ends is not plain
        (WHICH, "develop", ("deploy_target", "staging", "develop", "standing")),
        (WHICH, "the preview one", ("deploy_target", "staging", "preview", "standing")),
        ("Is `preview` still where staging goes?", "yes", ("deploy_target", "staging", "preview", "standing")),
        ("Prod goes to `main`, from May. Is that right?", "yes", ("deploy_target", "production", "main", "standing")),
        ("The reviewer for billing is “Priya”. Still correct?", "yes", ("reviewer", "billing", "Priya", "standing")),
        (
            'For "name \\"x\\"" as the test command: does it still hold?',
            "yes",
            ("test_command", "", 'name "x"', "standing"),
        ),
    ],
)
def test_which_fact_is_meant_stands_in_the_question(agent: str, words: str, fact: tuple[str, str, str, str]) -> None:
    assert [(words, *fact)] == proposed(agent, words)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ('Shall I deploy staging to "preview"?', "yes"),
        (f"{ASKED} {TESTS}", "yes"),  # two questions: a yes to which?
        ('Does "preview" still hold?', "yes"),  # for what?
        ('Staging or production: is "main" still right?', "yes"),
        (ASKED, "what is preview?"),
        (ASKED, "no idea"),
        (ASKED, "deploy it"),
        (WHICH, "hm"),
        (WHICH, "preview or develop, ask Sam"),
        ("Does it still hold?", "yes"),
        (f"{ASKED}\n" + "Then I went on to the tests. " * 60, "yes"),
    ],
)
def test_what_is_not_plain_is_not_proposed(agent: str, words: str) -> None:
    assert [] == proposed(agent, words)


@pytest.mark.parametrize(
    ("agent", "words", "fact"),
    [
        (BANNED, "yes", ("do_not_edit", "", "legacy/", "standing")),
        (BANNED, "no", ("do_not_edit", "", "", "correction")),
        (BANNED, "no, only legacy/v1/", ("do_not_edit", "", "legacy/v1/", "standing")),
        ("Is the ban on `legacy/` lifted?", "yes", ("do_not_edit", "", "", "correction")),
        ("`legacy/` is off limits. May I edit it?", "no", ("do_not_edit", "", "legacy/", "standing")),
        # The value names another slot's subject: where our own words stand, they decide.
        (STYLE, "yes", ("code_style", "imports", "sort imports with isort", "standing")),
        (STYLE, "no, imports are sorted by ruff", ("code_style", "imports", "imports are sorted by ruff", "standing")),
        ('I have "main" for the deploy target (production). Still right?', "no, staging", PRODUCTION_FROM_STAGING),
        # A value is read as it is stored, however the block writes it.
        (
            'I have "a \\u003c \\"b\\"" for the test command. Does it still hold?',
            "yes",
            ("test_command", "", 'a < "b"', "standing"),
        ),
    ],
)
def test_a_ban_and_a_statement_are_answered_like_anything_else(
    agent: str, words: str, fact: tuple[str, str, str, str]
) -> None:
    assert [(words, *fact)] == proposed(agent, words)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Shall I edit `legacy/config.py` for you? It is off limits.", "yes"),
        ("`legacy/` is off limits. May I edit it?", "yes"),
        (BANNED, "yes, go ahead"),
        (BANNED, "no, later"),
        (ASKED, "no, run the tests first"),
        (ASKED, "no, later"),
        (ASKED, "no thanks"),
        (ASKED, "yes, develop"),
        (f"{ASKED} Shall I run the tests, too?", "no"),
        ("Is preview still right, or has it changed?", "no"),
    ],
)
def test_an_answer_that_may_mean_something_else_proposes_nothing(agent: str, words: str) -> None:
    assert [] == proposed(agent, words)


def test_a_chosen_answer_counts() -> None:
    assert [("Yes", "deploy_target", "staging", "preview", "standing")] == proposed(ASKED, "Yes", origin=Origin.CHOSEN)
