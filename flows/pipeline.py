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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from flows.keeper import Keeper, explain
from flows.result import Failure
from flows.steps import Context, Reading, Taken, Thought, think
from flows.survey import Planned, copy_of
from policy.errors import AfterpassError
from store.errors import StoreError
from transcripts.errors import TranscriptError

if TYPE_CHECKING:
    from store.interface import Database

BATCH_SECONDS = 0.3
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
    """One run over planned sessions. ``progress`` is told how many are through, of how many."""

    keeper: Keeper
    progress: Callable[[int, int], None]
    thinkers: Thinkers
    _flying: deque[Ticket] = field(default_factory=deque)
    _thought: queue.SimpleQueue[None] = field(default_factory=queue.SimpleQueue)
    _renewed: float = field(default_factory=time.monotonic)

    def run(self, planned: Sequence[Planned]) -> None:
        """Take, think and land every session. An interrupt gives back what is not landed and goes on up.

        Raises StoreError where the store cannot be used, PassStoppedError where the thinkers cannot: then no session
        is lost, and none can go on.
        """
        workers = min(self.keeper.context.settings.workers, len(planned))
        self.thinkers.start(workers)
        waiting, total = deque(planned), len(planned)
        ahead = max(32, 8 * workers)
        try:
            while waiting or self._flying:
                loaded = self._load(waiting, ahead)
                with self.keeper.context.store.connect() as db:
                    while self._flying and (outcome := self._flying[0].outcome) is not None:
                        self._finish(db, self._flying[0], outcome)
                        self._flying.popleft()
                    self._renew(db)
                    for item, reading in loaded:
                        self._take(db, item, reading)
                self.progress(total - len(waiting) - len(self._flying), total)
                self._await_batch()
        except BaseException:
            self._give_back()
            raise
        finally:
            self.thinkers.stop()

    def _load(self, waiting: deque[Planned], ahead: int) -> list[tuple[Planned, Reading]]:
        """The next sessions, from memory or from disk, before the store is opened."""
        loaded: list[tuple[Planned, Reading]] = []
        while waiting and len(self._flying) + len(loaded) < ahead:
            planned = waiting.popleft()
            try:
                loaded.append((planned, planned.load(self.keeper.context.settings)))
            except (OSError, TranscriptError) as error:
                step, said, next_step, _ = explain(error)
                failure = Failure(planned.key, str(planned.source.path), step, said, next_step)
                self.keeper.tally.left(planned.key, failure, failed=False)
        return loaded

    def _take(self, db: Database, planned: Planned, reading: Reading) -> None:
        taken = self.keeper.take(db, reading)
        if taken is not None:
            ticket = Ticket(planned, taken)
            self._flying.append(ticket)
            self.thinkers.submit(ticket, self.keeper.context, lambda: self._thought.put(None))

    def _finish(self, db: Database, ticket: Ticket, outcome: Thought | BaseException) -> None:
        if isinstance(outcome, PassStoppedError):
            raise outcome
        self.keeper.finish(db, ticket.taken, outcome)
        for copy in ticket.planned.copies:
            self.keeper.skip(db, copy, copy_of(copy, ticket.planned.source))

    def _renew(self, db: Database) -> None:
        if self._renewal_is_due():
            self._renewed = time.monotonic()
            for ticket in self._flying:
                self.keeper.renew(db, ticket.taken)

    def _renewal_is_due(self) -> bool:
        return time.monotonic() - self._renewed >= RENEW_SECONDS

    def _await_batch(self) -> None:
        """Let thoughts come in until the first in line is through and a batch is worth opening the store for."""
        deadline = time.monotonic() + BATCH_SECONDS
        while self._flying and not self._renewal_is_due():
            through = sum(ticket.outcome is not None for ticket in self._flying)
            first_is_through = self._flying[0].outcome is not None
            left = deadline - time.monotonic()
            if first_is_through and (left <= 0 or through >= min(len(self._flying), BATCH_SESSIONS)):
                return
            with contextlib.suppress(queue.Empty):
                self._thought.get(timeout=left if first_is_through else 1.0)

    def _give_back(self) -> None:
        """After an interrupt: what was taken and has not landed is pending again, without a counted attempt."""
        # Where even that fails, the leases end by themselves: at once, where this process is seen to be gone.
        with contextlib.suppress(StoreError), self.keeper.context.store.connect() as db:
            for ticket in self._flying:
                self.keeper.release(db, ticket.taken)
