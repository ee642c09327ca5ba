"""The cue extractor over whole sessions: whose words it reads, and what it makes of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from extractors.candidate import Candidate, Kind
from extractors.cues import CueExtractor
from extractors.cues.extractor import MOST_PROPOSED, MOST_READ, readable
from extractors.cues.sentences import LONGEST
from policy.files import PolicyError
from policy.load import load_policy
from policy.model import Policy
from transcripts.session import Session
from validators.judge import judge

SessionMaker = Callable[..., Session]


def proposed(session: Session, policy: Policy, **given: object) -> list[Candidate]:
    found = CueExtractor().propose(session, policy=policy, **given).candidates  # type: ignore[arg-type]
    return [candidate for candidate in found if isinstance(candidate, Candidate)]


@pytest.mark.parametrize("origin", ["pasted", "injected"])
def test_only_typed_words_are_read(origin: str, make_session: SessionMaker, policy: Policy) -> None:
    """A rule in pasted or injected text is not proposed; the typed words beside it are."""
    session = make_session([(origin, "We use yarn here.\n"), ("typed", "we use pnpm here")])
    assert ["pnpm"] == [one.value for one in proposed(session, policy)]


@pytest.mark.parametrize("speaker", ["agent", "tool", "system"])
def test_nobody_else_is_quoted(speaker: str, make_session: SessionMaker, policy: Policy) -> None:
    """Statements of agents, tools and systems are nobody's rule."""
    assert [] == proposed(make_session((speaker, "from now on we use yarn here"), "fix the test"), policy)


def test_a_chosen_option_is_proposed(make_session: SessionMaker, policy: Policy) -> None:
    """An option that the developer picked counts like an assent: the checks queue it, so it has to be proposed."""
    session = make_session([("chosen", "Always run the tests with `make check`")])
    assert [("test_command", "make check")] == [(one.type, one.value) for one in proposed(session, policy)]


def test_turns_before_the_first_are_not_read_again(make_session: SessionMaker, policy: Policy) -> None:
    """A grown session is read from where the last pass stopped."""
    session = make_session("we use pnpm here", ("agent", "ok"), "staging always deploys from dev-fra")
    assert ["dev-fra"] == [one.value for one in proposed(session, policy, first_turn=2)]


def test_several_facts_in_one_sentence(make_session: SessionMaker, policy: Policy) -> None:
    """Each is quoted on its own."""
    session = make_session("we always use poetry for python, and lint always runs with `make lint`")
    assert [
        ("package_manager", "python", "poetry", "we always use poetry for python"),
        ("lint_command", "", "make lint", "lint always runs with `make lint`"),
    ] == [(one.type, one.subject, one.value, one.evidence) for one in proposed(session, policy)]


def test_quotes_keep_the_typed_characters(make_session: SessionMaker, policy: Policy) -> None:
    """Curly quotes and full-width letters are read, and quoted as they were typed."""
    session = make_session("don’t ever touch “legacy/soap” please", "from now on we use ｐｎｐｍ here")
    assert [("legacy/soap", "don’t ever touch “legacy/soap”"), ("pnpm", "we use ｐｎｐｍ")] == [
        (one.value, one.evidence) for one in proposed(session, policy)
    ]


def test_a_fence_after_the_words_that_introduce_it(make_session: SessionMaker, policy: Policy) -> None:
    """The command stands in the fence, the evidence is what was typed."""
    session = make_session([("typed", "always run the tests with:\n"), ("pasted", "```\n$ make check-all\n```")])
    assert [("make check-all", "run the tests with:")] == [
        (one.value, one.evidence) for one in proposed(session, policy)
    ]


@pytest.mark.parametrize(
    ("text", "until", "code"),
    [
        ("until July 1st staging deploys from hotfix/eol", date(2026, 7, 1), "temporary"),
        ("for the next two weeks checkout reviews go to Lena", date(2026, 5, 18), "temporary"),
        ("until the freeze is over staging deploys from hotfix/eol", None, "one_off_cue"),
        ("staging deploys from hotfix/eol until further notice", None, "new"),
        ("for the moment production deploys from main", None, "one_off_cue"),
        ("today staging goes to demo-friday", None, "one_off_cue"),
        ("from today on staging goes to demo-friday", None, "new"),
    ],
)
def test_ends_and_occasions(
    text: str, until: date | None, code: str, make_session: SessionMaker, policy: Policy
) -> None:
    """A stated end is a date; an end without a date, or one occasion, is proposed as it was said and refused."""
    session = make_session(text)
    (one,) = proposed(session, policy)
    (decision,) = judge(session, [one], policy=policy)
    assert (until, Kind.STANDING, code) == (one.until, one.kind, decision.code.value)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("in the mobile repo we use yarn", "mobile"),
        ("in the webapp repo we use yarn", "this"),
        ("at my last job we use yarn, as everyone does", "my last job"),
    ],
)
def test_whose_statement_it_is(text: str, about: str, make_session: SessionMaker, policy: Policy) -> None:
    """Another repository or job is named as the owner; the repository's own name is this one."""
    assert {about} == {one.about for one in proposed(make_session(text), policy) if one.value == "yarn"}


