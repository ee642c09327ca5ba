"""A candidate: one proposal of an extractor, "this may be a durable fact"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The extractor's own label. Weak on purpose: code may overrule it on explicit words."""

    STANDING = "standing"
    ONE_OFF = "one_off"
    OBSERVED = "observed"
    INFERRED = "inferred"
    CORRECTION = "correction"
    FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A well-formed proposal. ``about`` is ``this`` or the repository, team or person that the statement is about.

    ``raw`` is the object as it was proposed, kept for the log. ``extractor`` names who proposed it.
    """

    evidence: str
    type: str
    kind: Kind
    value: str = ""
    subject: str = ""
    turn: str | None = None
    about: str = "this"
    until: date | None = None
    importance: float | None = None
    extractor: str = ""
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """A proposal that is not usable. The raw text is kept and shown to operators."""

    raw: Any
    reason: str
    extractor: str = ""
