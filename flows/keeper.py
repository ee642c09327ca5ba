"""What a pass writes into the ledger, in one place, and its twin that writes nothing.

What one session does wrong stays with it: a failure becomes its ledger row's error, never the end of the pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractors.errors import ExtractorError, Terminal
from flows import steps
from flows.gather import Source
from flows.result import Failure, Skip, Tally
from flows.shadow import Shadow
from flows.steps import Context, Reading, Taken, Thought
from policy.errors import AfterpassError, reason
from store.errors import LeaseLost, StaleDecision, StoreError
from store.records import LedgerRow, SessionFile, SessionState
from transcripts.errors import TranscriptError

if TYPE_CHECKING:
    from store.interface import Database


@dataclass(slots=True)
class Keeper:
    """Takes, lands, fails and skips sessions, and counts what came of them."""

    context: Context
    tally: Tally
    checkouts: dict[str, Path] = field(default_factory=dict)  # of each repository met, where its last session ran

    def take_all(self, db: Database, readings: Sequence[Reading]) -> list[Taken | None]:
        """Claim sessions; where one is not to be had, count why."""
        found = steps.take_all(db, readings, self.context)
        for reading, taken in zip(readings, found, strict=True):
            if taken is None:
                self._not_taken(db, reading)
        return found

    def _not_taken(self, db: Database, reading: Reading) -> None:
        """Another pass has it, it waits for its next try, it has failed, or it is done."""
        key = reading.file.key
        row = db.ledger(key)
        if row is not None and row.state in {SessionState.PENDING, SessionState.FAILED}:
            self.tally.left(key, failure_of(row.failure_json()), failed=row.state is SessionState.FAILED)
        elif row is not None and row.state is SessionState.RUNNING:
            self.tally.busy += 1
        else:
            self.tally.unchanged += 1
            if reading.source.session is None or row is None or row.path != reading.file.path:
                steps.note_touched(db, reading, self.context)

    def finish_all(self, db: Database, through: Sequence[tuple[Taken, Thought | BaseException]]) -> None:
        """Land what was thought, in this order, or put on record why there is nothing to land. Raises StoreError only.

        Sessions for which nothing was proposed come first, in one transaction: they touch nothing that others judge by.
        """
        landed = self._land_quiet(
            db,
            [thought for _, thought in through if isinstance(thought, Thought) and not thought.extraction.candidates],
        )
        for taken, outcome in through:
            if taken.reading.file.key not in landed:
                self.finish(db, taken, outcome)

    def _land_quiet(self, db: Database, thoughts: Sequence[Thought]) -> set[str]:
        """Land them together; where that fails, each goes its own way and fails for itself."""
        try:
            landed = steps.land_quiet(db, thoughts, self.context)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - the sessions' boundary: whose fault it was is seen when each lands alone
            return set()
        for thought in thoughts:
            key = thought.taken.reading.file.key
            if key in landed:
                self._met(thought)
                self.tally.done(key, (), None)
                self.tally.noted(key, thought.noted)
                self.tally.spent(thought.calls)
        return landed

    def finish(self, db: Database, taken: Taken, outcome: Thought | BaseException) -> None:
        """Land what was thought, or put on record why there is nothing to land. Raises StoreError only."""
        if isinstance(outcome, BaseException):
            self._fail(db, taken, outcome)
            return
        try:
            self._land(db, outcome)
        except LeaseLost:
            self.tally.busy += 1
        except StaleDecision as error:
            self._fail(db, taken, error)  # its slots never held still: the next pass tries again
        except StoreError:
            raise  # the store is everybody's: no session can land while it fails
        except Exception as error:  # noqa: BLE001 - the session's boundary: one bad session never stops the rest
            self._fail(db, taken, error)

    def _land(self, db: Database, thought: Thought) -> None:
        decisions, landed = steps.land(db, thought, self.context)
        self._met(thought)
        self.tally.done(thought.taken.reading.file.key, decisions, landed)
        self.tally.noted(thought.taken.reading.file.key, thought.noted)
        self.tally.spent(thought.calls)

    def _met(self, thought: Thought) -> None:
        session = thought.taken.reading.session
        if session.cwd:
            self.checkouts[session.repo] = Path(session.cwd)

    def ask_about_checkouts(self, db: Database, *, dry_run: bool = False) -> None:
        """Queue what the repositories of this pass's sessions contradict by now. Raises StoreError."""
        from flows.contradicted import ask_about

        for repo, directory in self.checkouts.items():
            with suppress(StaleDecision):  # somebody changed the fact this moment: a later pass looks again
                now = self.context.clock()
                asked = ask_about(db, repo, directory, self.context.policy, now, dry_run=dry_run)
                self.tally.decided(*asked)

    def _fail(self, db: Database, taken: Taken, error: BaseException) -> None:
        step, said, next_step, terminal = explain(error)
        key = taken.reading.file.key
        row = db.record_failure(
            key,
            worker=self.context.worker,
            step=step,
            error=said,
            next_step=next_step,
            terminal=terminal,
            now=self.context.clock(),
        )
        if isinstance(error, ExtractorError):
            self.tally.spent(error.calls)
        if row is None:
            self.tally.busy += 1
        else:
            self.tally.left(key, failure_of(row.failure_json()), failed=row.state is SessionState.FAILED)

    def skip(self, db: Database, source: Source, skip: Skip) -> None:
        """Put a file on record that holds no session of its own, with the reason."""
        self.see(db, source, skip)
        self.tally.skipped(f"file:{source.path}", skip)

    def see(self, db: Database, source: Source, skip: Skip) -> None:
        """Put a file on record as it lies there, so that it is looked at again only when it has changed."""
        file = SessionFile.side_file(source.path, source.size, source.mtime_ns)
        db.record_skip(file, code=skip.code, reason=skip.reason, now=self.context.clock())

    def gone(self, db: Database, row: LedgerRow) -> None:
        """A pending session's transcript was deleted before it could be read."""
        skip = Skip(row.path, "missing", "the transcript was deleted before it was read")
        file = SessionFile(row.key, row.path, 0, 0, agent=row.agent, native_id=row.native_id)
        db.record_skip(file, code=skip.code, reason=skip.reason, now=self.context.clock())
        self.tally.skipped(row.key, skip)

    def renew(self, db: Database, taken: Taken) -> None:
        """Hold on to a session that is still being thought about."""
        db.renew(taken.reading.file.key, worker=self.context.worker, now=self.context.clock())

    def release(self, db: Database, taken: Taken) -> None:
        """Give a session back unread: pending, no attempt counted."""
        db.release(taken.reading.file.key, worker=self.context.worker, now=self.context.clock())


