"""A slot, what was said about it, and how one statement is told from another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from policy.model import FactType
from validators.verdict import fold_value, value_hash

SEPARATOR = "\x1f"
GLOBAL_ID_LENGTH = 16  # shorter turn ids are positions, which say nothing outside their session


@dataclass(frozen=True, slots=True)
class Slot:
    """What a fact is about, with what its type says about it when it is written."""

    owner: str
    scope: str
    type: str
    subject: str
    multi: bool
    stakes: str

    @property
    def key(self) -> str:
        """The slot as one string, for looking it up."""
        return SEPARATOR.join((self.scope, self.owner, self.type, self.subject))

    def active_key(self, value: str, until: date | None) -> str:
        """What no two active rows may share: the slot, with the value where it holds several or for a dated rule."""
        parts = [self.key]
        if self.multi or until:
            parts.append(value_hash(value))
        if until:
            parts.append(until.isoformat())
        return SEPARATOR.join(parts)

    def open_key(self, kind: str, value: str) -> str:
        """What no two open review items may share: slot and kind; with the value where the slot holds several."""
        return SEPARATOR.join((self.key, kind, *((value_hash(value),) if self.multi and value else ())))

    @classmethod
    def of(cls, fact_type: FactType, owner: str, subject: str) -> Slot:
        """The slot of a type under a policy."""
        return cls(owner, fact_type.scope.value, fact_type.name, subject, fact_type.multi, fact_type.stakes.value)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Slot:
        """The slot of a stored fact or review item."""
        return cls(row["owner"], row["scope"], row["type"], row["subject"], row["multi"], row["stakes"])


def owner_of(key: str) -> tuple[str, str]:
    """The scope and the owner of a slot's key."""
    scope, owner, *_ = key.split(SEPARATOR)
    return scope, owner


def same_value(one: str, other: str) -> bool:
    """Whether two values of a slot are one."""
    return fold_value(one) == fold_value(other)


def _second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class Statement:
    """One stretch of one developer turn that says something about a slot.

    ``said_at`` is the turn's own time, ``stated_at`` that or the session's end. ``turn_hash`` is the hash of the whole
    turn, by which a fork's copy of it is known.
    """

    session_key: str
    session: str
    turn: str
    start: int
    end: int
    quote: str
    stated_at: datetime
    said_at: datetime | None
    turn_hash: str
    turn_id: str | None = None
    candidate_id: str | None = None
    developer: str | None = None
    path: str | None = None
    transcript_hash: str | None = None

    def is_same_as(self, other: Statement) -> bool:
        """Whether both are the same words said once: found by two extractors, in a fork, or read again."""
        return self._is_same_turn(other) and self.start < other.end and other.start < self.end

    def _is_same_turn(self, other: Statement) -> bool:
        if self.turn == other.turn and self.session_key == other.session_key:
            return True
        if self.turn_hash != other.turn_hash:
            return False
        if self.said_at is not None and other.said_at is not None and _second(self.said_at) == _second(other.said_at):
            return True  # tools that keep a session once more write its times without fractions
        return self.turn == other.turn and len(self.turn) >= GLOBAL_ID_LENGTH

    def values(self) -> dict[str, Any]:
        """The columns that statements and proposals share."""
        return {
            "session_key": self.session_key,
            "session": self.session,
            "turn": self.turn,
            "start_char": self.start,
            "end_char": self.end,
            "quote": self.quote,
            "stated_at": self.stated_at,
            "said_at": self.said_at,
            "turn_hash": self.turn_hash,
            "turn_id": self.turn_id,
            "candidate_id": self.candidate_id,
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Statement:
        """A stored statement or proposal."""
        return cls(
            session_key=row["session_key"],
            session=row["session"],
            turn=row["turn"],
            start=row["start_char"],
            end=row["end_char"],
            quote=row["quote"],
            stated_at=row["stated_at"],
            said_at=row["said_at"],
            turn_hash=row["turn_hash"],
            turn_id=row["turn_id"],
            candidate_id=row["candidate_id"],
            developer=row.get("developer"),
            path=row.get("path"),
            transcript_hash=row.get("transcript_hash"),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A stored fact as the transitions need it."""

    id: str
    slot: Slot
    value: str
    state: str
    stated_at: datetime
    valid_until: date | None
    confirmed_at: datetime | None
    confirmed_by: str | None
    times_stated: int

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Row:
        """From a query of facts."""
        return cls(
            row["id"],
            Slot.from_row(row),
            row["value"],
            row["state"],
            row["stated_at"],
            row["valid_until"],
            row["confirmed_at"],
            row["confirmed_by"],
            row["times_stated"],
        )
