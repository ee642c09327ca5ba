"""Read what a pass has found, see which files are copies of one session, and put sessions in the order they ended."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from flows.gather import Source, source_of
from flows.result import Damage, Failure, Skip
from flows.steps import Reading, read_sessions, read_source
from policy.errors import AfterpassError
from transcripts.errors import TranscriptError

if TYPE_CHECKING:
    from policy.settings import Settings
    from store.interface import Database
    from store.records import LedgerRow

KEPT_BYTES = 64 << 20
"""Sessions are kept in memory between survey and thinking up to this many bytes of their files, then read again."""

MANY = 20
"""From this many sessions on, reading the whole ledger costs less than asking for each."""

FAR_FUTURE = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Planned:
    """A session to take. ``reading`` is None where memory did not hold it: it is read again from ``source``.

    ``copies`` are files that hold nothing beyond this one.
    """

    key: str
    source: Source
    ended: datetime
    reading: Reading | None
    copies: tuple[Source, ...] = ()

    def load(self, settings: Settings) -> Reading:
        """The reading, from memory or from disk. Raises OSError, TranscriptError."""
        if self.reading is not None:
            return self.reading
        again = read_source(self.source if self.source.session else source_of(self.source.path), settings)
        if isinstance(again, Skip):
            raise TranscriptError(
                "The transcript changed while the pass ran", self.source.path, "Run `afterpass run` again"
            )
        return _renamed(again, self.key)


@dataclass(slots=True)
class Survey:
    """What reading everything gave: sessions in the order in which they ended, files to skip, files that failed.

    ``older`` counts sessions that ended before the bound. ``shared`` are files of which each session is planned for
    itself: they are on record when all of these are.
    """

    planned: list[Planned] = field(default_factory=list)
    skips: list[tuple[Source, Skip]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    damaged: dict[str, Damage] = field(default_factory=dict)
    older: int = 0
    shared: list[tuple[Source, Skip]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Brief:
    """What is remembered of a session that was read."""

    source: Source
    key: str
    ended: datetime
    reading: Reading | None
    turn_ids: tuple[str, ...]
    remains: bool = False  # only prompts are left of the session


def survey(
    sources: Sequence[Source], settings: Settings, *, since: datetime | None, progress: Callable[[int, int], None]
) -> tuple[Survey, list[_Brief]]:
    """Read every source. The briefs still have to pass :func:`plan`, which needs the ledger."""
    result, briefs, kept = Survey(), list[_Brief](), 0
    for number, source in enumerate(sources, 1):
        skips, parts, older = list[Skip](), 0, result.older
        try:
            for read in read_sessions(source, settings):
                if isinstance(read, Skip):
                    skips.append(read)
                    continue
                parts += read.source.session is not None
                brief = _brief(read, result, since)
                if brief is not None:
                    kept += _weight(read)
                    briefs.append(brief if kept <= KEPT_BYTES else replace(brief, reading=None))
        except (OSError, TranscriptError, AfterpassError) as error:
            result.failures.append(_unreadable(source, error))
            continue
        finally:
            progress(number, len(sources))
        if parts == 0:
            result.skips += [(source, skip) for skip in skips[:1]]
        elif result.older == older:
            result.shared.append((source, Skip(str(source.path), "several", f"its {parts} sessions are on record")))
    return result, briefs


def _brief(read: Reading, result: Survey, since: datetime | None) -> _Brief | None:
    """What is remembered of a session; None for one that ended before the bound."""
    source = read.source
    touched = source.mtime_ns or source_of(source.path).mtime_ns
    ended = read.file.ended_at or datetime.fromtimestamp(touched / 1e9, UTC)
    if since is not None and ended < since:
        result.older += 1
        return None
    if bad := read.session.bad_lines:
        first = f"line {bad[0].line}: {bad[0].reason}"
        result.damaged[str(source.path)] = Damage(str(source.path), len(bad), first)
    turn_ids = tuple(turn.id for turn in read.session.turns)
    return _Brief(source, read.file.key, ended, read, turn_ids, read.session.remains)


def _weight(read: Reading) -> int:
    """About how many bytes a session takes in memory."""
    return read.source.size or sum(len(turn.text) for turn in read.session.turns)


def _unreadable(source: Source, error: Exception) -> Failure:
    if isinstance(error, TranscriptError):
        return Failure(source.path.name, str(source.path), "read", error.what, error.next_step)
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Failure(
        source.path.name, str(source.path), "read", said, f"make it readable, then: afterpass run {source.path}"
    )


def plan(briefs: Iterable[_Brief], result: Survey, db: Database, settings: Settings) -> None:
    """Fill ``result.planned``: one entry per session, copies attached to the file that holds everything they hold.

    A file whose session is on record under another path is held against that file: the longer one goes on, and a
    file that went its own way from some turn on is a session of its own.
    """
    groups: dict[str, list[_Brief]] = defaultdict(list)
    for brief in briefs:
        groups[brief.key].append(brief)
    rows = _rows_of(list(groups), db)
    for key, group in groups.items():
        row = rows.get(key)
        recorded = row.path if row is not None else None
        group = _not_told_again(group, recorded)
        if not group:
            continue
        anchor = None
        if recorded is not None and all(str(brief.source.path) != recorded for brief in group):
            anchor = _anchor(Path(recorded), key, settings)
        _resolve(key, group, anchor, recorded, result)
    result.planned.sort(key=lambda planned: (planned.ended, planned.key))


def _not_told_again(group: list[_Brief], recorded: str | None) -> list[_Brief]:
    """Without the prompts that are left of a session whose own file is here, or was read when it was there."""
    whole = any(not brief.remains for brief in group)
    return [brief for brief in group if not brief.remains or (not whole and recorded in (None, str(brief.source.path)))]


def _rows_of(keys: Sequence[str], db: Database) -> dict[str, LedgerRow]:
    """The ledger rows of these sessions: asked for one by one, or where they are many, all rows there are at once."""
    if len(keys) > MANY:
        return {row.key: row for row in db.sessions()}
    return {key: row for key in keys if (row := db.ledger(key)) is not None}


def _anchor(path: Path, key: str, settings: Settings) -> _Brief | None:
    """The file under which the session is on record, where it still is there and still holds it."""
    try:
        readings = read_sessions(source_of(path), settings)
        read = next((read for read in readings if isinstance(read, Reading) and read.file.key == key), None)
    except (OSError, TranscriptError):
        return None
    if read is None or read.session.remains:
        return None
    return _Brief(read.source, key, FAR_FUTURE, read, tuple(turn.id for turn in read.session.turns))


@dataclass(slots=True)
class _Whole:
    """A file that holds more than any other, with the files that hold nothing beyond it."""

    brief: _Brief
    turn_ids: frozenset[str]
    copies: list[Source] = field(default_factory=list)

    def covers(self, path: str | None) -> bool:
        return path in {str(source.path) for source in (self.brief.source, *self.copies)}


def _resolve(key: str, group: list[_Brief], anchor: _Brief | None, recorded: str | None, result: Survey) -> None:
    """Plan one session's files: the session keeps its key where it is on record, what branched off gets its own."""
    briefs = [*group, anchor] if anchor else group
    members = sorted(
        briefs,
        key=lambda brief: (-len(brief.turn_ids), brief is not anchor, brief.ended, str(brief.source.path)),
    )
    wholes: list[_Whole] = []
    for brief in members:
        ids = frozenset(brief.turn_ids)
        whole = next((whole for whole in wholes if ids <= whole.turn_ids), None)
        if whole is None:
            wholes.append(_Whole(brief, ids))
        elif brief.source.session is not None:
            pass  # nothing beyond another file; whether its own file is on record depends on all that stands in it
        elif whole.brief is anchor:
            result.skips.append((brief.source, copy_of(brief.source, whole.brief.source)))
        else:
            whole.copies.append(brief.source)
    main = next((whole for whole in wholes if whole.covers(recorded)), wholes[0])
    for whole in wholes:
        brief = whole.brief
        if brief is anchor:
            continue
        name = key
        if whole is not main:
            name = f"{key}@{hashlib.sha256(str(brief.source.path).encode()).hexdigest()[:8]}"
        reading = _renamed(brief.reading, name) if brief.reading else None
        result.planned.append(Planned(name, brief.source, brief.ended, reading, tuple(whole.copies)))


def copy_of(source: Source, whole: Source) -> Skip:
    """The reason to pass over a file that holds nothing beyond another one."""
    return Skip(str(source.path), "copy", f"holds nothing beyond {whole.path}")


def _renamed(reading: Reading, key: str) -> Reading:
    return reading if reading.file.key == key else replace(reading, file=replace(reading.file, key=key))
