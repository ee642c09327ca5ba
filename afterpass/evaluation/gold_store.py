"""What memory holds at a case's question where everything before it was perfect: reading back measured by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterpass.evaluation.scoring import bare, same_value
from afterpass.recall.memory import Memory, Pending, Remembered
from policy.model import Scope

if TYPE_CHECKING:
    from afterpass.evaluation.lifecycle_cases import CaseSession, Gold, LifecycleCase, Row
    from policy.model import Policy


def gold_memory(case: LifecycleCase, policy: Policy) -> Memory:
    """The case's own last rows with the dates of their statements, and the changes that nobody has decided."""
    final = case.store_after[-1] if case.store_after else ()
    facts = tuple(_remembered(case, row, policy) for row in final)
    waiting = tuple(
        item
        for number, session in enumerate(case.sessions)
        if session.repo == case.repo and case.reviews[number] == "none"
        for gold in session.gold
        if (item := _waiting(case, number, session, gold, policy)) is not None
    )
    return Memory(facts, waiting)


def _remembered(case: LifecycleCase, row: Row, policy: Policy) -> Remembered:
    """A gold row: last stated where its value was last said, confirmed where a person accepted the change to it."""
    stating = [(number, s) for number, s in enumerate(case.sessions) for g in s.gold if _states(g, row)]
    number, session = stating[-1] if stating else (len(case.sessions) - 1, case.sessions[-1])
    first = stating[0][0] if stating else number
    before = case.store_after[first - 1] if first else ()
    fact_type = policy.types[row.type]
    changed = any(
        other.type == row.type and other.subject == row.subject and other.value != row.value and row.until is None
        for other in before
    )
    confirmed = session.ended if changed and not fact_type.multi and case.reviews[first] == "accept" else None
    owner = row.owner or case.repo
    return Remembered(owner, row.type, row.subject, row.value, session.ended, confirmed, row.until, id="gold")


def _states(gold: Gold, row: Row) -> bool:
    return gold.kind != "forget" and gold.type == row.type and bare(gold.value) == bare(row.value)


def _waiting(case: LifecycleCase, number: int, session: CaseSession, gold: Gold, policy: Policy) -> Pending | None:
    """The undecided item that a gold change leaves behind where nobody decides."""
    if gold.kind == "forget" or gold.until is not None or policy.types[gold.type].multi:
        return None
    held = [r for r in case.store_after[number] if r.type == gold.type and bare(r.subject) == bare(gold.subject)]
    held = [row for row in held if row.until is None]
    if not held or any(same_value(gold.value, row.value) for row in held):
        return None
    kind = "correction" if gold.kind == "correction" else "replacement"
    owner = case.repo
    if policy.types[gold.type].scope is Scope.DEVELOPER:
        owner = session.developer or ""
    return Pending(kind, owner, gold.type, held[0].subject, held[0].value, gold.value, stated=session.ended)
