"""Judging a candidate, all checks, against one regular-expression search of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import cycle

from benchmarks.measure import Result, in_turns
from extractors.candidate import Candidate, Kind
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.judge import judge
from validators.verdict import KnownFact

TEXT = (
    "the checkout test is red again on my machine and I think it is the new runner, but before you look at that: "
    "staging moved to preview, so from now on please push there and leave the old branch alone for the sales people"
)
WORDS = "today tonight tomorrow currently temporarily maybe perhaps suppose unless whether would could should might"
PHRASES = ("this time", "for now", "what if", "just once", "i wish", "why do")
PATTERN = re.compile(r"\b(?:" + "|".join([*WORDS.split(), *PHRASES]) + r")\b", re.IGNORECASE)  # any word filter's floor
BATCH = 50


def results() -> Iterator[Result]:
    """One candidate against 30 known facts, each time in a sentence that was not judged before."""
    now = datetime(2026, 6, 10, 9, 30, tzinfo=UTC)
    policy = load_policy()
    sessions = cycle([_session(number, now) for number in range(200)])
    known = [KnownFact("service_fact", f"service {n}", f"service {n} runs on host {n}", now) for n in range(30)]
    candidate = Candidate("staging moved to preview", "deploy_target", Kind.STANDING, "preview", "staging", "1")
    sentence = " ".join(TEXT.split()[:40])

    def ours() -> None:
        for _ in range(BATCH):
            judge(next(sessions), [candidate], policy=policy, known=known)

    def floor() -> None:
        for _ in range(BATCH):
            PATTERN.search(sentence)

    seconds, least = in_turns(ours, floor, 21)
    note = f"{BATCH / seconds:,.0f} candidates per second"
    against = "one `re.search` of a 40-word sentence by a 20-alternative pattern"
    yield Result("judging a candidate, all checks, 30 known facts", against, seconds, least, 60, note)


def _session(number: int, now: datetime) -> Session:
    text = TEXT.replace("new runner", f"runner {number}")
    turn = Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, text),), now)
    return Session(f"s-{number}", "neutral", "github.com/acme/webapp", (turn,), "dana@acme.example", ended=now)
