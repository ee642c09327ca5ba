"""Two extractors as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from extractors.candidate import Candidate, Kind, Malformed
from extractors.cues import CueExtractor
from extractors.errors import Transient
from extractors.interface import Extraction
from extractors.union import UnionExtractor
from policy.model import Policy
from transcripts.session import Session

SessionMaker = Callable[..., Session]


class Fixed:
    """Proposes what it was given."""

    name = "fixed"
    model: str | None = "m"

    def __init__(self, *candidates: Candidate | Malformed, fails: bool = False) -> None:
        self.candidates = candidates
        self.fails = fails

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        if self.fails:
            raise Transient("ask", "down", "start it")
        return Extraction(self.candidates)


def proposal(evidence: str, type_name: str, value: str, subject: str = "", turn: str = "t-1") -> Candidate:
    return Candidate(evidence, type_name, Kind.INFERRED, value, subject, turn, extractor="fixed")


def union(session: Session, policy: Policy, *candidates: Candidate | Malformed) -> list[tuple[str, str]]:
    found = UnionExtractor(CueExtractor(), Fixed(*candidates)).propose(session, policy=policy).candidates
    return [(one.extractor, one.value if isinstance(one, Candidate) else one.reason) for one in found]


@pytest.mark.parametrize(
    "double",
    [
        proposal("we use pnpm", "package_manager", "pnpm"),
        proposal("btw we use `pnpm` here.", "package_manager", "PNPM"),
        proposal("we use pnpm", "package_manager", "pnpm", subject="js"),
    ],
)
def test_the_exact_one_stands_for_both(double: Candidate, make_session: SessionMaker, policy: Policy) -> None:
    """The same value of the same slot from the same words is judged once, under the exact label."""
    assert [("cues", "pnpm")] == union(make_session("btw we use pnpm here"), policy, double)


@pytest.mark.parametrize(
    "other",
    [
        proposal("we use pnpm", "package_manager", "yarn"),
        proposal("we use pnpm", "decision", "we use pnpm"),
        proposal("we use pnpm", "package_manager", "pnpm", turn="t-2"),
        proposal("fix the flaky login test", "decision", "fix the flaky login test"),
        Malformed({"x": 1}, "evidence is missing", "fixed"),
    ],
)
def test_everything_else_is_judged_too(
    other: Candidate | Malformed, make_session: SessionMaker, policy: Policy
) -> None:
    """Another value, type, turn or stretch of words, and what is malformed."""
    found = union(make_session("fix the flaky login test, btw we use pnpm here", "ok, and now?"), policy, other)
    assert ["cues", "fixed"] == [extractor for extractor, _ in found]


def test_a_statement_in_other_words_of_the_same_quote(make_session: SessionMaker, policy: Policy) -> None:
    """Statement types overlap in meaning: the words decide, not the type's name or the topic."""
    session = make_session("always start method names with 'n_'")
    double = proposal("start method names with 'n_'", "decision", "method names start with 'n_'", "naming")
    assert ["cues"] == [extractor for extractor, _ in union(session, policy, double)]


def test_the_models_failure_is_the_unions(make_session: SessionMaker, policy: Policy) -> None:
    """The session is not half read: nothing of the cues is reported either."""
    with pytest.raises(Transient, match="down"):
        UnionExtractor(CueExtractor(), Fixed(fails=True)).propose(make_session("we use pnpm"), policy=policy)


def test_the_name_says_both() -> None:
    """And the model is the model's."""
    assert ("cues+fixed", "m") == (
        UnionExtractor(CueExtractor(), Fixed()).name,
        UnionExtractor(CueExtractor(), Fixed()).model,
    )
