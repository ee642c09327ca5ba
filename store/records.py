"""The rows of the store as values, and the JSON shapes that commands print. Those of sessions are in ``sittings``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from store.raised import raised_by
from store.sittings import (
    Applied,
    Landed,
    LandedDecision,
    Landing,
    LedgerRow,
    ModelCall,
    Pass,
    SessionFile,
    SessionState,
    Status,
    iso,
)

__all__ = [
    "Applied",
    "CandidateRow",
    "Fact",
    "FactState",
    "Forgotten",
    "Landed",
    "LandedDecision",
    "Landing",
    "LedgerRow",
    "ModelCall",
    "Note",
    "Pass",
    "Proposal",
    "Review",
    "ReviewKind",
    "ReviewState",
    "SessionFile",
    "SessionState",
    "Status",
    "StoredEvidence",
    "Upkeep",
    "iso",
]


class FactState(StrEnum):
    """Whether a fact is loaded, and if not, why."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"  # true once; its successor is named
    WRONG = "wrong"  # never was true
    RETIRED = "retired"  # a person took it out of use, or a decision that made it was undone
    FORGOTTEN = "forgotten"
    EXPIRED = "expired"  # a dated rule whose last day has passed
    ARCHIVED = "archived"


class ReviewKind(StrEnum):
    """What a person is asked."""

    REPLACEMENT = "replacement"
    CORRECTION = "correction"
    CONFIRMATION = "confirmation"
    CONTRADICTS_REPO = "contradicts_repo"
    FORGET_UNCLEAR = "forget_unclear"
    PROCEDURE = "procedure"


class ReviewState(StrEnum):
    """Where a question stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    EXPIRED = "expired"  # nobody decided in time, or its slot was forgotten


@dataclass(frozen=True, slots=True)
class StoredEvidence:
    """The pointer back. ``start`` and ``end`` are offsets into the turn's text as it was said.

    ``turn_text`` and ``before_text`` (the agent turn before) are kept redacted, because agents delete transcripts.
    """

    session: str
    session_key: str
    turn: str
    start: int
    end: int
    text: str
    said_at: datetime | None = None
    path: str | None = None
    transcript_hash: str | None = None
    turn_text: str | None = None
    before_text: str | None = None

    def to_json(self) -> dict[str, Any]:
        """``{"session", "turn", "start", "end", "text"}`` and the pointer to the file."""
        return {
            "session": self.session,
            "turn": self.turn,
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "time": iso(self.said_at),
            "path": self.path,
        }


@dataclass(frozen=True, slots=True)
class Fact:
    """One row that is or was believed. ``times_stated`` counts distinct statements of developers.

    ``rewrite_at`` is set when something that the fact was built on turned out wrong; ``archived_from`` is the state of
    an archived one before.
    """

    id: str
    owner: str
    scope: str
    type: str
    subject: str
    value: str
    state: FactState
    multi: bool
    stakes: str
    stated_at: datetime
    recorded_at: datetime
    valid_from: datetime
    valid_until: date | None
    ended_at: datetime | None
    superseded_at: datetime | None
    superseded_by: str | None
    confirmed_at: datetime | None
    confirmed_by: str | None
    times_stated: int
    derived_from: tuple[str, ...]
    developer: str | None
    evidence: StoredEvidence | None
    rewrite_at: datetime | None = None
    archived_from: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The shape of one entry of ``facts``."""
        return {
            "id": self.id,
            "owner": self.owner,
            "scope": self.scope,
            "type": self.type,
            "subject": self.subject,
            "value": self.value,
            "state": self.state.value,
            "stakes": self.stakes,
            "stated_at": iso(self.stated_at),
            "recorded_at": iso(self.recorded_at),
            "confirmed_at": iso(self.confirmed_at),
            "valid_from": iso(self.valid_from),
            "valid_until": self.valid_until.isoformat() if self.valid_until else None,
            "ended_at": iso(self.ended_at),
            "superseded_at": iso(self.superseded_at),
            "superseded_by": self.superseded_by,
            "times_stated": self.times_stated,
            "derived_from": list(self.derived_from),
            "developer": self.developer,
            "evidence": self.evidence.to_json() if self.evidence else None,
        }


