"""What a developer's message comes to: what of it is written, what is refused, and under which code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from extractors.cues import CueExtractor
from policy.model import Policy, SubjectRule
from transcripts.session import Session
from validators.judge import judge

TABLE = Path(__file__).parent / "cases" / "messages.txt"


class Message(NamedTuple):
    """A message and the decisions on it, each (code, type, subject, value)."""

    text: str
    decisions: list[tuple[str, str, str, str]]


def messages() -> Iterator[Message]:
    said: Message | None = None
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("    ") and said:
            code, kind, subject, value = (cell.strip() for cell in f"{line} ".split("|", 3))
            said.decisions.append((code, kind, subject, value))
        elif line and not line.startswith("#"):
            if said:
                yield said
            said = Message(line, [])
    if said:
        yield said


@pytest.mark.parametrize("message", list(messages()), ids=lambda message: message.text[:50])
def test_a_message_comes_to_these_decisions(
    message: Message, make_session: Callable[..., Session], policy: Policy
) -> None:
    """Every proposal is in the table, and everything in the table is proposed."""
    session = make_session(message.text)
    found = []
    for one in judge(session, CueExtractor().propose(session, policy=policy).candidates, policy=policy):
        named = one.disposition.value != "discard" and policy.types[one.type].subject is not SubjectRule.TOPIC
        found.append((one.code.value, one.type, one.subject if named else "", one.value))
    assert message.decisions == found


def test_half_of_the_messages_hold_nothing() -> None:
    """A table of rules alone would not show what is let through."""
    nothing = [one for one in messages() if not any(code in {"new", "temporary"} for code, *_ in one.decisions)]
    assert len(nothing) * 2 >= sum(1 for _ in messages()) >= 150
