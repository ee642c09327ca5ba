"""Many sessions at once: a bounded number of threads think, one lands, in the order in which the sessions ended.

The order matters: a June remark is a change of the February rule only when February has landed. The store is opened
once for a batch, never while anything is being thought about.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from flows.gather import Source
from flows.keeper import Keeper, explain
from flows.result import Failure, Skip
from flows.steps import Context, Reading, Taken, Thought, think
from flows.survey import Planned, copy_of
from policy.errors import AfterpassError
from store.errors import StoreError
from transcripts.errors import TranscriptError

if TYPE_CHECKING:
    from store.interface import Database

BATCH_SECONDS = 1.0
LAST_SECONDS = 0.1
"""A batch is worth opening the store for. With nothing left to take, what is not landed is what one waits for."""
BATCH_SESSIONS = 64
RENEW_SECONDS = 240.0
"""Well inside the lease of 900 s that a claim gives."""


class PassStoppedError(AfterpassError):
    """What the pass runs on has failed. No session is to blame: each one not landed is pending as it was."""


@dataclass(slots=True)
class Ticket:
    """One session on its way. Its thread sets ``outcome`` and hands the ticket back."""

    planned: Planned
    taken: Taken
    outcome: Thought | BaseException | None = None


class Thinkers(Protocol):
    """Who thinks: threads, or Prefect's task runs."""

    def start(self, workers: int) -> None:
        """Make ready for at most ``workers`` sessions at a time."""

    def submit(self, ticket: Ticket, context: Context, through: Callable[[], None]) -> None:
        """Have a session thought about: later, in any thread, ``outcome`` is set and then ``through`` called."""

    def stop(self) -> None:
        """Nothing more will come. What is being thought about is not waited for."""


