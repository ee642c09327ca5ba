"""What the block asks, the developer answers and the checks hear: for every type, the very question as it is worded."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from afterpass.recall.memory import Remembered
from afterpass.recall.render import whether_it_holds
from extractors.cues.extractor import CueExtractor
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.judge import judge
from validators.verdict import KnownFact

POLICY = load_policy()
STATED = datetime(2026, 3, 2, tzinfo=UTC)
SAID = datetime(2026, 3, 20, 9, tzinfo=UTC)

# Each with what a no goes on to say, and the value in it. Some say the subject of another: "staging" is a branch, too.
FACTS = (
    ("package_manager", "", "pnpm", "no, it's bun now", "bun"),
    ("test_command", "", "make test", "no, `make check`", "make check"),
    ("test_command", "api", "pytest api", "no, it's `pytest -q api` now", "pytest -q api"),
    ("build_command", "", "make all", "nope, `make dist`", "make dist"),
    ("lint_command", "", 'sh -c "ruff < x"', "no, use `ruff check` instead", "ruff check"),
    ("run_command", "", "npm start", "no, `npm run dev`", "npm run dev"),
    ("deploy_target", "staging", "preview", "no, it moved to develop", "develop"),
    ("deploy_target", "production", "staging", "no, main", "main"),
    ("reviewer", "billing", "Priya", "no, it's Robin now", "Robin"),
    ("reviewer", "api", "Sam Lee", "no, it's Ana Ruiz now", "Ana Ruiz"),
    ("do_not_edit", "", "legacy/", "no, only legacy/v1/", "legacy/v1/"),
    ("do_not_edit", "", "vendor/**", "no, just `vendor/js/` now", "vendor/js/"),
    ("code_style", "imports", "sort imports with isort", "no, we sort imports with ruff", "we sort imports with ruff"),
    ("code_style", "isort", "isort uses the black profile", "no, isort uses its default", "isort uses its default"),
    ("decision", "cache", "we cache in redis, as sql was slow", "no, we cache in memory", "we cache in memory"),
    ("service_fact", "search", "search runs on elastic 7", "no, search runs on solr 9", "search runs on solr 9"),
    ("identifier", "jira key", "SHOP-", "no, it's OPS- now", "OPS-"),
    ("preference", "summaries", "I want bullet points", "no, I want plain text", "I want plain text"),
)
KNOWN = [KnownFact(name, subject, value, STATED, id=f"f_{at}") for at, (name, subject, value, _, _) in enumerate(FACTS)]
Heard = tuple[str, str, str, str, str, tuple[str, ...], bool]


def heard(agent: str, words: str, *, origin: Origin = Origin.TYPED) -> list[Heard]:
    """(disposition, code, type, subject, value, values it is about, whether it confirms) of what is not refused."""
    turns = (
        Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, "go on"),), SAID),
        Turn("2", Speaker.AGENT, (Segment(Origin.TYPED, agent),), SAID),
        Turn("3", Speaker.DEVELOPER, (Segment(origin, words),), SAID),
    )
    session = Session("s", "neutral", "github.com/acme/webapp", turns, "dana", ended=SAID)
    slots = [(fact.type, fact.subject) for fact in KNOWN]
    found = CueExtractor().propose(session, policy=POLICY, known_slots=slots).candidates
    return [
        (
            one.disposition.value,
            one.code.value,
            one.type,
            one.subject,
            one.value,
            tuple(t.value for t in one.targets),
            one.confirms,
        )
        for one in judge(session, found, policy=POLICY, known=KNOWN)
        if one.disposition.value != "discard"
    ]


def question(name: str, subject: str, value: str) -> str:
    fact = Remembered("github.com/acme/webapp", name, subject, value, STATED)
    return whether_it_holds(POLICY.types[name], fact, date(2026, 3, 20))


def test_every_type_is_asked_about() -> None:
    assert set(POLICY.types) == {name for name, *_ in FACTS}


@pytest.mark.parametrize(("name", "subject", "value", "words", "other"), FACTS)
@pytest.mark.parametrize("lead", ["Before I do: ", "I need `src/app.py` for it.\n\n", ""])
def test_the_question_and_its_answer_are_of_one_fact(
    name: str, subject: str, value: str, words: str, other: str, lead: str
) -> None:
    asked = lead + question(name, subject, value)
    assert [("reconfirm", "same_value", name, subject, value, (value,), True)] == heard(asked, "yes")
    assert [("queue", "correction", name, subject, "", (value,), False)] == heard(asked, "no")
    assert [("queue", "replacement", name, subject, other, (value,), False)] == heard(asked, words)
    assert [("reconfirm", "same_value", name, subject, value, (value,), True)] == heard(
        asked, "Yes", origin=Origin.CHOSEN
    )
    assert [("queue", "correction", name, subject, "", (value,), False)] == heard(asked, "No", origin=Origin.CHOSEN)


def test_the_questions_read_like_this() -> None:
    assert (
        'I have "preview" for the deploy target (staging), from 2026-03-02 (18 days ago). Does it still hold?'
        == question("deploy_target", "staging", "preview")
    )
    assert 'I have "legacy/" as not to be edited, from 2026-03-02 (18 days ago). Does it still hold?' == question(
        "do_not_edit", "", "legacy/"
    )


BAN = question("do_not_edit", "", "legacy/")
HOLDS = [("reconfirm", "same_value", "do_not_edit", "", "legacy/", ("legacy/",), True)]
LIFTED = [("queue", "correction", "do_not_edit", "", "", ("legacy/",), False)]


@pytest.mark.parametrize(
    ("agent", "words", "comes_to"),
    [
        (BAN, "yes, still off limits", HOLDS),
        (BAN, "yes, don't touch it", HOLDS),
        (BAN, "no, go ahead", LIFTED),
        (BAN, "no, feel free to edit it", LIFTED),
        (BAN, "nope, we dropped that rule", LIFTED),
        ("`legacy/` was not to be edited (said on 2026-03-01). Does this still hold?", "yes", HOLDS),
        ("`legacy/` was not to be edited (said on 2026-03-01). Does this still hold?", "no", LIFTED),
        ("Is `legacy/` still off limits?", "yes", HOLDS),
        ("Is `legacy/` still off limits?", "no", LIFTED),
        (f"I'd have to change `legacy/config.py`. {BAN}", "no", LIFTED),
        ("`legacy/a.py` lies in `legacy/`, which was not to be edited. Does that still hold?", "no", LIFTED),
        # Asked the other way round, a no keeps the ban.
        ("Is the ban on `legacy/` lifted?", "yes", LIFTED),
        ("Is the ban on `legacy/` lifted?", "no", HOLDS),
        ("`legacy/` was off limits. May it be edited again?", "no, leave it alone", HOLDS),
        ('On 2026-03-02 "legacy/" was not to be edited. May I edit it?', "no", HOLDS),
    ],
)
def test_which_way_round_a_ban_was_asked_about(agent: str, words: str, comes_to: list[Heard]) -> None:
    assert comes_to == heard(agent, words)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        # Leave for the task at hand is no end of the ban.
        ("Shall I edit legacy/config.py for you?", "yes"),
        ("`legacy/` is off limits. Shall I edit `legacy/config.py` for you?", "yes"),
        ('On 2026-03-02 "legacy/" was not to be edited. May I edit it?', "yes"),
        ('On 2026-03-02 "legacy/" was not to be edited. May I edit it?', "go ahead"),
        ("`legacy/` is off limits. May I still edit it?", "yes"),
        ("Is it still ok to edit `legacy/`? It was off limits.", "yes"),
        # Answers that may mean either.
        (BAN, "yes, go ahead"),
        (BAN, "yes, you can edit it now"),
        (BAN, "ok"),
        (BAN, "go ahead"),
        (BAN, "no, not for this one"),
        (BAN, "no, you may not edit it"),
        (BAN, "no, leave it alone"),
        (BAN, "no\nleave it alone"),
        (BAN, "no, it does"),
        (BAN, "no, run the tests first"),
        (BAN, "yes, but only today"),
        (BAN, "that is over"),
        (BAN, "no?"),
        # Questions that leave it open, or are two.
        ("Is `legacy/` no longer off limits?", "no"),
        ("Does the ban still hold, or may I edit `legacy/`?", "no"),
        ("`legacy/` is off limits. May I edit it, or does that still hold?", "no"),
        ("Does the ban on `legacy/` and `vendor/` still hold?", "no"),
        (f"{BAN} And shall I run the tests?", "no"),
        (f"Shall I start? {BAN}", "no"),
        # Another path than the stored one.
        ("`legacy/config.py` was not to be edited. Does that still hold?", "no"),
        ('Which is not to be edited: "legacy/" or "legacy/v1/"?', "legacy/v1/"),
        # Other types.
        (question("deploy_target", "staging", "preview"), "no, run the tests first"),
        (question("deploy_target", "staging", "preview"), "no, don't deploy yet"),
        (question("deploy_target", "staging", "preview"), "no thanks"),
        (question("deploy_target", "staging", "preview"), "no, later"),
        (question("deploy_target", "staging", "preview"), "yes, develop"),
        (question("deploy_target", "staging", "release"), "no"),  # what was asked about is not stored
        (question("test_command", "", "make test"), "no, make sure it is green first"),
        (question("code_style", "imports", "sort imports with isort"), "no, fix the banner first"),
    ],
)
def test_what_is_not_plain_comes_to_nothing(agent: str, words: str) -> None:
    assert [] == heard(agent, words)


def test_another_ban_beside_a_no_takes_no_ones_place() -> None:
    (found,) = heard(BAN, "no, and never touch docs/ from now on")
    assert ("write", "additional", "docs/") == (found[0], found[1], found[4])
