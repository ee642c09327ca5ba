"""``pass_over``: the whole path of a session, from its file to what is kept. Every entry calls it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from flows.gather import Source, source_of
from flows.keeper import Keeper
from flows.pipeline import Pipeline, Thinkers, Threads
from flows.survey import plan, survey


def pass_over(path: Path, keeper: Keeper) -> None:
    """One transcript: read it, take its session if it is not done, propose, judge, land.

    What came of it is in ``keeper.tally`` and in the ledger. Raises StoreError where the store cannot be used.
    """
    pass_over_all([source_of(path)], keeper)


def pass_over_all(sources: Sequence[Source], keeper: Keeper) -> None:
    """Many transcripts, in the order in which their sessions ended, several thought about at a time."""
    begin(sources, keeper).run()


def begin(
    sources: Sequence[Source],
    keeper: Keeper,
    *,
    since: datetime | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    thinkers: Thinkers | None = None,
) -> Pipeline:
    """Read transcripts and take the first of their sessions; ``run`` of what this gives does the rest.

    Sessions that ended before ``since`` are left alone. ``progress`` is told the stage (``reading``, ``deciding``),
    how many are through, and of how many. ``thinkers`` are threads unless something else is given.
    """
    tell = progress or (lambda _stage, _through, _total: None)
    settings, store = keeper.context.settings, keeper.context.store
    found, briefs = survey(sources, settings, since=since, progress=lambda done, total: tell("reading", done, total))
    keeper.tally.older += found.older
    keeper.tally.damaged |= found.damaged
    for failure in found.failures:
        keeper.tally.left(failure.path, failure, failed=False)
    told = partial(tell, "deciding")
    decide = Pipeline(keeper, told, thinkers or Threads(), found.shared)
    with store.connect() as db:
        plan(briefs, found, db, settings)
        for source, skip in found.skips:
            keeper.skip(db, source, skip)
        decide.begin(db, found.planned)
    return decide
