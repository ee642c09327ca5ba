"""What the checks return and what becomes of a candidate."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from extractors.candidate import Candidate, Malformed


class Disposition(StrEnum):
    """What happens to a candidate."""

    WRITE = "write"
    RECONFIRM = "reconfirm"
    QUEUE = "queue"
    FORGET = "forget"
    QUARANTINE = "quarantine"
    DISCARD = "discard"


class Code(StrEnum):
    """Every reason a decision can have. Discards stand in the order in which they are tested."""

    MALFORMED = "malformed"
    TYPE_NOT_ALLOWED = "type_not_allowed"
    EVIDENCE_NOT_FOUND = "evidence_not_found"
    EVIDENCE_NOT_DEVELOPER = "evidence_not_developer"
    SECRET = "secret"  # noqa: S105 - a reason code, not a credential
    VALUE_INVALID = "value_invalid"
    VALUE_NOT_IN_EVIDENCE = "value_not_in_evidence"
    OTHER_OWNER = "other_owner"
    KIND_ONE_OFF = "kind_one_off"
    KIND_OBSERVED = "kind_observed"
    KIND_INFERRED = "kind_inferred"
    ONE_OFF_CUE = "one_off_cue"
    NOT_ASSERTED = "not_asserted"
    EXPIRED = "expired"
    SUPERSEDED_IN_SESSION = "superseded_in_session"
    OLDER_THAN_CURRENT = "older_than_current"
    FORGOTTEN_BEFORE = "forgotten_before"
    REFUSED_BEFORE = "refused_before"
    DERIVABLE = "derivable"
    BELOW_IMPORTANCE = "below_importance"
    OWNER_UNCLEAR = "owner_unclear"
    SUBJECT_MISSING = "subject_missing"
    FORGOTTEN = "forgotten"
    FORGET_UNCLEAR = "forget_unclear"
    CONTRADICTS_REPO = "contradicts_repo"
    CONFIRMATION = "confirmation"
    CORRECTION = "correction"
    REPLACEMENT = "replacement"
    SAME_VALUE = "same_value"
    NEW = "new"
    ADDITIONAL = "additional"
    TEMPORARY = "temporary"


class Outcome(StrEnum):
    """How one check sees one candidate."""

    PASS = "pass"  # noqa: S105 - an outcome, not a credential
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"  # an earlier finding leaves nothing to look at


class Verdict(NamedTuple):
    """One check's finding. ``detail`` says in a few words what it saw; it never holds a credential."""

    check: Code
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the quote stands: the turn's id and the half-open span [start, end) of characters in the turn's text."""

    turn: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class KnownFact:
    """An active fact of the session's owner, as the checks need it. ``until`` is set for a dated rule."""

    type: str
    subject: str
    value: str
    stated: datetime
    confirmed: datetime | None = None
    until: date | None = None
    id: str | None = None


def fold_value(value: str) -> str:
    """A value as it is compared with another of its slot: NFKC, case folded, white space collapsed."""
    import unicodedata

    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def value_hash(value: str) -> str:
    """What a tombstone of a multi-valued type carries: SHA-256 of the folded value, hexadecimal."""
    import hashlib

    return hashlib.sha256(fold_value(value).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A fact of this slot was forgotten then. ``value_hash`` (of :func:`value_hash`) is set for multi-valued types."""

    type: str
    subject: str
    at: datetime
    value_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reviewer refused this value for this slot then."""

    type: str
    subject: str
    value: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one candidate, with every check's verdict.

    ``type``, ``subject``, ``value`` and ``until`` are final: set by code, aliases resolved, subject filled.
    ``stated_at`` is when the developer said it (the turn's time, else the session's end), never when it was read.
    ``targets`` are the known facts that the decision is about: the one reconfirmed, replaced, corrected or forgotten.
    ``owner`` is the repository, or the developer for types of developer scope; None where it is not known.
    ``confirms``: a restatement that is the developer's yes to a question which quoted the value.
    """

    disposition: Disposition
    code: Code
    detail: str
    candidate: Candidate | Malformed
    verdicts: tuple[Verdict, ...] = ()
    evidence: Evidence | None = None
    type: str = ""
    subject: str = ""
    value: str = ""
    until: date | None = None
    owner: str | None = None
    stated_at: datetime | None = None
    targets: tuple[KnownFact, ...] = field(default=())
    confirms: bool = False
