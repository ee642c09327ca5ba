"""What reading back looks at: facts, undecided questions, and the one question that is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from store.raised import only_by_files

if TYPE_CHECKING:
    from store.records import Fact, Review


class Source(StrEnum):
    """Where an answer comes from, the strongest first."""

    REQUEST = "request"
    REPO = "repo"
    MEMORY = "memory"
    NONE = "none"


class Placement(StrEnum):
    """What the next session may do with a fact: use it, use it and say how old it is, or ask before using it."""

    LOAD = "load"
    FLAG = "flag"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Remembered:
    """An active fact. ``stated`` is the last statement of a developer, ``confirmed`` the last act of a person.

    ``first_stated`` is the first one, where there were several. ``until`` is the last day of a dated rule. ``owner`` is
    a repository, or a developer for types of developer scope.
    """

    owner: str
    type: str
    subject: str
    value: str
    stated: datetime
    confirmed: datetime | None = None
    until: date | None = None
    id: str | None = None
    times: int = 1
    said_by: str | None = None
    first_stated: datetime | None = None

    @property
    def last_seen(self) -> date:
        """The day (UTC) from which the age of the fact runs: the later of last stated and last confirmed."""
        latest = self.stated if self.confirmed is None else max(self.stated, self.confirmed)
        return (latest.astimezone(UTC) if latest.tzinfo else latest).date()

    def age(self, on: date) -> int:
        """Whole days since ``last_seen``; a fact from a clock that runs ahead is new, not negative."""
        return max((on - self.last_seen).days, 0)


@dataclass(frozen=True, slots=True)
class Pending:
    """An undecided question about a slot. ``current`` is the value it was made against, None where there was none.

    ``by_files`` is whether nobody but the repository's own files raised it.
    """

    kind: str
    owner: str
    type: str
    subject: str
    current: str | None
    proposed: str | None
    until: date | None = None
    stated: datetime | None = None
    id: str | None = None
    by_files: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """Everything that may be read back for a repository and a developer."""

    facts: tuple[Remembered, ...] = ()
    pending: tuple[Pending, ...] = ()

    def said_by(self, moment: datetime) -> Memory:
        """What of it had been said by then. A fact that was said again later is as old as its first statement."""
        facts = (
            fact if fact.stated <= moment else replace(fact, stated=fact.first_stated or fact.stated)
            for fact in self.facts
        )
        return Memory(
            tuple(fact for fact in facts if fact.stated <= moment),
            tuple(item for item in self.pending if item.stated is None or item.stated <= moment),
        )


@dataclass(frozen=True, slots=True)
class Question:
    """One question. ``subject`` None means that nobody named one: then the request's own words may.

    ``by_model`` says that a model wrote the request: then it cannot state what has to be asked about.
    """

    type: str
    subject: str | None = None
    request: str = ""
    repo: str = ""
    developer: str | None = None
    on: date = date.max
    by_model: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. ``fact`` is the id of the fact it rests on, ``facts`` all ids where several values were joined.

    ``age_days`` runs from the last statement or confirmation. ``note`` says in a sentence what a person should know.
    """

    value: str | None
    source: Source
    ask_first: bool
    placement: Placement | None = None
    fact: str | None = None
    age_days: int | None = None
    note: str = ""
    facts: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """``{"value", "source", "ask_first", "placement", "fact", "age_days", "note", "facts"}``."""
        return {
            "value": self.value,
            "source": self.source.value,
            "ask_first": self.ask_first,
            "placement": self.placement.value if self.placement else None,
            "fact": self.fact,
            "age_days": self.age_days,
            "note": self.note,
            "facts": list(self.facts),
        }


def remembered(fact: Fact) -> Remembered:
    """A row of the store as reading back sees it."""
    return Remembered(
        owner=fact.owner,
        type=fact.type,
        subject=fact.subject,
        value=fact.value,
        stated=fact.stated_at,
        confirmed=fact.confirmed_at,
        until=fact.valid_until,
        id=fact.id,
        times=fact.times_stated,
        said_by=fact.developer,
        first_stated=fact.valid_from,
    )


def pending(review: Review) -> Pending:
    """An open review item as reading back sees it."""
    newest = review.proposals[0].stated_at if review.proposals else None
    return Pending(
        kind=review.kind.value,
        owner=review.owner,
        type=review.type,
        subject=review.subject,
        current=review.current,
        proposed=review.proposed,
        until=review.until,
        stated=newest,
        id=review.id,
        by_files=only_by_files(review),
    )
