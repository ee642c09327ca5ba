"""The rows of the ledger and of a landing as values: sessions, how they are read, and what reading them came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy.model import Policy
from transcripts.session import Session
from validators.verdict import Decision

if TYPE_CHECKING:
    from extractors.note import SessionNote  # what only reads needs no model's way of asking


class SessionState(StrEnum):
    """Where a session stands in the ledger."""

    PENDING = "pending"  # to be read: new, grown, or after a failure that is worth another try
    RUNNING = "running"  # a worker holds a lease on it
    DONE = "done"
    SKIPPED = "skipped"  # holds nothing for us, with a code and a reason
    FAILED = "failed"  # a terminal error or five attempts; waits for a person


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

    @classmethod
    def of(
        cls, session: Session, *, fingerprint: str, path: str | None = None, size: int = 0, mtime_ns: int = 0
    ) -> SessionFile:
        """The file of a session that was read. Without a ``path`` it lies in none: its key stands in that place."""
        key = f"{session.agent}:{session.id}"
        return cls(
            key=key,
            path=path or key,
            size=size,
            mtime_ns=mtime_ns,
            fingerprint=fingerprint,
            agent=session.agent,
            native_id=session.id,
            repo=session.repo,
            developer=session.developer,
            started_at=session.started,
            ended_at=session.ended,
        )


RETRY = "afterpass run --retry-failed"


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One session's line in the ledger. Times are aware, seconds are seconds, tokens are counts over all its calls.

    ``last_turn`` and ``turn_count`` say how far the session was read when it was last done: read on after them.
    ``note_problem`` is why there is no note of it, or why its note has no embedding.
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
    note_problem: str | None = None

    @property
    def in_transcript(self) -> bool:
        """Whether its words stand in a file, and not only in the store: see :meth:`Landing.of_no_transcript`."""
        return self.path != self.key

    def failure_json(self) -> dict[str, Any]:
        """The shape of one entry of ``run``'s ``failures``. What failed for good waits for a person: it says so."""
        next_step = self.error_next
        if self.state is SessionState.FAILED and RETRY not in (next_step or ""):
            next_step = f"{next_step}, then: {RETRY}" if next_step else RETRY
        return {
            "session": self.native_id or self.key,
            "path": self.path,
            "step": self.error_step,
            "error": self.error,
            "next": next_step,
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
    way. It may be left out where reading, judging and landing happen inside one ``connect``. ``second_hand`` is for
    words that an agent passed on and that stand in no transcript: they may ask a question, and nothing else. ``note``
    takes the place of the session's earlier one; ``note_problem`` is why there is none, or what it lacks. Without both
    an earlier note stays.
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
    second_hand: bool = False
    note: SessionNote | None = None
    note_problem: str | None = None

    @classmethod
    def of_no_transcript(
        cls, session: Session, decisions: Sequence[Decision], *, policy: Policy, now: datetime
    ) -> Landing:
        """What stands in no transcript, such as words that an agent passed on: it may ask, and nothing else."""
        last = session.turns[-1].id
        file = SessionFile.of(session, fingerprint=last)
        return cls(session, file, decisions, policy, now, last, len(session.turns), second_hand=True)


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
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
