"""What an open store answers and does. ``Store(home).connect()`` gives one; the SQL behind it is nobody else's affair.

The way of a pass, which never holds the file while a model thinks:

    store = Store(home)
    with store.connect() as db:                       # short
        row = db.claim(file, worker=worker_name(), now=now)
    ...read, propose: seconds to minutes, nothing open...
    with store.connect() as db:                       # one connect for a batch of finished sessions
        for ready in batch:
            known = db.known(owner, developer); stones = db.tombstones(...); refused = db.refusals(...)
            db.land(Landing(..., decisions=judge(...)))   # StaleDecision: read known again, judge again, land again

Connects of one process share one open database, threads may each have their own; another process waits, bounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol

from policy.model import FactType
from store.history import ChangeRate, History, Volatility
from store.measures import Measures
from store.records import (
    CandidateRow,
    Fact,
    Forgotten,
    Landed,
    Landing,
    LedgerRow,
    Note,
    Pass,
    Review,
    SessionFile,
    Status,
    Upkeep,
)
from store.upkeep import Horizons
from store.verify import Problem
from validators.verdict import KnownFact, Refusal, Tombstone


class Ledger(Protocol):
    """Which sessions were read, are being read, and wait."""

    def seen_files(self) -> dict[str, tuple[int, int]]:
        """Path to (size in bytes, mtime in ns) of every file that was taken into account: done or skipped."""

    def ledger(self, key: str) -> LedgerRow | None:
        """One session by its key, by its path (the last one that was found there), or by its native id.

        Raises AmbiguousId where several sessions have that id.
        """

    def sessions(self, state: str | None = None) -> list[LedgerRow]:
        """Every session, the newest first; ``state`` narrows."""

    def claim(
        self,
        file: SessionFile,
        *,
        worker: str,
        now: datetime,
        lease_seconds: float = 900,
        ignore_wait: bool = False,
        again: bool = False,
    ) -> LedgerRow | None:
        """Take the session for this worker until the lease ends, or None where there is nothing to take.

        Taken: a new session; a pending one whose waiting time is over (``ignore_wait`` takes it before); a done or
        skipped one whose fingerprint has changed (``again`` takes an unchanged one too); a running one whose lease
        has run out or whose worker is a process of this machine that no longer lives. A failed one waits for
        ``reopen_failed``. The row's ``last_turn`` and ``turn_count`` say where to read on. ``worker`` comes from
        ``store.workers.worker_name()``.
        """

    def claim_many(
        self,
        files: Sequence[SessionFile],
        *,
        worker: str,
        now: datetime,
        lease_seconds: float = 900,
        ignore_wait: bool = False,
    ) -> list[LedgerRow | None]:
        """The same for many sessions at once; what each came to, in their order. A key that is twice is taken once."""

    def renew(self, key: str, *, worker: str, now: datetime, lease_seconds: float = 900) -> bool:
        """Move the end of a lease that this worker still holds; False where it was lost."""

    def release(self, key: str, *, worker: str, now: datetime) -> bool:
        """Give a claimed session back unread (an interrupt): pending, no attempt counted. False where it was lost."""

    def enqueue(self, file: SessionFile, *, now: datetime) -> bool:
        """Put a session on record as pending without taking it. False where it is on record already."""

    def record_skip(
        self, file: SessionFile, *, code: str, reason: str, now: datetime, worker: str | None = None
    ) -> None:
        """A file or session that holds nothing for us, with the reason; not looked at again while it stays as it is."""

    def record_failure(
        self, key: str, *, worker: str, step: str, error: str, next_step: str, terminal: bool, now: datetime
    ) -> LedgerRow | None:
        """One attempt failed: pending again after a growing wait, or failed (terminal, or the fifth attempt).

        ``error`` and ``next_step`` are redacted. None where the lease was lost: another worker answers for it now.
        """

    def reopen_failed(self, *, now: datetime, keys: Sequence[str] | None = None) -> int:
        """Failed sessions are pending again with a fresh count of attempts; how many."""

    def pending(self, *, now: datetime, ignore_wait: bool = False) -> list[LedgerRow]:
        """What could be claimed now, in the order in which the sessions ended: pending, and running without a life."""

    def failures(self) -> list[LedgerRow]:
        """Pending sessions that failed at least once, and failed ones, with their errors."""


class Facts(Protocol):
    """What is believed, and what was."""

    def known(self, owner: str, developer: str | None) -> list[KnownFact]:
        """The active facts of a repository and of a developer (whose facts hold in every repository)."""

    def tombstones(self, owner: str, developer: str | None, *, as_of: datetime | None = None) -> list[Tombstone]:
        """What was forgotten of the same two owners; ``as_of`` narrows to what had been recorded by then."""

    def refusals(self, owner: str, developer: str | None) -> list[Refusal]:
        """What reviewers refused of the same two owners."""

    def mark(self) -> int:
        """Where the event log stands: given to a later landing, changes in between are seen."""

    def facts(
        self,
        *,
        all: bool = False,  # noqa: A002 - the command's own word
        as_of: datetime | None = None,
        repo: str | None = None,
        developer: str | None = None,
        on: date | None = None,
    ) -> list[Fact]:
        """Active facts, or ``all`` states, or those that were active by what had been recorded ``as_of`` a time.

        ``repo`` narrows to a repository's facts, ``developer`` to a developer's; both together give both. Their
        evidence is without the turns around it: :meth:`fact` gives those. ``on`` is today: a dated rule whose last day
        has passed by then is left out (with ``all``: shown as expired) although no upkeep has ended it yet.
        """

    def fact(self, fact_id: str) -> Fact:
        """One fact by its id (or a beginning of it that is unique). Raises NotFound, AmbiguousId."""

    def open_reviews(self, owner: str, developer: str | None) -> list[Review]:
        """The undecided items of the same two owners as ``known``: reading back asks first where one stands."""


class Past(Protocol):
    """What was true, and how it changed."""

    def valid_on(self, moment: datetime, *, repo: str | None = None, developer: str | None = None) -> list[Fact]:
        """What we now know was true then, whenever it was learned (``facts(as_of=…)`` is what was believed then)."""

    def history(self, fact_id: str) -> History:
        """The whole history of the slot of a fact. Raises NotFound, AmbiguousId."""

    def volatility(self, repo: str | None = None) -> list[Volatility]:
        """The slots whose values were replaced, the most restless first."""

    def change_rates(self, *, now: datetime) -> list[ChangeRate]:
        """Measured change by type, with a proposal for its trust window."""


class Reviews(Protocol):
    """The questions for a person."""

    def reviews(self, *, all: bool = False, repo: str | None = None) -> list[Review]:  # noqa: A002 - the command's own word
        """Open items, the oldest first; ``all`` gives decided ones too."""

    def review(self, item_id: str) -> Review:
        """One item by its id (or a beginning of it that is unique). Raises NotFound, AmbiguousId."""

    def accept(self, item_id: str, *, actor: str, now: datetime, value: str | None = None) -> Review:
        """Apply the proposal, or ``value`` instead. Raises AlreadyDecided, StaleReview, ValueNeeded, NotFound."""

    def reject(self, item_id: str, *, actor: str, now: datetime, reason: str = "") -> Review:
        """Refuse the proposal and remember the refusal. Raises AlreadyDecided, NotFound."""

    def snooze(self, item_id: str, *, actor: str, now: datetime, until: datetime) -> Review:
        """Leave an open item for later. Raises AlreadyDecided, NotFound."""

    def withdraw(self, item_ids: Sequence[str], *, reason: str, now: datetime) -> None:
        """Close those of these items that are still open: nobody has to decide them any more. Raises NotFound."""

    def undo(self, item_id: str, *, actor: str, now: datetime) -> Review:
        """Take a decision (or a snooze) back: the item is open again. Raises NotDecided, SlotChanged, NotFound."""


class Hands(Protocol):
    """What persons do to facts, through the same transitions."""

    def add_fact(
        self,
        fact_type: FactType,
        *,
        owner: str,
        subject: str,
        value: str,
        actor: str,
        now: datetime,
        until: date | None = None,
        derived_from: Sequence[str] = (),
        replace: bool = False,
    ) -> Fact:
        """A fact by hand, confirmed by it. Raises Conflict where its slot holds another value, unless ``replace``."""

    def edit_fact(self, fact_id: str, value: str, *, actor: str, now: datetime, wrong: bool = False) -> Fact:
        """The row that takes the old one's place: superseded, or marked ``wrong`` where it never was true."""

    def confirm_fact(self, fact_id: str, *, actor: str, now: datetime) -> Fact:
        """A person stands by the value today."""

    def retire_fact(self, fact_id: str, *, actor: str, now: datetime, reason: str = "") -> Fact:
        """Out of use, without a successor."""

    def restore_fact(self, fact_id: str, *, actor: str, now: datetime) -> Fact:
        """Active again: a retired, superseded, wrong or archived row, or a forgotten one that was not erased yet.

        Raises Conflict where its slot holds another value now.
        """

    def forget_fact(
        self, fact_id: str, *, actor: str, now: datetime, reason: str = "", at_once: bool = True, grace_days: float = 7
    ) -> Forgotten:
        """Forget a fact with its dated rules and undecided items; ``at_once`` erases its value everywhere.

        Call ``Store.compact()`` afterwards: it takes the erased bytes out of the file. Raises Conflict where there is
        nothing left to forget.
        """


