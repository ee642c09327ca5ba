"""Which files a pass looks at: the ones it was given, or every finished session that is not on record yet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from flows.inbox import BrokenMarker, Marker, read_inbox, transcript_of
from policy.errors import AfterpassError
from transcripts import plausible

if TYPE_CHECKING:
    from policy.settings import Settings
    from store.records import LedgerRow
    from transcripts.discovery import Closed, Found, Root

CLOCK_SKEW = timedelta(minutes=2)
FLUSHED_BY = timedelta(minutes=1)
"""Agents write their last records up to a moment after the session-end hook; what is later was said in a new run."""

Seen = Mapping[str, tuple[int, int]]
"""Path to (size in bytes, mtime in ns) of what is on record as done or skipped."""


class NothingThere(AfterpassError):  # noqa: N818 - named for what it says
    """A path that was given leads nowhere, or to a folder without a single transcript."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to look at, as it lay there at that moment: ``size`` in bytes, ``mtime_ns`` in nanoseconds.

    ``session`` is the id of one session in a file that may hold several. Such a source has neither size nor time: that
    one session is on record does not mean that the file is.
    """

    path: Path
    size: int
    mtime_ns: int
    session: str | None = None


@dataclass(slots=True)
class Gathered:
    """What a pass found. ``sources`` are to be read; the rest is counted and reported."""

    sources: list[Source] = field(default_factory=list)
    unchanged: int = 0
    unfinished: int = 0
    older: int = 0
    waiting: list[Marker] = field(default_factory=list)
    given_up: list[Marker] = field(default_factory=list)
    broken: list[BrokenMarker] = field(default_factory=list)
    markers: list[tuple[Marker, Path]] = field(default_factory=list)  # those whose transcript is there
    gone: list[LedgerRow] = field(default_factory=list)  # pending sessions whose transcript was deleted


def find_given(paths: Sequence[Path], closed: Closed) -> list[Found]:
    """The given files, and every file under the given folders that may be a transcript; each once.

    What cannot be looked at is told to ``closed``. Raises NothingThere for a path that does not exist and for a folder
    that holds no transcript at all.
    """
    from transcripts.discovery import discover

    found: dict[str, Found] = {}
    for path in paths:
        place = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100 - takes ".." out without following links
        if not place.exists():
            raise NothingThere(f"{path}: no such file or folder", "give a transcript or a folder of transcripts")
        shut: list[str] = []

        def told(where: str, why: OSError, shut: list[str] = shut) -> None:
            shut.append(where)
            closed(where, why)

        here = list(discover([place], told))
        if not here and not shut:
            what = "no transcript in this folder" if place.is_dir() else "not a transcript's file"
            raise NothingThere(f"{path}: {what}", "`afterpass run` alone looks where agents keep theirs")
        found.update((item.name, item) for item in here)
    return list(found.values())


def find_everywhere(settings: Settings, environ: Mapping[str, str], closed: Closed) -> list[Found]:
    """Every file that may be a transcript in the agents' own folders and in those that the settings add."""
    from transcripts.discovery import default_roots, discover

    roots: list[Root | Path] = [*default_roots(environ), *settings.roots]
    return list(discover(roots, closed))


def gather_given(found: Sequence[Found], seen: Seen) -> Gathered:
    """What was given, finished or not, as far as it is not on record."""
    gathered = Gathered()
    gathered.sources = list(_unseen(found, seen).values())
    gathered.unchanged = len(found) - len(gathered.sources)
    return gathered