def test_a_correction_in_the_same_turn(make_session: SessionMaker, policy: Policy) -> None:
    """Owning up to a mistake makes the statement after it a correction."""
    session = make_session("i read the wrong row in february. the ledger database is on postgres 15")
    assert [(Kind.CORRECTION, "ledger database")] == [(one.kind, one.subject) for one in proposed(session, policy)]


def test_the_same_rule_in_other_words_is_proposed_once(make_session: SessionMaker, policy: Policy) -> None:
    """A session that repeats its rule keeps the first wording; a changed rule is proposed again."""
    session = make_session(
        "Always start method names with 'n_'.",
        "Just focus on starting method names with 'n_' for now.",
        "Correction: start all method names with 'm_' please.",
    )
    assert [("method name prefix", "'n_'"), ("method name prefix", "'m_'")] == [
        (one.subject, one.value[-4:] if one.value.endswith("'") else one.value[-11:-7])
        for one in proposed(session, policy)
    ]


def test_known_slots_name_what_is_forgotten(make_session: SessionMaker, policy: Policy) -> None:
    """A forget that names a known slot gets its type and subject."""
    session = make_session("please forget the convention about trailing commas")
    found = proposed(session, policy, known_slots=[("code_style", "trailing commas"), ("code_style", "imports")])
    assert [("code_style", "trailing commas", Kind.FORGET)] == [(one.type, one.subject, one.kind) for one in found]


def test_a_team_adds_its_own_cue(tmp_path: Path, make_session: SessionMaker) -> None:
    """A cue file beside the policy file is laid over the shipped one."""
    (tmp_path / "policy.toml").write_text('[types.on_call]\nvalue = "person"\nsubject = "optional"\n')
    (tmp_path / "cues.toml").write_text(
        "[cues.on_call.is]\nall = ['\\bon[- ]call\\s+(?:is|goes\\s+to)\\s+(?P<value>{person})']\n"
    )
    policy = load_policy(tmp_path / "policy.toml")
    found = proposed(make_session("on call is Noor, and we use pnpm here"), policy)
    assert [("on_call", "Noor"), ("package_manager", "pnpm")] == [(one.type, one.value) for one in found]


@pytest.mark.parametrize(
    ("cue", "where"),
    [
        ("all = ['(unclosed']", "cues.on_call.is.all"),
        ("all = ['{no_such_word}']", "cues.on_call.is.all"),
        ("every = ['x']", "cues.on_call.is.every"),
        ("kind = 'standing'", "cues.on_call.is.all"),
    ],
)
def test_a_broken_cue_is_named(cue: str, where: str, tmp_path: Path, make_session: SessionMaker) -> None:
    """The error says which file and which key."""
    (tmp_path / "policy.toml").write_text('[types.on_call]\nvalue = "person"\n')
    (tmp_path / "cues.toml").write_text(f"[cues.on_call.is]\n{cue}\n")
    with pytest.raises(PolicyError, match=where):
        proposed(make_session("on call is Noor"), load_policy(tmp_path / "policy.toml"))


GIANTS = {
    "prose": "we looked at the build again and Sam said staging is slow, so use the cache when it runs, ",
    "sentences": "We looked at it. It is slow, and the tests never end. ",
    "one word": "use ",
    "no space": "a",
    "statements": "we use npm ",
    "back-ticks": "`",
}