class Keeping(Protocol):
    """What is built on facts, and what does not stay for ever."""

    def add_note(
        self,
        kind: str,
        text: str,
        *,
        owner: str,
        now: datetime,
        scope: str = "repo",
        session_key: str | None = None,
        happened_at: datetime | None = None,
        derived_from: Sequence[str] = (),
        embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> str:
        """Keep a note, summary or procedure with the ids of what it was built on; its id."""

    def notes(
        self, owner: str, developer: str | None = None, *, kind: str | None = None, vectors: bool = True
    ) -> list[Note]:
        """A repository's notes that are this developer's or nobody's, and the developer's own; the newest first.

        Without ``vectors`` their embeddings stay unread, which are most of what a note is stored in.
        """

    def forget_note(self, note_id: str, *, now: datetime) -> Forgotten:
        """Delete a note by its id (or a beginning of it that is unique), and what the model wrote for it.

        Call ``Store.compact()`` afterwards. Raises NotFound, AmbiguousId.
        """

    def note_of(self, session_key: str) -> Note | None:
        """The note of one session by the session's key, or None."""

    def upkeep(self, *, now: datetime, horizons: Horizons | None = None, dry_run: bool = False) -> Upkeep:
        """End, archive, erase and thin out what is due; ``dry_run`` only says what. Use ``Store.upkeep()``."""

    def take_recalls(self, *, now: datetime) -> int:
        """Move the log of what was read back, which lies beside the store, into the tables; how many were new."""

    def measures(self, *, since: datetime | None = None, repo: str | None = None) -> Measures:
        """What came of reading back, by fact type: used or ignored, stale, asked and answered, missed."""

    def needs_compacting(self) -> bool:
        """Whether something was erased whose bytes are still in the file."""


class Safety(Protocol):
    """Whether everything still holds together."""

    def verify(self) -> list[Problem]:
        """Every row that breaks an invariant; an empty list is a clean store."""


class Log(Protocol):
    """Every proposal and why it was kept or refused; every pass."""

    def rejected(
        self,
        *,
        since: datetime | None = None,
        code: str | None = None,
        repo: str | None = None,
        session: str | None = None,
    ) -> list[CandidateRow]:
        """The candidates that were discarded or quarantined, the newest first. ``session``: key, native id or path."""

    def candidates(self, session_key: str) -> list[CandidateRow]:
        """All candidates of one session in the order in which they were judged."""

    def replayable(self) -> list[CandidateRow]:
        """Every stored candidate with its session's path, session by session: what replay judges again."""

    def begin_pass(self, kind: str, *, worker: str, now: datetime) -> str:
        """Put the start of a pass on record; its id."""

    def finish_pass(self, pass_id: str, *, summary: Mapping[str, Any], now: datetime) -> None:
        """Put its end on record with what it came to."""

    def passes(self, limit: int = 20) -> list[Pass]:
        """The last passes, the newest first."""

    def status(self) -> Status:
        """Counts by state, the queue, the last pass, the oldest pending session, the file's size.

        What stands in no transcript counts as no session.
        """


class Database(Ledger, Facts, Past, Reviews, Hands, Keeping, Safety, Log, Protocol):
    """One open store."""

    def land(self, landing: Landing) -> Landed:
        """Keep everything that one session's reading came to, in one transaction, and set its ledger row done.

        Raises StaleDecision where a slot changed after it was judged, LeaseLost where another worker has the
        session; nothing is kept then.
        """

    def land_quiet(self, landings: Sequence[Landing]) -> set[str]:
        """Set sessions done in which there was nothing to decide; the keys of those that this worker still held.

        All are of one worker and one time. They share a transaction: all are kept, or none.
        """