@dataclass(slots=True)
class DryKeeper(Keeper):
    """Reads, decides and counts, and writes nothing: later sessions see earlier decisions in memory only."""

    shadow: Shadow = field(default_factory=Shadow)

    def take_all(self, db: Database, readings: Sequence[Reading]) -> list[Taken | None]:
        """Find out how far each session was read before; nobody is kept from taking it meanwhile."""
        return [steps.looked_up(db, reading, db.ledger(reading.file.key), self.context) for reading in readings]

    def _land_quiet(self, db: Database, thoughts: Sequence[Thought]) -> set[str]:
        return set()

    def _land(self, db: Database, thought: Thought) -> None:
        session = thought.taken.reading.session
        view = self.shadow.over(steps.believed(db, session), session)
        decisions = steps.decide(thought, view, self.context)
        self.shadow.apply(decisions, session)
        self._met(thought)
        self.tally.done(thought.taken.reading.file.key, decisions, None)
        self.tally.spent(thought.calls)

    def _fail(self, db: Database, taken: Taken, error: BaseException) -> None:
        step, said, next_step, terminal = explain(error)
        file = taken.reading.file
        self.tally.left(file.key, Failure(file.native_id, file.path, step, said, next_step), failed=terminal)

    def see(self, db: Database, source: Source, skip: Skip) -> None:
        """Nothing goes on record."""

    def renew(self, db: Database, taken: Taken) -> None:
        """There is no lease."""

    def release(self, db: Database, taken: Taken) -> None:
        """There is no lease."""


def explain(error: BaseException) -> tuple[str, str, str, bool]:
    """Step, error, next step, and whether trying again is pointless."""
    if isinstance(error, ExtractorError):
        return error.step, error.error, error.next, isinstance(error, Terminal)
    if isinstance(error, AfterpassError):
        return "pass", error.what, error.next_step or "afterpass run", False
    if isinstance(error, TranscriptError):
        return "read", error.what, error.next_step, False
    if isinstance(error, OSError) and error.filename:
        return "pass", f"{error.filename}: {reason(error)}", f"ls -ld {error.filename}", False
    return "pass", f"{type(error).__name__}: {error}", "afterpass doctor", False


def failure_of(told: Mapping[str, Any]) -> Failure:
    """A ledger row's failure as the report names it."""
    return Failure(*(str(told[key] or "") for key in ("session", "path", "step", "error", "next")))
