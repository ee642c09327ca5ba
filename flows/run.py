"""The pass: over what was given, or over every finished session that is not on record yet."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flows import snapshot
from flows.gather import (
    Gathered,
    Source,
    find_everywhere,
    find_given,
    gather_finished,
    gather_given,
    leave_out_older,
    settled,
)
from flows.inbox import set_aside
from flows.keeper import DryKeeper, Keeper, failure_of
from flows.result import RunResult, Skip, Tally
from flows.session import begin
from flows.steps import Context
from store.records import LedgerRow, SessionState
from transcripts.uncollected import uncollected

if TYPE_CHECKING:
    from flows.pipeline import Thinkers
    from policy.settings import Settings
    from store.interface import Database
    from transcripts.discovery import Closed, Found

AT_ONCE_BYTES = 4 << 20
"""Read in a few hundredths of a second, which is what it costs to open the store once more."""

Progress = Callable[[str, int, int], None]
"""Told the stage (``reading``, ``deciding``), how many sessions are through it, and of how many."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a pass is to do.

    ``paths`` are files or folders, taken whether finished or not; empty looks where agents keep theirs. ``explicit`` is
    a pass that a person asked for: pending sessions are tried before their waiting time is over. ``kind`` names the
    pass on record: ``run``, ``hook``, ``nightly``.
    """

    settings: Settings
    paths: tuple[Path, ...] = ()
    kind: str = "run"
    explicit: bool = True
    dry_run: bool = False
    retry_failed: bool = False
    since: datetime | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def find(self, closed: Closed) -> list[Found]:
        """Walk the folders; what cannot be looked at is told to ``closed``. Raises NothingThere."""
        if self.paths:
            return find_given(self.paths, closed)
        return find_everywhere(self.settings, self.environ, closed)

    def bound(self) -> datetime | None:
        """Sessions that ended before are left out: the order's own bound, else the settings', midnight UTC."""
        day = self.settings.since
        return self.since or (datetime(day.year, day.month, day.day, tzinfo=UTC) if day else None)


def run(
    settings: Settings,
    paths: Sequence[Path] | None = None,
    *,
    kind: str = "run",
    explicit: bool = True,
    dry_run: bool = False,
    retry_failed: bool = False,
    since: datetime | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """One pass, as the settings have it: directly, or as a Prefect flow run. See :class:`Order` for the arguments.

    Raises AfterpassError: NothingThere for paths, and what loading the policy, building the extractor, opening the
    store or reaching Prefect raises. A session's own failure is in the result.
    """
    order = Order(settings, tuple(paths or ()), kind, explicit, dry_run, retry_failed, since)
    if settings.prefect:
        from flows.prefect_runs import order_flow

        return order_flow(order, progress)
    return carry_out(order, progress)


def carry_out(order: Order, progress: Progress | None = None, thinkers: Thinkers | None = None) -> RunResult:
    """The pass itself, whoever started it. ``thinkers`` are threads unless something else is given."""
    started = time.monotonic()
    context = make_context(order.settings, explicit=order.explicit, notes=not order.dry_run)
    keeper = (DryKeeper if order.dry_run else Keeper)(context, Tally())
    with uncollected():
        if _nothing_is_new(order, keeper):
            return _result(keeper, started, dry_run=False)
        with _finding(order, keeper.tally.closed) as found, context.store.connect() as db:
            if order.retry_failed and not order.dry_run:
                db.reopen_failed(now=context.clock())
            gathered, held = _gather(db, context, order, found)
            _report_gathered(gathered, held, keeper.tally)
            pass_id = None if order.dry_run else _begin(db, order, context)
            go_on = partial(begin, gathered.sources, keeper, since=order.bound(), progress=progress, thinkers=thinkers)
            # A few files are read while the store is open; to read many, others would have to wait too long.
            begun = go_on() if sum(source.size for source in gathered.sources) <= AT_ONCE_BYTES else None
    if gathered.sources:
        (begun or go_on()).run()
    with context.store.connect() as db:
        keeper.ask_about_checkouts(db, dry_run=order.dry_run)
        if pass_id is None:
            return _result(keeper, started, dry_run=True)
        _settle(db, gathered, keeper)
        result = _result(keeper, started, dry_run=False)
        db.finish_pass(pass_id, summary=result.to_json(), now=context.clock())
        at_rest = None if db.failures() or db.pending(now=context.clock(), ignore_wait=True) else db.seen_files()
    if at_rest is None:
        snapshot.discard(order.settings)
    else:
        snapshot.save(order.settings, context.store.path, at_rest)
    return result


def _nothing_is_new(order: Order, keeper: Keeper) -> bool:
    """Whether the last pass's snapshot suffices to say that there is nothing to do. Then the store stays closed."""
    if order.paths or order.retry_failed or order.dry_run or any(order.settings.inbox.glob("*.json")):
        return False
    known = snapshot.load(order.settings, keeper.context.store.path)
    if known is None:
        return False
    shut: list[str] = []
    found = order.find(lambda path, _why: shut.append(path))
    gathered = gather_finished(order.settings, found, known.seen, [], keeper.context.clock())
    if gathered.sources or shut:
        return False
    _report_gathered(gathered, [], keeper.tally)
    return True


