"""The rows of the store as values, and the JSON shapes that commands print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from policy.model import Policy
from transcripts.session import Session
from validators.verdict import Decision


class SessionState(StrEnum):
    """Where a session stands in the ledger."""

    PENDING = "pending"  # to be read: new, grown, or after a failure that is worth another try
    RUNNING = "running"  # a worker holds a lease on it
    DONE = "done"
    SKIPPED = "skipped"  # holds nothing for us, with a code and a reason
    FAILED = "failed"  # a terminal error or five attempts; waits for a person


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


class Applied(StrEnum):
    """What the store did with one decision."""

    WRITTEN = "written"
    RECONFIRMED = "reconfirmed"
    QUEUED = "queued"
    JOINED = "joined"  # an open item of the slot took the proposal in
    FORGOT = "forgot"
    ALREADY_USED = "already_used"  # this statement supports the slot already: nothing is counted twice
    KEPT = "kept"  # discarded or quarantined: on record, nothing else changed


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A session as it lies on disk. ``key`` is ``agent:native id``, or ``file:path`` for a file that holds no session.

    ``size`` is in bytes, ``mtime_ns`` in nanoseconds; ``fingerprint`` is a hash of the content that was read.
    """

    key: str
    path: str
    size: int
    mtime_ns: int
    fingerprint: str = ""
    agent: str = ""
    native_id: str = ""
    repo: str | None = None
    developer: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None

    @classmethod
    def side_file(cls, path: Path | str, size: int, mtime_ns: int) -> SessionFile:
        """A file that holds no session: skipped, and passed over while it stays as it is."""
        return cls(key=f"file:{path}", path=str(path), size=size, mtime_ns=mtime_ns)


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One session's line in the ledger. Times are aware, seconds are seconds, tokens are counts over all its calls.

    ``last_turn`` and ``turn_count`` say how far the session was read when it was last done: read on after them.
    """

    key: str
    agent: str
    native_id: str
    path: str
    state: SessionState
    repo: str | None = None
    developer: str | None = None
    size: int = 0
    mtime_ns: int = 0
    fingerprint: str = ""
    last_turn: str | None = None
    turn_count: int = 0
    attempts: int = 0
    next_attempt_at: datetime | None = None
    lease_owner: str | None = None
    lease_until: datetime | None = None
    error_step: str | None = None
    error: str | None = None
    error_next: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    model: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    skip_code: str | None = None
    skip_reason: str | None = None
    recorded_at: datetime | None = None
    updated_at: datetime | None = None

    def failure_json(self) -> dict[str, Any]:
        """The shape of one entry of ``run``'s ``failures``."""
        return {
            "session": self.native_id or self.key,
            "path": self.path,
            "step": self.error_step,
            "error": self.error,
            "next": self.error_next,
        }


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of an extractor: what was asked of whom, what it cost, and the raw reply (redacted on its way in)."""

    extractor: str
    model: str = ""
    prompt_version: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    reply: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Landing:
    """Everything that one session's reading came to. It lands as a whole or not at all.

    ``session`` gives the header and the turns that evidence points into; only those turns and the agent turn before
    each are kept. ``last_turn`` and ``turn_count`` are how far was read, over the whole file. ``call_of`` maps the
    position of a decision to the position of the call that proposed it; left out, the call is found by the
    candidate's extractor where that one made a single call. ``worker`` is the holder of the lease; None lands
    without one (a first landing of a session that nobody claimed). ``mark`` is what ``db.mark()`` gave when the known
    facts were read: with it, any change of the decisions' slots since then is seen, not only one that stands in their
    way. It may be left out where reading, judging and landing happen inside one ``connect``.
    """

    session: Session
    file: SessionFile
    decisions: Sequence[Decision]
    policy: Policy
    now: datetime
    last_turn: str | None
    turn_count: int
    calls: Sequence[ModelCall] = ()
    call_of: Mapping[int, int] = field(default_factory=dict)
    transcript_hash: str = ""
    worker: str | None = None
    mark: int | None = None


@dataclass(frozen=True, slots=True)
class LandedDecision:
    """What one decision came to: the ids are those of the rows that it wrote or touched."""

    candidate_id: str
    applied: Applied
    fact_id: str | None = None
    review_id: str | None = None


@dataclass(frozen=True, slots=True)
class Landed:
    """The result of a landing, in the order of its decisions."""

    key: str
    decisions: tuple[LandedDecision, ...]


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
    """Something built on sessions and facts. ``rewrite_at`` is set when something it was built on turned out wrong."""

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


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a forgetting did: the facts it reached, and how many rows were emptied or reworded, by table."""

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


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over sessions. ``summary`` is what the pass reported when it ended; None while it runs."""

    id: str
    kind: str
    worker: str
    started_at: datetime
    finished_at: datetime | None
    summary: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Status:
    """Health at a glance. ``file_bytes`` is the size of the database and its log on disk; None for a server."""

    sessions: Mapping[str, int]
    facts: Mapping[str, int]
    candidates: Mapping[str, int]
    reviews_open: int
    last_pass: Pass | None
    oldest_pending: LedgerRow | None
    input_tokens: int
    output_tokens: int
    file_bytes: int | None
    schema_version: int

    def to_json(self) -> dict[str, Any]:
        """Counts per state and disposition, the queue, the last pass, the oldest pending session, sizes."""
        last, oldest = self.last_pass, self.oldest_pending
        return {
            "sessions": dict(self.sessions),
            "facts": dict(self.facts),
            "candidates": dict(self.candidates),
            "reviews_open": self.reviews_open,
            "last_pass": last
            and {
                "id": last.id,
                "kind": last.kind,
                "started_at": iso(last.started_at),
                "finished_at": iso(last.finished_at),
                "summary": last.summary,
            },
            "oldest_pending": oldest and {**oldest.failure_json(), "since": iso(oldest.recorded_at)},
            "tokens": {"input": self.input_tokens, "output": self.output_tokens},
            "file_bytes": self.file_bytes,
            "schema_version": self.schema_version,
        }


def iso(moment: datetime | None) -> str | None:
    """A time as ISO 8601 in UTC with a Z, or None."""
    if moment is None:
        return None
    from datetime import UTC

    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
