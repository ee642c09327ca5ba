"""What becomes of candidates, alone and together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.candidate import Candidate, Malformed, parse_candidate
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.checks import DISCARDS, QUARANTINES
from validators.judge import judge
from validators.repository import read_repository
from validators.verdict import Code, Decision, Disposition, KnownFact, Outcome

LAST_YEAR = datetime(2025, 6, 10, tzinfo=UTC)


@pytest.fixture(scope="session")
def decide(session_of: Callable[..., Session]) -> Callable[..., list[Decision]]:
    """Judge candidates of a session of given turns."""

    def run(
        turns: list[Any], *candidates: Candidate | Malformed, known: Sequence[KnownFact] = (), **more: Any
    ) -> list[Decision]:
        developer = more.pop("developer", "dana@acme.example")
        return judge(session_of(*turns, developer=developer), candidates, policy=load_policy(), known=known, **more)

    return run


def codes(decisions: list[Decision]) -> list[str]:
    return [f"{d.disposition}/{d.code}" for d in decisions]


NPM = KnownFact("package_manager", "", "npm", LAST_YEAR)
PNPM = KnownFact("package_manager", "", "PNPM", LAST_YEAR)


@pytest.mark.parametrize(
    ("changes", "known", "expected"),
    [
        ({}, [], "write/new"),
        ({}, [NPM], "queue/replacement"),
        ({}, [PNPM], "reconfirm/same_value"),
        ({}, [KnownFact("package_manager", "web", "npm", LAST_YEAR)], "write/new"),
        ({"kind": "correction"}, [NPM], "queue/correction"),
        ({"kind": "correction"}, [PNPM], "reconfirm/same_value"),
        ({"kind": "correction"}, [], "write/new"),
        ({"until": "2026-07-01"}, [], "write/temporary"),
        ({"until": "2026-07-01"}, [NPM], "write/temporary"),
        ({"until": "2026-07-01"}, [PNPM], "reconfirm/same_value"),
        ({}, [KnownFact("package_manager", "", "npm", LAST_YEAR, until=date(2026, 7, 1))], "write/new"),
        ({}, [KnownFact("package_manager", "", "pnpm", LAST_YEAR, until=date(2026, 7, 1))], "write/new"),
        ({"until": "2026-06-01"}, [], "discard/expired"),
        ({"importance": 1.0}, [NPM], "discard/below_importance"),
        ({"about": "unknown"}, [NPM], "quarantine/owner_unclear"),
    ],
)
def test_a_plain_statement_by_what_the_slot_holds(
    decide: Callable[..., list[Decision]],
    candidate_of: Callable[..., Candidate],
    changes: dict[str, Any],
    known: list[KnownFact],
    expected: str,
) -> None:
    candidate = candidate_of("we always use pnpm here", value="pnpm", **changes)
    assert [expected] == codes(decide(["we always use pnpm here"], candidate, known=known))


def test_a_decision_says_where_when_and_whose(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    candidate = candidate_of("WE ALWAYS use `pnpm`", value="`PNPM`", turn="7")
    [found] = decide(["hi", "A: yes?", "well, we always use pnpm here"], candidate, known=[NPM])
    assert ("3", 6, 24, "we always use pnpm") == (
        (found.evidence.turn, found.evidence.start, found.evidence.end, found.evidence.text) if found.evidence else None
    )
    assert ("package_manager", "", "pnpm", None) == (found.type, found.subject, found.value, found.until)
    assert ("github.com/acme/webapp", datetime(2026, 6, 10, 9, 2, tzinfo=UTC)) == (found.owner, found.stated_at)
    assert (NPM,) == found.targets


@pytest.mark.parametrize(
    ("developer", "owner", "expected"),
    [("dana@acme.example", "dana@acme.example", "write/new"), (None, None, "quarantine/owner_unclear")],
)
def test_a_preference_belongs_to_the_developer(
    decide: Callable[..., list[Decision]],
    candidate_of: Callable[..., Candidate],
    developer: str | None,
    owner: str | None,
    expected: str,
) -> None:
    candidate = candidate_of("I always want tests first", "preference", "always want tests first")
    [found] = decide(["I always want tests first"], candidate, developer=developer)
    assert (expected, owner) == (codes([found])[0], found.owner)


def test_every_check_gives_its_verdict_in_order(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    order = [code for code in Code if list(Code).index(code) <= list(Code).index(Code.SUBJECT_MISSING)]
    [found] = decide(
        ["should we use pnpm?"], candidate_of("should we use pnpm", "nonsense", "rm -rf /", importance=1.0)
    )
    assert order == [v.check for v in found.verdicts]
    assert len(order) == len(DISCARDS) + len(QUARANTINES)
    failed = [v.check for v in found.verdicts if v.outcome is Outcome.FAIL]
    assert failed[0] is found.code is Code.TYPE_NOT_ALLOWED
    assert Code.VALUE_INVALID in failed


def test_a_malformed_proposal_keeps_its_place(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    found = decide(["we use pnpm"], Malformed(5, "not an object"), candidate_of("we use pnpm", value="pnpm"))
    assert ["discard/malformed", "write/new"] == codes(found)
    assert "not an object" == found[0].detail


# -- several candidates of one session --------------------------------------------------------------------------------

SAID = [
    "lint with `flake8`, always",
    "A: ok",
    "no: lint with `ruff check`, always",
    "A: ok",
    "lint with `flake8`, always",
]


def lint(candidate_of: Callable[..., Candidate], value: str, turn: str, **changes: Any) -> Candidate:
    return candidate_of(f"lint with `{value}`, always", "lint_command", value, turn=turn, **changes)


def test_the_last_statement_of_a_session_stands(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    first, second = lint(candidate_of, "flake8", "1"), lint(candidate_of, "ruff check", "3")
    assert ["write/new", "discard/superseded_in_session"] == codes(decide(SAID[:3], second, first))


def test_what_is_stated_again_after_another_value_stands(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    candidates = (
        lint(candidate_of, "flake8", "1"),
        lint(candidate_of, "ruff check", "3"),
        lint(candidate_of, "flake8", "5"),
    )
    superseded = "discard/superseded_in_session"
    assert [superseded, superseded, "write/new"] == codes(decide(SAID, *candidates))


def test_of_two_equal_statements_one_is_new_and_the_other_states_it_again(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    """Whatever their order in the list: what was said first is written, what was said later moves its date."""
    turns = ["we always use pnpm", "A: ok", "as I said, we always use pnpm"]
    first, again = (
        candidate_of("we always use pnpm", value="pnpm", turn="1"),
        candidate_of("as I said, we always use pnpm", value="PNPM"),
    )
    assert ["write/new", "reconfirm/same_value"] == codes(decide(turns, first, again))
    assert ["reconfirm/same_value", "write/new"] == codes(decide(turns, again, first))


def test_one_statement_that_two_extractors_propose_is_written_once(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    one = candidate_of("we always use pnpm here", value="pnpm", extractor="cues")
    other = candidate_of("always use pnpm", value="pnpm", extractor="ollama")
    found = codes(decide(["we always use pnpm here"], one, other))
    assert ["reconfirm/same_value", "write/new"] == sorted(found)


def test_values_of_a_multi_type_stand_beside_one_another(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    turns = ["never touch src/a, and never touch src/b", "never edit src/a"]
    found = decide(
        turns,
        candidate_of("never touch src/a", "do_not_edit", "src/a", turn="1"),
        candidate_of("never touch src/b", "do_not_edit", "src/b", turn="1"),
        candidate_of("never edit src/a", "do_not_edit", "src/a/", turn="2"),
    )
    assert ["write/new", "write/additional", "reconfirm/same_value"] == codes(found)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("should we lint with `ruff check`?", "write/new"),
        ("lint with `ruff check` just this once", "write/new"),
        ("until 2026-07-01 lint with `ruff check`", "write/new"),
        ("we always lint with `ruff check` now", "discard/superseded_in_session"),
    ],
)
def test_only_a_statement_supersedes(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate], second: str, expected: str
) -> None:
    until = "2026-07-01" if "until" in second else None
    candidates = (
        lint(candidate_of, "flake8", "1"),
        candidate_of(second, "lint_command", "ruff check", turn="2", until=until),
    )
    assert expected == codes(decide([SAID[0], second], *candidates))[0]


def test_an_assent_supersedes_nothing(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    turns = [SAID[0], "A: `ruff check` is faster. Use it from now on?", "yes, always"]
    found = decide(turns, lint(candidate_of, "flake8", "1"), candidate_of("yes, always", "lint_command", "ruff check"))
    assert ["write/new", "queue/confirmation"] == codes(found)


def test_another_part_of_the_project_is_another_slot(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    turns = ["in the api package we use uv, in web we use pnpm"]
    api = candidate_of("in the api package we use uv", value="uv", subject="api")
    web = candidate_of("in web we use pnpm", value="pnpm", subject="web")
    assert ["write/new", "write/new"] == codes(decide(turns, api, web))


# -- assents ----------------------------------------------------------------------------------------------------------

OFFER = ["hi", "A: Shall I use pnpm for installs from now on?", "yes, always"]


@pytest.mark.parametrize(
    ("known", "expected"),
    [([], "queue/confirmation"), ([NPM], "queue/confirmation"), ([PNPM], "reconfirm/same_value")],
)
def test_an_assent_is_asked_about_whatever_the_slot_holds(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate], known: list[KnownFact], expected: str
) -> None:
    assert [expected] == codes(decide(OFFER, candidate_of("yes, always", value="pnpm"), known=known))


@pytest.mark.parametrize("kind", ["standing", "correction"])
@pytest.mark.parametrize(("known", "expected"), [([], "queue/confirmation"), ([PNPM], "reconfirm/same_value")])
def test_a_chosen_option_is_never_written(
    decide: Callable[..., list[Decision]],
    candidate_of: Callable[..., Candidate],
    kind: str,
    known: list[KnownFact],
    expected: str,
) -> None:
    turns = ["hi", "A: Which one?", (("chosen", "Always use pnpm"),)]
    assert [expected] == codes(decide(turns, candidate_of("Always use pnpm", value="pnpm", kind=kind), known=known))


def test_a_chosen_option_forgets_nothing(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    turns = ["hi", "A: Which one?", (("chosen", "Forget the package manager rule"),)]
    candidate = candidate_of("Forget the package manager rule", kind="forget")
    assert Disposition.FORGET is not decide(turns, candidate, known=[NPM])[0].disposition


# -- forgetting -------------------------------------------------------------------------------------------------------

WEB, API = KnownFact("package_manager", "web", "pnpm", LAST_YEAR), KnownFact("package_manager", "api", "uv", LAST_YEAR)
BAN_A, BAN_B = KnownFact("do_not_edit", "", "src/a", LAST_YEAR), KnownFact("do_not_edit", "", "src/b/", LAST_YEAR)
DATED = KnownFact("package_manager", "web", "npm", LAST_YEAR, until=date(2026, 7, 1))


@pytest.mark.parametrize(
    ("said", "of", "subject", "value", "known", "targets"),
    [
        ("forget the manager rule", "package_manager", "", "", [NPM], [NPM]),
        ("forget the manager rule", "package_manager", "", "", [WEB], [WEB]),
        ("forget the manager rule", "package_manager", "", "", [WEB, API], None),
        ("forget the manager rule", "package_manager", "", "", [NPM, API], None),
        ("forget the manager rule", "package_manager", "", "", [], None),
        ("forget the manager rule for web", "package_manager", "web", "", [WEB, API], [WEB]),
        ("forget the manager rule for web", "package_manager", "", "", [WEB, API], [WEB]),
        ("forget the manager rule for web", "package_manager", "the web package", "", [WEB, API], [WEB]),
        ("forget the manager rule for web", "package_manager", "web", "", [WEB, DATED], [WEB, DATED]),
        ("forget the manager rule for docs", "package_manager", "docs", "", [WEB, API], None),
        ("forget the uv rule", "package_manager", "", "uv", [WEB, API], [API]),
        ("forget the yarn rule", "package_manager", "", "yarn", [WEB, API], None),
        ("forget the ban", "do_not_edit", "", "", [BAN_A], [BAN_A]),
        ("forget the ban", "do_not_edit", "", "", [BAN_A, BAN_B], None),
        ("forget the ban on src/b", "do_not_edit", "", "src/b", [BAN_A, BAN_B], [BAN_B]),
        ("forget the ban on src/c", "do_not_edit", "", "src/c", [BAN_A], None),
    ],
)
def test_a_forget_needs_exactly_one_slot_or_value(
    decide: Callable[..., list[Decision]],
    candidate_of: Callable[..., Candidate],
    said: str,
    of: str,
    subject: str,
    value: str,
    known: list[KnownFact],
    targets: list[KnownFact] | None,
) -> None:
    [found] = decide([said], candidate_of(said, of, value, subject=subject, kind="forget"), known=known)
    if targets is None:
        assert ("queue/forget_unclear", ()) == (codes([found])[0], found.targets)
    else:
        assert ("forget/forgotten", tuple(targets)) == (codes([found])[0], found.targets)


def test_a_forget_takes_back_what_the_session_said_before(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    turns = ["we always use pnpm", "A: ok", "forget the package manager rule"]
    said = candidate_of("we always use pnpm", value="pnpm")
    taken_back = candidate_of("forget the package manager rule", kind="forget")
    assert ["discard/superseded_in_session", "forget/forgotten"] == codes(decide(turns, said, taken_back))


def test_a_forget_takes_back_one_value_of_several(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    turns = ["never touch src/c", "A: ok", "forget the ban on src/c again"]
    said = candidate_of("never touch src/c", "do_not_edit", "src/c")
    taken_back = candidate_of("forget the ban on src/c again", "do_not_edit", "src/c", kind="forget")
    found = decide(turns, said, taken_back, known=[BAN_A])
    assert ["discard/superseded_in_session", "forget/forgotten"] == codes(found)
    assert () == found[1].targets


@pytest.mark.parametrize(
    "turns",
    [
        ["we don't use npm any more, we use bun"],
        ["we no longer use npm. we use bun"],
        ["we use bun", "A: ok", "we no longer use npm, so clean up the lock file"],
        ["we no longer use npm", "A: ok", "we use bun"],
    ],
)
def test_a_replacement_waits_although_the_old_value_was_withdrawn(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate], turns: list[str]
) -> None:
    """The forget gives way: nothing is taken out of memory before a person has seen what takes its place."""
    said = next(turn for turn in turns if "npm" in turn)
    withdrawn = candidate_of(said.partition(",")[0].partition(".")[0], value="npm", kind="forget")
    new = candidate_of("we use bun", value="bun")
    assert ["discard/superseded_in_session", "queue/replacement"] == codes(decide(turns, withdrawn, new, known=[NPM]))


def test_a_withdrawn_value_is_forgotten_where_nothing_takes_its_place(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    withdrawn = candidate_of("we stopped using npm", value="npm", kind="forget")
    assert ["forget/forgotten"] == codes(decide(["we stopped using npm"], withdrawn, known=[NPM]))


def test_a_statement_is_the_same_under_another_topic(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate]
) -> None:
    said = "we always wrap errors"
    one = candidate_of(said, "code_style", said, subject="errors", turn="1")
    other = candidate_of(said, "code_style", said, turn="2")
    both = decide([said, said], one, other)
    assert ["write/new", "reconfirm/same_value"] == codes(both)
    assert ["errors", "errors"] == [decision.subject for decision in both]  # the slot that the first is written to
    [stored] = decide(
        [said], other, known=[KnownFact("code_style", "error handling", "We always wrap errors.", LAST_YEAR)]
    )
    assert ("reconfirm/same_value", "error handling") == (codes([stored])[0], stored.subject)


@pytest.mark.parametrize(
    ("said", "known", "targets"),
    [
        ("it was never src/a, it's src/c that nobody may edit, ever", [BAN_A, BAN_B], (BAN_A,)),
        ("it's src/c that nobody may edit, ever", [BAN_A], (BAN_A,)),
        ("it's src/c that nobody may edit, ever", [BAN_A, BAN_B], ()),
    ],
)
def test_a_correction_aims_at_the_value_that_the_sentence_names(
    decide: Callable[..., list[Decision]],
    candidate_of: Callable[..., Candidate],
    said: str,
    known: list[KnownFact],
    targets: tuple[KnownFact, ...],
) -> None:
    [found] = decide([said], candidate_of(said, "do_not_edit", "src/c", kind="correction"), known=known)
    assert ("queue/correction", targets) == (codes([found])[0], found.targets)


# -- the repository ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locks", "value", "expected"),
    [
        (["pnpm-lock.yaml"], "pnpm", "discard/derivable"),
        (["yarn.lock"], "pnpm", "queue/contradicts_repo"),
        (["yarn.lock", "package-lock.json"], "pnpm", "write/new"),
        (["yarn.lock", "poetry.lock"], "pnpm", "queue/contradicts_repo"),  # a manager of the same ecosystem
        (["poetry.lock"], "pnpm", "write/new"),
        ([], "pnpm", "write/new"),
    ],
)
def test_the_repository_is_asked(
    decide: Callable[..., list[Decision]],
    candidate_of: Callable[..., Candidate],
    tmp_path: Path,
    locks: list[str],
    value: str,
    expected: str,
) -> None:
    for name in locks:
        (tmp_path / name).write_text("", encoding="utf-8")
    candidate = candidate_of(f"we always use {value}", value=value)
    assert [expected] == codes(decide([f"we always use {value}"], candidate, repo=read_repository(tmp_path)))


# -- long texts -------------------------------------------------------------------------------------------------------

PIECES = [".", ". ", "? ", "\n", " ", "- a\n", "` ", "*", "_a ", '"', "\u0301", "\u200b", "a://", "用", "we use npm "]


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_a_long_text_of_anything_is_judged_in_time(
    decide: Callable[..., list[Decision]], candidate_of: Callable[..., Candidate], piece: str
) -> None:
    """A pattern that looked back or ahead without a bound would need hours here."""
    text = piece * (150_000 // len(piece)) + "\n\nwe always use pnpm"
    assert ["write/new"] == codes(decide([text], candidate_of("we always use pnpm", value="pnpm")))


# -- whatever is proposed ---------------------------------------------------------------------------------------------

WORDS = st.lists(
    st.sampled_from(
        "we always use pnpm npm today forget staging goes to main … `make test` reviews for auth Priya src/a until "
        "2026-07-01 ?\n. yes 「 ok \u200b ghp_EXAMPLEexample0123456789 not from now on -".split(" ")
    ),
    max_size=14,
).map(" ".join)


@given(
    turns=st.lists(WORDS, min_size=1, max_size=4),
    objects=st.lists(
        st.fixed_dictionaries(
            {
                "evidence": WORDS,
                "type": st.sampled_from([*load_policy().types, "todo"]),
                "value": WORDS,
                "kind": st.sampled_from(["standing", "one_off", "observed", "inferred", "correction", "forget"]),
            },
            optional={"subject": WORDS, "turn": st.integers(0, 5), "about": WORDS, "until": st.just("2026-07-01")},
        ),
        max_size=4,
    ),
)
def test_whatever_is_proposed_gets_one_decision_with_all_verdicts(
    turns: list[str], objects: list[dict[str, Any]]
) -> None:
    start = datetime(2026, 6, 10, tzinfo=UTC)
    session = Session(
        "s",
        "a",
        "repo",
        tuple(
            Turn(
                str(n),
                Speaker.AGENT if n % 2 else Speaker.DEVELOPER,
                (Segment(Origin.TYPED, text),),
                start + timedelta(minutes=n),
            )
            for n, text in enumerate(turns)
        ),
        developer="d",
        ended=start + timedelta(hours=1),
    )
    candidates = [parse_candidate(obj) for obj in objects]
    decisions = judge(session, candidates, policy=load_policy(), known=[NPM, WEB, BAN_A])
    assert candidates == [d.candidate for d in decisions]
    for found in decisions:
        fails = [v.check for v in found.verdicts if v.outcome is Outcome.FAIL]
        assert (found.disposition in (Disposition.DISCARD, Disposition.QUARANTINE)) is bool(fails)
        if found.evidence and found.code is not Code.SECRET:
            turn = next(t for t in session.turns if t.id == found.evidence.turn)
            assert turn.speaker is Speaker.DEVELOPER
            assert turn.text[found.evidence.start : found.evidence.end] == found.evidence.text or Code.SECRET in fails
