"""Which facts matter for a task: the kinds of work that it is, and the words that it shares with a fact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from afterpass.recall.paths import touches
from afterpass.recall.wording import names_subject, stems
from policy.model import Scope

if TYPE_CHECKING:
    from afterpass.recall.memory import Remembered
    from policy.model import FactType, Policy

SMALL_TALK = re.compile(
    r"\W*(?:(?:ok|okay|thanks?|thank you|thx|ty|great|nice|cool|perfect|good|yes|yep|no|nope|sure|hi|hello|hey|bye|lgtm"
    r"|done|go on|go ahead|continue|please|pls)\W*)*",
    re.IGNORECASE,
)

SHARED, NAMED, FIT, TOUCHED = 1, 4, 2, 8
FLOOR = 2
"""The least score that is shown. Nothing relevant gives nothing."""


def asks_for_something(task: str) -> bool:
    """Whether there is anything to ask memory for: "ok, thanks" needs none."""
    return not SMALL_TALK.fullmatch(task)


def types_for(task: str, policy: Policy) -> frozenset[str]:
    """The fact types that a task needs, by the kinds of work that it is; it may be several at once, or none."""
    return frozenset(
        name for kind in policy.tasks.values() if kind.fits(task) for name in kind.types if name in policy.types
    )


def score(fact_type: FactType, fact: Remembered, task: str, wanted: frozenset[str]) -> int:
    """How much a fact matters for a task; below FLOOR it is not shown. Preferences always matter: they are few."""
    if fact_type.scope is Scope.DEVELOPER:
        return NAMED
    points = FIT if fact_type.name in wanted else 0
    said = set(stems(task))
    if fact.subject:
        points += NAMED if is_named(fact_type, fact, task) else 0
        points += SHARED * len(said & set(stems(fact.subject)))
    if fact_type.value == "path":
        return points + (TOUCHED if touches(task, fact.value) else 0)
    if fact_type.value == "statement":
        points += SHARED * len(said & set(stems(fact.value)))
    return points


def is_named(fact_type: FactType, fact: Remembered, task: str) -> bool:
    """Whether a task names the fact's subject, under any of its names."""
    names = {fact.subject, *(name for group in fact_type.aliases if fact.subject in group for name in group)}
    return any(names_subject(name, task) for name in names if name)