@contextmanager
def _finding(order: Order, closed: Closed) -> Iterator[Callable[[], list[Found]]]:
    """Walk the agents' folders while the store opens. Given paths come first: a wrong one must not make a store."""
    if order.paths:
        given = order.find(closed)
        yield lambda: given
        return
    with ThreadPoolExecutor(1, "find") as aside:
        yield aside.submit(order.find, closed).result


def _result(keeper: Keeper, started: float, *, dry_run: bool) -> RunResult:
    extractor = keeper.context.extractor
    seconds = time.monotonic() - started
    return keeper.tally.result(extractor=extractor.name, model=extractor.model, seconds=seconds, dry_run=dry_run)


def _begin(db: Database, order: Order, context: Context) -> str:
    """Put the start of the pass on record; what was read back so far is known before its sessions are."""
    db.take_recalls(now=context.clock())
    return db.begin_pass(order.kind, worker=context.worker, now=context.clock())


def _settle(db: Database, gathered: Gathered, keeper: Keeper) -> None:
    """Remove the markers whose sessions are on record; report what was announced and never came."""
    for marker in gathered.given_up:
        name = Path(f"hook:{marker.session}") if marker.path is None else marker.path
        keeper.skip(
            db, Source(name, 0, 0), Skip(str(name), "missing", "no transcript appeared within a day of the hook")
        )
        marker.remove()
    for broken in gathered.broken:
        set_aside(broken)
        reason = f"{broken.reason}; set aside as .bad, the session is found when it is idle"
        keeper.tally.skipped(str(broken.file), Skip(str(broken.file), "broken_marker", reason))
    for row in gathered.gone:
        keeper.gone(db, row)
    if gathered.markers:
        for marker in settled(gathered.markers, db.seen_files()):
            marker.remove()


def make_context(settings: Settings, *, explicit: bool, notes: bool = True) -> Context:
    """Load the policy, build the extractor, name the worker. Raises AfterpassError for what cannot be used.

    ``notes`` is False for a pass that keeps nothing: no model is asked for what nobody will see.
    """
    from extractors.registry import build, embedder, note_writer
    from policy.load import load_policy
    from store.store import Store
    from store.workers import worker_name

    extractor = build(
        settings.extractor,
        model=settings.model,
        base_url=settings.base_url,
        timeout=settings.timeout,
        api_key=settings.api_key,
    )
    writer = note_writer(extractor) if notes and settings.notes else None
    vectors = embedder(
        settings.extractor,
        settings.embedding_model,
        base_url=settings.base_url,
        timeout=settings.timeout,
        api_key=settings.api_key,
    )
    return Context(
        settings=settings,
        policy=load_policy(settings.policy),
        extractor=extractor,
        store=Store(settings.home, url=settings.store, lock_timeout=settings.lock_timeout),
        worker=worker_name(),
        explicit=explicit,
        notes=writer,
        embedder=vectors if writer else None,
    )


def _gather(
    db: Database, context: Context, order: Order, finding: Callable[[], list[Found]]
) -> tuple[Gathered, list[LedgerRow]]:
    """What to read, and the ledger rows that are to be left alone: failed ones, and pending ones that still wait."""
    now, seen = context.clock(), db.seen_files()
    due = db.pending(now=now, ignore_wait=context.explicit)
    free = {row.key for row in due}
    held = [row for row in db.failures() if row.key not in free]
    found = finding()
    if order.paths:
        waiting = {row.path for row in due}  # of a file with several sessions, one may wait while the file is on record
        gathered = gather_given(found, {path: at for path, at in seen.items() if path not in waiting})
        given = {str(source.path) for source in gathered.sources}
        held = [row for row in held if row.path in given]
    else:
        gathered = gather_finished(context.settings, found, seen, [Path(row.path) for row in due], now)
        gathered.gone = [row for row in due if not Path(row.path).exists()]
    left_alone = {row.path for row in held}
    gathered.sources = [source for source in gathered.sources if str(source.path) not in left_alone]
    if since := order.bound():
        leave_out_older(gathered, since, now)
    return gathered, held


def _report_gathered(gathered: Gathered, held: Sequence[LedgerRow], tally: Tally) -> None:
    tally.unchanged, tally.unfinished, tally.older = gathered.unchanged, gathered.unfinished, gathered.older
    tally.waiting = [marker.label for marker in gathered.waiting]
    for row in held:
        tally.left(row.key, failure_of(row.failure_json()), failed=row.state is SessionState.FAILED)
