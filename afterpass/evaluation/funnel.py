"""How far every gold fact came, step by step, and what was let in that no gold fact says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from afterpass.evaluation.scoring import Grade, bare, close_value, same_kind, same_value
from afterpass.recall.wording import same_subject
from extractors.candidate import Kind
from validators.verdict import Disposition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from afterpass.evaluation.lifecycle_cases import Gold, LifecycleCase, Row
    from afterpass.evaluation.play import Life, Played
    from policy.model import Policy
    from validators.verdict import Decision

ACTING = frozenset({Disposition.WRITE, Disposition.RECONFIRM, Disposition.QUEUE, Disposition.FORGET})


class Step(StrEnum):
    """The way of a gold fact, in order."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    STORED = "stored"
    LOADED = "loaded"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class Way:
    """How far one gold fact came. ``asked`` is True where the case's question is about its slot."""

    gold: Gold
    session: str
    asked: bool
    reached: frozenset[Step]

    @property
    def lost_at(self) -> Step | None:
        """The first step that it did not reach."""
        return next((step for step in Step if step not in self.reached), None)


def ways(life: Life, policy: Policy, verdict: Grade) -> list[Way]:
    """How far every gold fact of the case came."""
    return [
        _way(life, number, played, gold, policy, verdict)
        for number, played in enumerate(life.played)
        for gold in played.session.gold
    ]


def _way(life: Life, number: int, played: Played, gold: Gold, policy: Policy, verdict: Grade) -> Way:
    case = life.case
    asked = is_asked(case, gold, policy) and played.session.repo == case.repo
    proposing = [decision for decision in played.decisions if proposes(policy, gold, decision)]
    accepting = [decision for decision in proposing if decision.disposition in ACTING]
    reached = {Step.PROPOSED} if proposing else set()
    if accepting:
        reached.add(Step.ACCEPTED)
        queued = accepting[0].disposition is Disposition.QUEUE
        if queued and case.reviews[number] != "accept":
            reached |= {Step.STORED} if _slot_agrees(life, number, gold, policy) else set()
        elif _slot_agrees(life, number, gold, policy):
            reached.add(Step.STORED)
    if Step.STORED in reached and _loads(life, gold, policy):
        reached.add(Step.LOADED)
    if Step.LOADED in reached and (verdict is Grade.CORRECT or not asked):
        reached.add(Step.ANSWERED)
    return Way(gold, played.session.id, asked, frozenset(reached))


def is_asked(case: LifecycleCase, gold: Gold, policy: Policy) -> bool:
    """Whether a gold fact is of the slot that the case asks about."""
    if not same_kind(policy, gold.type, case.ask.type):
        return False
    fact_type = policy.types[case.ask.type]
    return (
        fact_type.multi
        or not case.ask.subject
        or not gold.subject
        or same_subject(fact_type, gold.subject, case.ask.subject)
    )


def proposes(policy: Policy, gold: Gold, decision: Decision) -> bool:
    """Whether a decision is about a candidate that says what the gold says."""
    kind = getattr(decision.candidate, "kind", None)
    if gold.kind == "forget":
        return kind is Kind.FORGET and decision.type == gold.type
    value = decision.value or getattr(decision.candidate, "value", "")
    return kind is not Kind.FORGET and close_value(policy, gold, decision.type, value)


def _slot_agrees(life: Life, number: int, gold: Gold, policy: Policy) -> bool:
    """Whether the gold fact's slot holds after session ``number`` what the case says it should."""
    case, session = life.case, life.case.sessions[number]
    if not case.store_after or session.repo != case.repo:
        return True
    day = session.ended.date()
    found = [(f.type, f.value) for f in life.played[number].facts if f.valid_until is None or day <= f.valid_until]
    return _agrees(policy, gold, case.store_after[number], found)


def _loads(life: Life, gold: Gold, policy: Policy) -> bool:
    """Whether the gold fact's slot holds at the question what the case says it should."""
    case = life.case
    if not case.store_after:
        return True
    on = case.ask.on
    rows = [row for row in case.store_after[-1] if row.until is None or on <= row.until]
    return _agrees(
        policy, gold, rows, [(f.type, f.value) for f in life.memory.facts if f.until is None or on <= f.until]
    )


def _agrees(policy: Policy, gold: Gold, rows: Iterable[Row], found: list[tuple[str, str]]) -> bool:
    """Whether every expected row of the gold's slot is among the found ones, and a forgotten value is not."""
    of_slot = [row for row in rows if row.type == gold.type and bare(row.subject) == bare(gold.subject)]
    there = all(any(_is_row(policy, row, type_name, value) for type_name, value in found) for row in of_slot)
    gone = gold.kind != "forget" or not gold.value or any(same_value(gold.value, row.value) for row in of_slot)
    return there and (gone or not any(same_value(gold.value, value) for _, value in found))


def _is_row(policy: Policy, row: Row, type_name: str, value: str) -> bool:
    one, other = bare(row.value), bare(value)
    loose = policy.types[row.type].value == "statement" and (one in other or other in one)
    return same_kind(policy, row.type, type_name) and (one == other or loose)


def let_in(life: Life, policy: Policy) -> list[Decision]:
    """What was written or queued although no gold fact of its session says so."""
    return [
        decision
        for played in life.played
        for decision in played.decisions
        if decision.disposition in ACTING and not any(proposes(policy, gold, decision) for gold in played.session.gold)
    ]
