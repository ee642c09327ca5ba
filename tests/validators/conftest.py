"""Sessions, candidates and views in a line each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from extractors.candidate import Candidate, Kind
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.context import Context
from validators.verdict import KnownFact, Refusal, Tombstone
from validators.view import View

START = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)
SPEAKERS = {"A": Speaker.AGENT, "T": Speaker.TOOL, "S": Speaker.SYSTEM, "D": Speaker.DEVELOPER}
ORIGINS = {"typed": Origin.TYPED, "pasted": Origin.PASTED, "injected": Origin.INJECTED, "chosen": Origin.CHOSEN}

Said = str | tuple[tuple[str, str], ...]


def make_session(*turns: Said, developer: str | None = "dana@acme.example", **changes: Any) -> Session:
    """A session whose turns are a minute apart.

    ``"A: …"`` is an agent's turn (``T``ool, ``S``ystem), ``"W: …"`` a withdrawn one, any other text a developer's typed
    one; a tuple of (origin, text) pairs is a developer's turn in segments.
    """
    made = []
    for number, said in enumerate(turns):
        speaker, withdrawn = Speaker.DEVELOPER, False
        if isinstance(said, tuple):
            segments = tuple(Segment(ORIGINS[origin], text) for origin, text in said)
        else:
            mark, _, rest = said.partition(": ")
            if mark in SPEAKERS or mark == "W":
                speaker, withdrawn, said = SPEAKERS.get(mark, Speaker.DEVELOPER), mark == "W", rest
            segments = (Segment(Origin.TYPED, said),)
        made.append(Turn(str(number + 1), speaker, segments, START + timedelta(minutes=number), withdrawn))
    fields: dict[str, Any] = {"started": START, "ended": START + timedelta(minutes=len(turns)), **changes}
    return Session("s-1", "claude-code", "github.com/acme/webapp", tuple(made), developer=developer, **fields)


def make_candidate(evidence: str, of: str = "package_manager", value: str = "", **changes: Any) -> Candidate:
    """A standing candidate of importance 8."""
    kind = Kind(changes.pop("kind", "standing"))
    until = changes.pop("until", None)
    fields: dict[str, Any] = {"importance": 8.0, "extractor": "test", **changes}
    return Candidate(evidence, of, kind, value, until=date.fromisoformat(until) if until else None, **fields)


def make_known(
    of: str, subject: str, value: str, stated: datetime = START - timedelta(days=90), **more: Any
) -> KnownFact:
    """A fact stated three months before the session."""
    return KnownFact(of, subject, value, stated, **more)


@pytest.fixture(scope="session")
def session_of() -> Callable[..., Session]:
    return make_session


@pytest.fixture(scope="session")
def candidate_of() -> Callable[..., Candidate]:
    return make_candidate


@pytest.fixture(scope="session")
def known_of() -> Callable[..., KnownFact]:
    return make_known


@pytest.fixture(scope="session")
def view_of() -> Callable[..., View]:
    """``view_of(turns, candidate, known=…, tombstones=…, refusals=…, repo=…)``; one text may stand for the turns."""

    def make(
        said: Said | Session | list[Said],
        candidate: Candidate,
        *,
        known: tuple[KnownFact, ...] = (),
        tombstones: tuple[Tombstone, ...] = (),
        refusals: tuple[Refusal, ...] = (),
        repo: Any = None,
    ) -> View:
        session = said if isinstance(said, Session) else make_session(*(said if isinstance(said, list) else [said]))
        return View(candidate, Context(session, load_policy(), known, tombstones, refusals, repo))

    return make