@pytest.mark.parametrize("unit", GIANTS.values(), ids=GIANTS)
def test_a_giant_line_costs_no_more_than_a_long_one(unit: str) -> None:
    """The characters that the rules see stop growing: ten times the text is as much work."""
    read = [sum(len(one.text) for one in readable(unit * (size // len(unit)))) for size in (200_000, 2_000_000)]
    assert max(read) <= MOST_READ
    assert read[1] - read[0] <= LONGEST


def test_statements_around_a_giant_stretch_are_heard(make_session: SessionMaker, policy: Policy) -> None:
    """What is typed before and after something huge is read; the evidence is exact."""
    text = "we use pnpm here. " + "lorem ipsum dolor. " * 20_000 + "staging always deploys from dev-fra"
    found = proposed(make_session(text), policy)
    assert ["pnpm", "dev-fra"] == [one.value for one in found]
    assert all(one.evidence in text for one in found)


def test_one_turn_makes_a_bounded_number_of_proposals(make_session: SessionMaker, policy: Policy) -> None:
    """A turn that repeats a statement without end is not proposed without end."""
    assert 0 < len(proposed(make_session("we use pnpm. " * 2_000), policy)) <= MOST_PROPOSED


HELD = [("package_manager", ""), ("deploy_target", "staging"), ("reviewer", "billing"), ("do_not_edit", "")]
HELD_COMMAND = ("lint_command", "")


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("we don't use pnpm anymore", ("package_manager", "", "pnpm")),
        ("we dont use pnpm any more btw", ("package_manager", "", "pnpm")),
        ("we stopped using pnpm", ("package_manager", "", "pnpm")),
        ("we're off pnpm", ("package_manager", "", "pnpm")),
        ("we no longer use pnpm here, can you clean up the lock file?", ("package_manager", "", "pnpm")),
        ("staging no longer deploys from main", ("deploy_target", "staging", "main")),
        ("staging isn't on main anymore", ("deploy_target", "staging", "main")),
        ("Noor left the company", ("reviewer", "", "Noor")),
        ("Noor no longer reviews billing", ("reviewer", "billing", "Noor")),
        ("billing reviews no longer go to Noor", ("reviewer", "billing", "Noor")),
        ("legacy/ is no longer off limits", ("do_not_edit", "", "legacy/")),
        ("you can edit legacy/ again", ("do_not_edit", "", "legacy/")),
        ("we no longer run `eslint .`", ("lint_command", "", "eslint .")),
        ("`eslint .` is obsolete", ("lint_command", "", "eslint .")),
    ],
)
def test_what_no_longer_holds_is_forgotten_by_its_value(
    text: str, aim: tuple[str, str, str], make_session: SessionMaker, policy: Policy
) -> None:
    found = proposed(make_session(text), policy, known_slots=[*HELD, HELD_COMMAND])
    assert [aim] == [(one.type, one.subject, one.value) for one in found if one.kind is Kind.FORGET]


@pytest.mark.parametrize(
    "text",
    [
        "we don't use pnpm anymore, we use bun",
        "we don't use pnpm anymore. it's bun now",
        "staging no longer deploys from main, it deploys from develop",
        "Noor left the company, billing reviews go to Sam",
    ],
)
def test_a_value_that_is_replaced_is_not_forgotten(text: str, make_session: SessionMaker, policy: Policy) -> None:
    found = proposed(make_session(text), policy, known_slots=HELD)
    assert Kind.FORGET not in {one.kind for one in found}
    assert Kind.STANDING in {one.kind for one in found}


@pytest.mark.parametrize(
    "text",
    [
        "did we stop using pnpm?",
        "if we no longer use pnpm I can delete the lock file",
        "I wish we no longer used pnpm",
        "we don't use pnpm for the docs anymore",
        "Noor left the meeting",
        "Noor left a comment on the billing PR",
        "staging is no longer broken",
        "can you edit legacy/ again?",
    ],
)
def test_what_still_holds_is_not_forgotten(text: str, make_session: SessionMaker, policy: Policy) -> None:
    session = make_session(text)
    judged = judge(session, CueExtractor().propose(session, policy=policy, known_slots=HELD).candidates, policy=policy)
    assert [] == [one.evidence for one in judged if one.disposition.value != "discard"]


def test_what_nobody_stored_is_not_forgotten(make_session: SessionMaker, policy: Policy) -> None:
    """Without a fact of the type there is nothing to ask about; one that this session stated counts."""
    assert [] == [one for one in proposed(make_session("we stopped using pnpm"), policy) if one.kind is Kind.FORGET]
    session = make_session("we use pnpm here", ("agent", "ok"), "wait, we stopped using pnpm")
    assert [Kind.STANDING, Kind.FORGET] == [one.kind for one in proposed(session, policy)]