@dataclass(frozen=True, slots=True)
class Note:
    """Something built on sessions and facts. ``rewrite_at`` is set when something it was built on turned out wrong.

    A session's note has ``outcome``, ``files`` and ``importance``, and the ``developer`` whose session it was.
    ``happened_at`` is when the session ended.
    """

    id: str
    kind: str
    owner: str
    scope: str
    session_key: str | None
    text: str
    embedding: tuple[float, ...] | None
    embedding_model: str | None
    derived_from: tuple[str, ...]
    happened_at: datetime
    recorded_at: datetime
    rewrite_at: datetime | None
    developer: str | None = None
    outcome: str | None = None
    files: tuple[str, ...] = ()
    importance: int | None = None

    @property
    def session(self) -> str | None:
        """The agent's own id of the session that it tells of."""
        return self.session_key.partition(":")[2] if self.session_key else None

    def to_json(self) -> dict[str, Any]:
        """The note without its embedding."""
        return {
            "id": self.id,
            "session": self.session,
            "said_at": iso(self.happened_at),
            "note": self.text,
            "outcome": self.outcome,
            "files": list(self.files),
            "importance": self.importance,
            "embedding_model": self.embedding_model,
        }


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a forgetting did: the facts (or the note) it reached, and how many rows it emptied or reworded, by table."""

    facts: tuple[str, ...]
    erased: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What an upkeep did, or would do. ``compact`` is whether the file is to be written anew."""

    expired: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    reviews: tuple[str, ...] = ()
    replies: int = 0
    turns: tuple[str, ...] = ()
    recalls: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    compact: bool = False

    def to_json(self) -> dict[str, Any]:
        """Ids and counts by what was done."""
        return {
            "expired": list(self.expired),
            "archived": list(self.archived),
            "erased": list(self.erased),
            "reviews_expired": list(self.reviews),
            "replies_emptied": self.replies,
            "turns_deleted": len(self.turns),
            "recalls_deleted": len(self.recalls),
            "notes_deleted": len(self.notes),
            "compact": self.compact,
        }


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposal inside a review item, with the statement that made it."""

    value: str
    stated_at: datetime
    recorded_at: datetime
    candidate_id: str | None
    evidence: StoredEvidence | None

    def to_json(self) -> dict[str, Any]:
        """``{"value", "stated_at", "evidence"}``."""
        return {
            "value": self.value,
            "stated_at": iso(self.stated_at),
            "evidence": self.evidence.to_json() if self.evidence else None,
        }


@dataclass(frozen=True, slots=True)
class Review:
    """One question for a person. ``current`` is the stored value it was made against, ``proposed`` the newest proposal.

    ``stale`` is True where the fact has changed since: such an item can be refused, never accepted. ``now`` is what the
    slot holds at present. ``base`` is the current fact with its own evidence; ``proposals`` are all that joined, the
    newest first.
    """

    id: str
    kind: ReviewKind
    owner: str
    scope: str
    type: str
    subject: str
    current: str | None
    proposed: str | None
    until: date | None
    state: ReviewState
    stale: bool
    now: str | None
    multi: bool
    stakes: str
    detail: str
    opened_at: datetime
    updated_at: datetime
    snoozed_until: datetime | None
    decided_at: datetime | None
    decided_by: str | None
    decided_value: str | None
    reason: str | None
    base: Fact | None
    result_fact: str | None
    proposals: tuple[Proposal, ...]
    refusals: int = 0

    @property
    def evidence(self) -> StoredEvidence | None:
        """The newest proposal's evidence."""
        return self.proposals[0].evidence if self.proposals else None

    def to_json(self) -> dict[str, Any]:
        """The shape of one entry of ``review``."""
        return {
            "id": self.id,
            "kind": self.kind.value,
            "owner": self.owner,
            "type": self.type,
            "subject": self.subject,
            "current": self.current,
            "proposed": self.proposed,
            "until": self.until.isoformat() if self.until else None,
            "evidence": self.evidence.to_json() if self.evidence else None,
            "raised_by": raised_by(self).value,
            "state": self.state.value,
            "stale": self.stale,
            "now": self.now,
            "detail": self.detail,
            "current_fact": self.base.to_json() if self.base else None,
            "proposals": [proposal.to_json() for proposal in self.proposals],
            "opened_at": iso(self.opened_at),
            "snoozed_until": iso(self.snoozed_until),
            "decided_at": iso(self.decided_at),
            "decided_by": self.decided_by,
            "decided_value": self.decided_value,
            "reason": self.reason,
            "fact": self.result_fact,
            "refused_before": self.refusals,
        }


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One stored proposal with everything that was decided about it. ``raw`` is the proposed object, redacted."""

    id: str
    session: str
    session_key: str
    path: str | None
    position: int
    extractor: str
    model: str | None
    prompt_version: str | None
    policy_version: str
    raw: Any
    owner: str | None
    type: str
    subject: str
    value: str
    kind: str
    until: date | None
    stated_at: datetime | None
    evidence: StoredEvidence | None
    quote: str
    disposition: str
    code: str
    detail: str
    verdicts: tuple[Mapping[str, str], ...]
    applied: Applied
    fact_id: str | None
    review_id: str | None
    recorded_at: datetime

    def to_json(self) -> dict[str, Any]:
        """The shape of one entry of ``rejected`` (and of ``explain``'s candidates)."""
        evidence = self.evidence.to_json() if self.evidence else {"session": self.session, "text": self.quote}
        return {
            "id": self.id,
            "session": self.session,
            "owner": self.owner,
            "type": self.type,
            "subject": self.subject,
            "value": self.value,
            "kind": self.kind,
            "evidence": evidence,
            "disposition": self.disposition,
            "code": self.code,
            "detail": self.detail,
            "verdicts": [dict(verdict) for verdict in self.verdicts],
            "extractor": self.extractor,
            "at": iso(self.recorded_at),
            "stated_at": iso(self.stated_at),
            "applied": self.applied.value,
            "fact": self.fact_id,
            "review": self.review_id,
            "raw": self.raw,
        }