def gather_finished(
    settings: Settings, found: Sequence[Found], seen: Seen, pending: Sequence[Path], now: datetime
) -> Gathered:
    """Every finished session among ``found``, of the hook's markers, and of the ledger's ``pending`` ones."""
    gathered = Gathered()
    markers, gathered.broken = read_inbox(settings.inbox)
    unseen = _unseen(found, seen)
    gathered.unchanged = len(found) - len(unseen)
    ended = _take_markers(
        gathered, markers, [item.name for item in found] if markers else [], unseen, seen, settings, now
    )
    for path in pending:
        if str(path) not in unseen and path.is_file():
            unseen[str(path)] = source_of(path)
            ended.add(str(path))
    idle = timedelta(minutes=settings.idle_minutes)
    for name, source in unseen.items():
        if name in ended or _has_rested(source, idle, now):
            gathered.sources.append(source)
        else:
            gathered.unfinished += 1
    return gathered


def _unseen(found: Iterable[Found], seen: Seen) -> dict[str, Source]:
    return {
        name: Source(Path(name), size, mtime_ns)
        for name, size, mtime_ns, _agent in found
        if seen.get(name) != (size, mtime_ns)
    }


def leave_out_older(gathered: Gathered, since: datetime, now: datetime) -> None:
    """Leave out files that were last touched before: their sessions ended before, too, and need not be read for it."""
    kept = []
    for source in gathered.sources:
        touched = _touched(source)
        if touched is None or not _plausible(touched, now) or touched >= since:
            kept.append(source)
    gathered.older = len(gathered.sources) - len(kept)
    gathered.sources = kept


def _take_markers(
    gathered: Gathered,
    markers: Sequence[Marker],
    known: Sequence[str],
    unseen: dict[str, Source],
    seen: Seen,
    settings: Settings,
    now: datetime,
) -> set[str]:
    """Add the sessions that hooks announced; the names of those that have ended."""
    ended: set[str] = set()
    for marker in markers:
        path = transcript_of(marker, known)
        if path is None:
            (gathered.given_up if marker.given_up(now) else gathered.waiting).append(marker)
            continue
        path = path.absolute()
        name = str(path)
        gathered.markers.append((marker, path))
        if name not in unseen:
            source = source_of(path)
            if seen.get(name) == (source.size, source.mtime_ns):
                continue
            unseen[name] = source
        if has_ended(marker, path, settings.turn_end_minutes, now):
            ended.add(name)
    return ended


def has_ended(marker: Marker, path: Path, rest_minutes: float, now: datetime) -> bool:
    """Whether the session that a hook told of has ended.

    At once where the hook said so, unless something was said afterwards: then it was resumed. Otherwise, and after a
    hook that only said that a turn has ended, once it has been silent for ``rest_minutes``. The last record's time
    decides, because hooks speak about what was said, not about the file; without one there is nothing to wait for.
    """
    from transcripts.discovery import last_record_time

    said = last_record_time(path)
    if said is None or not _plausible(said, now) or now - said >= timedelta(minutes=rest_minutes):
        return True
    return marker.final and said <= marker.at + FLUSHED_BY


def _has_rested(source: Source, idle: timedelta, now: datetime) -> bool:
    """Idle by the file's time, or by its last record where the file's time is in the future or absurd."""
    touched = _touched(source)
    if touched is None or not _plausible(touched, now):
        from transcripts.discovery import last_record_time

        touched = last_record_time(source.path)
    return touched is None or not _plausible(touched, now) or now - touched >= idle


def _touched(source: Source) -> datetime | None:
    return datetime.fromtimestamp(source.mtime_ns / 1e9, UTC) if source.mtime_ns > 0 else None


def _plausible(moment: datetime, now: datetime) -> bool:
    return plausible.SINCE <= moment <= now + CLOCK_SKEW


def source_of(path: Path) -> Source:
    """The file as it lies there now. Raises OSError."""
    from transcripts.discovery import measured

    size, mtime_ns = measured(str(path), path.stat())
    return Source(path, size, mtime_ns)


def settled(markers: Sequence[tuple[Marker, Path]], seen: Seen) -> Iterator[Marker]:
    """The markers whose transcript, as it lies there now, is on record as done or skipped."""
    for marker, path in markers:
        try:
            now = source_of(path)
        except OSError:
            continue
        if seen.get(str(path)) == (now.size, now.mtime_ns):
            yield marker
