"""Whether an answer is right, and whether two values are one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from afterpass.recall.wording import fold

if TYPE_CHECKING:
    from afterpass.evaluation.lifecycle_cases import Expect, Gold
    from afterpass.recall.memory import Answer
    from policy.model import Policy


class Grade(StrEnum):
    """What an answer is worth. Wrong is what acts, without asking, on a value that is not the expected one."""

    CORRECT = "correct"
    WRONG = "wrong"
    UNKNOWN = "unknown"


def grade(answer: Answer, expect: Expect) -> Grade:
    """Correct is right in value, source, ask_first and, where one is expected, placement."""
    same = same_value(expect.value, answer.value, expect.key)
    if not same and not answer.ask_first:
        return Grade.WRONG
    placed = expect.placement is None or expect.placement == answer.placement
    right = same and expect.source == answer.source and expect.ask_first == answer.ask_first and placed
    return Grade.CORRECT if right else Grade.UNKNOWN


def same_value(expected: str | None, got: str | None, key: str | None = None) -> bool:
    """Whether two values are one. With a key (statement types) it is enough that the phrase stands in the answer."""
    if expected is None or got is None:
        return expected is got
    if key:
        return bare(key) in bare(got)
    return bare(expected) == bare(got)


def bare(text: str) -> str:
    """A value without quotes, back-ticks, case and outer punctuation."""
    return fold(text).replace("`", "").replace('"', "").strip(" .,;:'")


def close_value(policy: Policy, gold: Gold, type_name: str, value: str) -> bool:
    """Whether a proposed or stored value is the gold one; a statement may be cut a little shorter or longer."""
    if not same_kind(policy, gold.type, type_name):
        return False
    one, other = bare(gold.value), bare(value)
    if one == other:
        return True
    return policy.types[gold.type].value == "statement" and bool(one and other) and (one in other or other in one)


def same_kind(policy: Policy, one: str, other: str) -> bool:
    """Whether two types are one, or neighbouring statement types."""
    if one == other:
        return True
    types = policy.types
    return one in types and other in types and types[one].value == types[other].value == "statement"
