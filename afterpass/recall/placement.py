"""Where a fact is placed on a given day, and what a person should know about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterpass.recall.memory import Pending, Placement, Remembered
from afterpass.recall.wording import fold
from policy.model import PastTrust, Stakes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from policy.model import FactType

# An undecided item of one of these kinds puts the stored value itself in doubt. A confirmation does so where the
# value that the developer said yes to is not the stored one.
DOUBTS = frozenset({"replacement", "correction", "contradicts_repo", "confirmation"})


def holds(fact: Remembered, on: date) -> bool:
    """Whether a fact is in force on a day: a dated rule's last day is its own."""
    return fact.until is None or on <= fact.until


def is_past_trust(fact_type: FactType, fact: Remembered, on: date) -> bool:
    """Whether the fact is older than its type's trust window: strictly more days than the window has."""
    return fact_type.trust_days is not None and fact.age(on) > fact_type.trust_days


def doubts(fact: Remembered, fact_type: FactType, pending: Sequence[Pending], on: date) -> tuple[Pending, ...]:
    """The undecided items that put ``fact`` in doubt: those of its slot, in a multi type those of its value."""
    return tuple(
        item
        for item in pending
        if item.kind in DOUBTS
        and item.owner == fact.owner
        and item.type == fact.type
        and fact_type.canonical_subject(item.subject) == fact_type.canonical_subject(fact.subject)
        and (item.until is None or on <= item.until)
        and fold(item.proposed or "") != fold(fact.value)
        and (not fact_type.multi or item.current is None or fold(item.current) == fold(fact.value))
        and not (fact_type.multi and item.kind == "confirmation")
    )


def place(fact_type: FactType, fact: Remembered, pending: Sequence[Pending], on: date) -> Placement:
    """The placement of one fact, ``pending`` being the items that put it in doubt."""
    if pending:
        return Placement.ASK
    if fact_type.stakes is Stakes.HIGH and fact.confirmed is None:
        return Placement.ASK
    if is_past_trust(fact_type, fact, on):
        return {PastTrust.LOAD: Placement.LOAD, PastTrust.FLAG: Placement.FLAG, PastTrust.ASK: Placement.ASK}[
            fact_type.past_trust
        ]
    return Placement.LOAD


def asks_first(fact_type: FactType, placement: Placement) -> bool:
    """Whether the next session must ask before it acts on a fact that is placed so."""
    return placement is Placement.ASK or fact_type.stakes is Stakes.HIGH


def note_on(fact_type: FactType, fact: Remembered, pending: Sequence[Pending], on: date) -> str:
    """What a person should know: both values of an undecided question, the age past trust, a missing confirmation."""
    said = [describe(item, fact.value) for item in pending]
    if is_past_trust(fact_type, fact, on) and fact_type.past_trust is not PastTrust.LOAD:
        said.append(
            f"last stated or confirmed {fact.last_seen.isoformat()}, {fact.age(on)} days ago; "
            f"facts of this type are trusted for {fact_type.trust_days} days"
        )
    if fact_type.stakes is Stakes.HIGH and fact.confirmed is None:
        said.append(f"stated {fact.stated.date().isoformat()}, never confirmed by a person")
    if fact.until is not None:
        said.append(f"a dated rule, until {fact.until.isoformat()}")
    return "; ".join(said)


def describe(item: Pending, stored: str | None) -> str:
    """An undecided item in a few words that name both values."""
    kind = item.kind.replace("_", " ")
    when = f" ({item.stated.date().isoformat()})" if item.stated else ""
    proposed = f'"{item.proposed}"' if item.proposed else "no new value"
    where = f", review {item.id}" if item.id else ""
    if stored is None:
        return f"an undecided {kind} proposes {proposed}{when}{where}"
    return f'an undecided {kind}: stored "{stored}", proposed {proposed}{when}{where}'
