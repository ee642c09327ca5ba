"""Sessions in a line, for tests that look at what is proposed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from policy.load import load_policy
from policy.model import Policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn

SAID = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)  # a Monday

SessionMaker = Callable[..., Session]


@pytest.fixture(scope="session")
def policy() -> Policy:
    """The shipped policy."""
    return load_policy()


@pytest.fixture(scope="session")
def make_session() -> SessionMaker:
    """``make_session(…)`` takes developer texts, (speaker, text) pairs, and lists of (origin, text) pairs."""

    def one(number: int, said: str | tuple[str, str] | list[tuple[str, str]]) -> Turn:
        if isinstance(said, list):
            segments = tuple(Segment(Origin(origin), text) for origin, text in said)
            return Turn(f"t-{number}", Speaker.DEVELOPER, segments, time=SAID)
        speaker, text = ("developer", said) if isinstance(said, str) else said
        return Turn(f"t-{number}", Speaker(speaker), (Segment(Origin.TYPED, text),), time=SAID)

    def make(*turns: str | tuple[str, str] | list[tuple[str, str]], repo: str = "github.com/acme/webapp") -> Session:
        said = tuple(one(number, turn) for number, turn in enumerate(turns, start=1))
        return Session("s-1", "neutral", repo, said, developer="dana@acme.example", ended=SAID)

    return make
