"""Every example in the cue file is proposed, and no trap is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from extractors.candidate import Candidate
from extractors.cues import CueExtractor
from policy.load import load_policy
from policy.model import Policy
from transcripts.session import Session
from validators.judge import judge

CUES: dict[str, Any] = load_policy().cues
RULES = [(kind, name, table) for kind, cues in CUES["cues"].items() for name, table in cues.items()]
EXAMPLES = [
    pytest.param(kind, example, id=f"{kind}.{name}-{number}")
    for kind, name, table in RULES
    for number, example in enumerate(table.get("examples", []), start=1)
]
TRAPS = [
    pytest.param(kind, text, id=f"{kind}.{name}-{number}")
    for kind, name, table in RULES
    for number, text in enumerate(table.get("traps", []), start=1)
]


def proposed(session: Session, policy: Policy) -> list[Candidate]:
    found = CueExtractor().propose(session, policy=policy).candidates
    return [candidate for candidate in found if isinstance(candidate, Candidate)]


@pytest.mark.parametrize(("kind", "example"), EXAMPLES)
def test_example_is_proposed(
    kind: str, example: dict[str, str], make_session: Callable[..., Session], policy: Policy
) -> None:
    """The stated fact comes out with its value, subject, label and end, in an exact quote."""
    found = proposed(make_session(example["text"]), policy)
    wanted = (example.get("type", kind), example["value"], example.get("kind", "standing"), example.get("until"))
    matching = [
        one
        for one in found
        if (one.type, one.value, one.kind.value, one.until.isoformat() if one.until else None) == wanted
        and ("subject" not in example or one.subject == example["subject"])
    ]
    assert matching, [(one.type, one.subject, one.value, one.kind.value, one.until) for one in found]
    assert matching[0].evidence in example["text"]


@pytest.mark.parametrize(("kind", "text"), TRAPS)
def test_trap_is_not_kept(kind: str, text: str, make_session: Callable[..., Session], policy: Policy) -> None:
    """What only looks like the statement is not proposed, or proposed and refused by the checks."""
    session = make_session(text)
    judged = judge(session, CueExtractor().propose(session, policy=policy).candidates, policy=policy)
    assert [] == [
        (one.value, one.code.value) for one in judged if one.type == kind and one.disposition.value != "discard"
    ]


def test_every_cue_has_an_example() -> None:
    """A pattern without an example is not tested at all."""
    assert [] == [f"{kind}.{name}" for kind, name, table in RULES if not table.get("examples")]


@pytest.mark.parametrize("example", CUES["forgets"]["examples"], ids=lambda example: str(example["text"])[:30])
def test_forget_example(example: dict[str, str], make_session: Callable[..., Session], policy: Policy) -> None:
    """A request to forget names its type and, where it is said, its subject or value."""
    found = [one for one in proposed(make_session(example["text"]), policy) if one.kind.value == "forget"]
    wanted = (example["type"], example["subject"], example.get("value", ""))
    assert [wanted] == [(one.type, one.subject, one.value) for one in found]
    assert found[0].evidence in example["text"]


@pytest.mark.parametrize("text", CUES["forgets"]["traps"]["texts"])
def test_forget_trap(text: str, make_session: Callable[..., Session], policy: Policy) -> None:
    """Everyday requests to drop or remove something are not requests to forget a fact."""
    assert [] == [one.evidence for one in proposed(make_session(text), policy) if one.kind.value == "forget"]


@pytest.mark.parametrize("example", CUES["assents"]["examples"], ids=lambda example: str(example["text"]))
def test_assent_example(example: dict[str, str], make_session: Callable[..., Session], policy: Policy) -> None:
    """An assent quotes the developer and takes its value from what the agent asked."""
    found = proposed(make_session(("agent", example["agent"]), example["text"]), policy)
    wanted = (example["type"], example.get("subject", ""), example["value"], example["text"], "t-2")
    assert wanted in [(one.type, one.subject, one.value, one.evidence, one.turn) for one in found]


@pytest.mark.parametrize("example", CUES["assents"]["traps"], ids=lambda example: str(example["text"]))
def test_assent_trap(example: dict[str, str], make_session: Callable[..., Session], policy: Policy) -> None:
    """A yes for this once, or to something that no word makes a rule, proposes nothing."""
    assert [] == proposed(make_session(("agent", example["agent"]), example["text"]), policy)
