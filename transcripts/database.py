"""SQLite files in which some agents keep all their sessions: opened only for reading, while the agent may write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from transcripts.errors import TranscriptError
from transcripts.session import Session, Skipped

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from transcripts.file import TranscriptFile

MAGIC = b"SQLite format 3\x00"
_WAIT_SECONDS = 5


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection; a log of changes beside the file is read along. Raises TranscriptError."""
    import sqlite3

    place = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(place, uri=True, timeout=_WAIT_SECONDS)) as connection:
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:  # names of columns are decoded strictly
        raise TranscriptError(f"This database cannot be read ({error})", path, f"ls -l {path}") from error


def tables_of(file: TranscriptFile) -> frozenset[tuple[str, str]]:
    """Every (table, column) of a database; nothing for a file that is none, or that cannot be read."""
    if not file.head.startswith(MAGIC):
        return frozenset()
    try:
        status = file.path.stat()
        return _tables(file.path, status.st_mtime_ns, status.st_size)
    except (OSError, TranscriptError):
        return frozenset()


@lru_cache(maxsize=8)
def _tables(path: Path, mtime_ns: int, size: int) -> frozenset[tuple[str, str]]:
    query = "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'"
    with opened(path) as connection:
        return frozenset((str(table), str(column)) for table, column in connection.execute(query))


def rows(connection: sqlite3.Connection, query: str, *values: Any) -> list[dict[str, Any]]:
    """The rows of a query as dictionaries."""
    return [dict(row) for row in connection.execute(query, values)]


def only_one(path: Path, name: str, sessions: Iterable[Session | Skipped]) -> Session | Skipped:
    """The one session of a database, or why it cannot be read as one."""
    found: Session | None = None
    skipped: Skipped | None = None
    for session in sessions:
        if isinstance(session, Skipped):
            skipped = skipped or session
        elif found is None:
            found = session
        else:
            reason = f"this {name} file holds several sessions; `afterpass run` takes each, and then knows its id"
            return Skipped(path, "several", reason)
    return found or skipped or Skipped(path, "empty", f"this {name} file holds no session")