class Threads:
    """Thinks in threads of this process. They are daemons: an interrupt must not wait for a model's answer."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[Ticket, Context, Callable[[], None]] | None] = queue.SimpleQueue()
        self._workers = 0

    def start(self, workers: int) -> None:
        """Start the threads."""
        self._workers = workers
        for number in range(workers):
            threading.Thread(target=self._work, name=f"think-{number}", daemon=True).start()

    def submit(self, ticket: Ticket, context: Context, through: Callable[[], None]) -> None:
        """Put the session in line."""
        self._queue.put((ticket, context, through))

    def stop(self) -> None:
        """Let the threads end after what they are at."""
        for _ in range(self._workers):
            self._queue.put(None)

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            ticket, context, through = item
            try:
                ticket.outcome = think(ticket.taken, context)
            except BaseException as error:  # noqa: BLE001 - the session's boundary: the landing thread says what it was
                ticket.outcome = error
            through()


@dataclass(slots=True)
class Pipeline:
    """One run over planned sessions: ``begin``, then ``run``. ``progress`` is told how many are through, of how many.

    An interrupt gives back what is not landed and goes on up. Both raise StoreError where the store cannot be used,
    PassStoppedError where the thinkers cannot: then no session is lost, and none can go on. ``shared`` are files of
    several sessions: on record once each of theirs is.
    """

    keeper: Keeper
    progress: Callable[[int, int], None]
    thinkers: Thinkers
    shared: Sequence[tuple[Source, Skip]] = ()
    _waiting: deque[Planned] = field(default_factory=deque)
    _total: int = 0
    _flying: deque[Ticket] = field(default_factory=deque)
    _thought: queue.SimpleQueue[None] = field(default_factory=queue.SimpleQueue)
    _renewed: float = field(default_factory=time.monotonic)

    def begin(self, db: Database, planned: Sequence[Planned]) -> None:
        """Take the first sessions, while the store is open anyway: they are thought about at once."""
        self._waiting, self._total = deque(planned), len(planned)
        self.thinkers.start(self._workers)
        with self._giving_back():
            self._take(db, self._load())

    def run(self) -> None:
        """Think and land every session, taking the next ones meanwhile."""
        with self._giving_back():
            while self._waiting or self._flying:
                self._tell()
                self._await_batch()
                loaded = self._load()
                with self.keeper.context.store.connect() as db:
                    self._take(db, loaded)  # first, so that nobody waits for work while others' is landed
                    self._finish(db)
                    self._renew(db)
            if self.shared:
                with self.keeper.context.store.connect() as db:
                    for source, skip in self.shared:
                        self.keeper.see(db, source, skip)
            self._tell()
            self.thinkers.stop()

    @property
    def _workers(self) -> int:
        return min(self.keeper.context.settings.workers, self._total)

    def _tell(self) -> None:
        self.progress(self._total - len(self._waiting) - len(self._flying), self._total)

    def _load(self) -> list[tuple[Planned, Reading]]:
        """The next sessions, from memory or from disk, before the store is opened."""
        loaded: list[tuple[Planned, Reading]] = []
        through = sum(ticket.outcome is not None for ticket in self._flying)
        ahead = max(64, 16 * self._workers) + through
        while self._waiting and len(self._flying) + len(loaded) < ahead:
            planned = self._waiting.popleft()
            try:
                loaded.append((planned, planned.load(self.keeper.context.settings)))
            except (OSError, TranscriptError) as error:
                step, said, next_step, _ = explain(error)
                failure = Failure(planned.key, str(planned.source.path), step, said, next_step)
                self.keeper.tally.left(planned.key, failure, failed=False)
        return loaded

    def _take(self, db: Database, loaded: Sequence[tuple[Planned, Reading]]) -> None:
        found = self.keeper.take_all(db, [reading for _, reading in loaded])
        for (planned, _), taken in zip(loaded, found, strict=True):
            if taken is not None:
                ticket = Ticket(planned, taken)
                self._flying.append(ticket)
                self.thinkers.submit(ticket, self.keeper.context, lambda: self._thought.put(None))

    def _finish(self, db: Database) -> None:
        """Land the sessions at the head of the line that are through."""
        through: list[tuple[Ticket, Thought | BaseException]] = []
        for ticket in self._flying:
            if ticket.outcome is None or isinstance(ticket.outcome, PassStoppedError):
                break
            through.append((ticket, ticket.outcome))
        self.keeper.finish_all(db, [(ticket.taken, outcome) for ticket, outcome in through])
        for ticket, _ in through:
            self._flying.popleft()
            for copy in ticket.planned.copies:
                self.keeper.skip(db, copy, copy_of(copy, ticket.planned.source))
        if self._flying and isinstance(stopped := self._flying[0].outcome, PassStoppedError):
            raise stopped

    def _renew(self, db: Database) -> None:
        if self._renewal_is_due():
            self._renewed = time.monotonic()
            for ticket in self._flying:
                self.keeper.renew(db, ticket.taken)

    def _renewal_is_due(self) -> bool:
        return time.monotonic() - self._renewed >= RENEW_SECONDS

    def _await_batch(self) -> None:
        """Let thoughts come in until the first in line is through and a batch is worth opening the store for."""
        deadline = time.monotonic() + (BATCH_SECONDS if self._waiting else LAST_SECONDS)
        while self._flying and not self._renewal_is_due():
            through = sum(ticket.outcome is not None for ticket in self._flying)
            first_is_through = self._flying[0].outcome is not None
            left = deadline - time.monotonic()
            if first_is_through and (left <= 0 or through >= min(len(self._flying), BATCH_SESSIONS)):
                return
            with contextlib.suppress(queue.Empty):
                self._thought.get(timeout=left if first_is_through else 1.0)

    @contextlib.contextmanager
    def _giving_back(self) -> Iterator[None]:
        """After an interrupt: what was taken and has not landed is pending again, without a counted attempt."""
        try:
            yield
        except BaseException:
            self.thinkers.stop()
            # Where even that fails, the leases end by themselves: at once, where this process is seen to be gone.
            with contextlib.suppress(StoreError), self.keeper.context.store.connect() as db:
                for ticket in self._flying:
                    self.keeper.release(db, ticket.taken)
            raise
