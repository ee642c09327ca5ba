"""History: what we now know was true on a day, how a slot came to be what it is, and how fast slots change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from itertools import groupby
from statistics import median
from typing import Any

from store.facts import fact_of
from store.hands import HandsOf
from store.records import Fact, FactState, iso
from store.slots import SEPARATOR
from store.sql import transactional

NEVER_TRUE = frozenset({FactState.WRONG, FactState.FORGOTTEN})
ENOUGH_CHANGES = 5  # below this many changes a type's rate says nothing
EARLY = 0.2  # a trust window should have run out before all but a fifth of the changes


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the event log."""

    number: int
    happened_at: datetime
    actor: str
    action: str
    fact_id: str | None
    review_id: str | None
    from_state: str | None
    to_state: str | None
    reason: str
    session_key: str | None

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "number": self.number,
            "at": iso(self.happened_at),
            "actor": self.actor,
            "action": self.action,
            "fact": self.fact_id,
            "review": self.review_id,
            "from": self.from_state,
            "to": self.to_state,
            "reason": self.reason,
            "session": self.session_key,
        }


@dataclass(frozen=True, slots=True)
class History:
    """A slot's rows in the order in which they were learned, and everything that happened to them."""

    owner: str
    type: str
    subject: str
    facts: tuple[Fact, ...]
    events: tuple[Event, ...]

    def to_json(self) -> dict[str, Any]:
        """``{"owner", "type", "subject", "facts", "events"}``."""
        return {
            "owner": self.owner,
            "type": self.type,
            "subject": self.subject,
            "facts": [fact.to_json() for fact in self.facts],
            "events": [event.to_json() for event in self.events],
        }


@dataclass(frozen=True, slots=True)
class Volatility:
    """How often a slot's value was replaced, and how long (in days) a value held when it was."""

    owner: str
    type: str
    subject: str
    changes: int
    days_held: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ChangeRate:
    """How fast the facts of a type change: over ``slots`` slots watched for ``days_watched`` days in all.

    ``suggested_trust_days`` is the age by which a fifth of the replaced values had been replaced; None below five
    changes. It is a proposal for the policy's trust window, made from this store only.
    """

    type: str
    slots: int
    changes: int
    days_watched: float
    median_days_held: float | None
    suggested_trust_days: int | None


class HistoryOf(HandsOf):
    """The history's part of an open store; see :class:`store.interface.Past`."""

    @transactional
    def valid_on(self, moment: datetime, *, repo: str | None = None, developer: str | None = None) -> list[Fact]:
        undone = {row["fact_id"] for row in self.sql.rows("undone_facts")}
        facts = self._listed(every=True, repo=repo, developer=developer)
        return [fact for fact in facts if fact.id not in undone and was_true(fact, moment)]

    @transactional
    def history(self, fact_id: str) -> History:
        slot = self._row(fact_id).slot
        place = {"scope": slot.scope, "owner": slot.owner, "type": slot.type, "subject": slot.subject}
        return History(
            slot.owner,
            slot.type,
            slot.subject,
            tuple(fact_of(row) for row in self.sql.rows("facts_of_slot", **place)),
            tuple(Event(**row) for row in self.sql.rows("events_of_slot", slot=slot.key)),
        )

    @transactional
    def volatility(self, repo: str | None = None) -> list[Volatility]:
        found = [
            Volatility(rows[0]["owner"], rows[0]["type"], rows[0]["subject"], len(held := _held(rows)), tuple(held))
            for rows in _by_slot(self.sql.rows("ends_of_rows", repo=repo))
        ]
        return sorted((each for each in found if each.changes), key=lambda each: (-each.changes, each.owner, each.type))

    @transactional
    def change_rates(self, *, now: datetime) -> list[ChangeRate]:
        slots: dict[str, list[list[Mapping[str, Any]]]] = {}
        for rows in _by_slot(self.sql.rows("ends_of_rows", repo=None)):
            slots.setdefault(rows[0]["type"], []).append(rows)
        return [_rate(name, of_type, now) for name, of_type in sorted(slots.items())]


def was_true(fact: Fact, moment: datetime) -> bool:
    """Whether, by what is known now, the fact held at that moment. What was wrong or is forgotten never did."""
    state = FactState(fact.archived_from) if fact.state is FactState.ARCHIVED and fact.archived_from else fact.state
    if state in NEVER_TRUE or moment < fact.valid_from:
        return False
    ends = [fact.superseded_at]
    if state is FactState.RETIRED:
        ends.append(fact.ended_at)
    if fact.valid_until:
        ends.append(datetime.combine(fact.valid_until, time.max, UTC))
    return all(end is None or moment < end for end in ends)


def _by_slot(rows: Iterable[Mapping[str, Any]]) -> Iterable[list[Mapping[str, Any]]]:
    def slot(row: Mapping[str, Any]) -> str:
        return SEPARATOR.join((row["scope"], row["owner"], row["type"], row["subject"]))

    return (list(group) for _, group in groupby(rows, key=slot))


def _held(rows: Iterable[Mapping[str, Any]]) -> list[float]:
    """For each replaced value of a slot, the days it held."""
    return [
        (row["superseded_at"] - row["valid_from"]).total_seconds() / 86400
        for row in rows
        if row["superseded_at"] is not None
    ]


def _rate(name: str, slots: list[list[Mapping[str, Any]]], now: datetime) -> ChangeRate:
    held = sorted(days for rows in slots for days in _held(rows))
    watched = sum((now - min(row["valid_from"] for row in rows)).total_seconds() / 86400 for rows in slots)
    suggested = max(1, round(held[int(EARLY * len(held))])) if len(held) >= ENOUGH_CHANGES else None
    return ChangeRate(name, len(slots), len(held), round(watched, 1), median(held) if held else None, suggested)
