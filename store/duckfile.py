"""The DuckDB file: made under another name, private, held by one process at a time, shared by its threads."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from store.dialects import DUCKDB
from store.errors import StoreUnwritable
from store.waiting import Held, holder_in, take_turn, wait_for
from store.workers import is_dead, worker_name

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}


class DuckFile:
    """One database file in this process: opened for the first user, closed after the last."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.work_lock = threading.RLock()  # one transaction at a time
        self._gate = threading.Lock()
        self._users = 0
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._lock_file: int | None = None
        self._private = False

    @contextmanager
    def connection(self, timeout: float, prepare: Callable[[Any], None]) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection of one's own. ``prepare`` brings the schema up to date when the file is opened or made.

        Raises StoreLocked after ``timeout`` seconds of another process holding the file.
        """
        with self._gate:
            if self._connection is None:
                self._open(timeout, prepare)
            assert self._connection is not None  # noqa: S101 - for the type checker
            mine = self._connection.cursor()
            self._users += 1
        try:
            yield mine
        finally:
            mine.close()
            with self._gate:
                self._users -= 1
                if not self._users:
                    self._close()

    def rewrite(self, timeout: float, prepare: Callable[[Any], None], finish: Callable[[Any], None]) -> None:
        """Write the whole database into a new file, which takes the old one's place: no old byte stays.

        ``finish`` is run on the new database. Waits for this process's other users too; raises StoreLocked.
        """
        with wait_for(self._alone, timeout, self.path, 0.005, 0.04):
            try:
                self._open(timeout, prepare)
                assert self._connection is not None  # noqa: S101 - for the type checker
                new = _new_name(self.path)
                try:
                    _copy(self._connection, new, finish)
                    self._connection.close()
                    self._connection = None
                    new.replace(self.path)
                finally:
                    _drop(new)
            finally:
                self._close()

    def copy(self, target: Path, timeout: float, prepare: Callable[[Any], None]) -> None:
        """A copy of the database as it is now, under another name."""
        new = _new_name(target)
        with self.connection(timeout, prepare) as connection, self.work_lock:
            try:
                _make_home(target.parent)
                _copy(connection, new, lambda _: None)
                new.replace(target)
            finally:
                _drop(new)

    def _alone(self) -> AbstractContextManager[Any]:
        """The gate, held while nobody of this process has the file open."""
        if not self._gate.acquire(timeout=0.05):
            raise Held("another thread of this process")
        if self._users:
            self._gate.release()
            raise Held("another thread of this process")
        return _released(self._gate)

    def _open(self, timeout: float, prepare: Callable[[Any], None]) -> None:
        _PRIVATE.begin()
        self._private = True
        try:
            _make_home(self.path.parent)
            self._lock_file = take_turn(self.path, timeout)
            if not self.path.exists():
                _create(self.path, prepare)
            self._connection = wait_for(lambda: _connect(self.path), timeout, self.path, 0.05, 0.25)
            prepare(self._connection)
        except BaseException:
            self._close()
            raise

    def _close(self) -> None:
        try:
            if self._connection is not None:
                with suppress(Exception):  # what was committed is in the log: closing adds nothing
                    self._connection.close()
        finally:
            self._connection = None
            if self._lock_file is not None:
                os.close(self._lock_file)
                self._lock_file = None
            if self._private:
                self._private = False
                _PRIVATE.end()


_FILES: dict[tuple[int, Path], DuckFile] = {}
_FILES_LOCK = threading.Lock()


def duck_file(path: Path) -> DuckFile:
    """This process's one handle on a file. A forked child starts with none."""
    with _FILES_LOCK:
        return _FILES.setdefault((os.getpid(), path), DuckFile(path))


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    with _uninterrupted():
        import zoneinfo  # noqa: F401 - DuckDB loads it for its first time stamp, and makes an interrupt its own error

        import duckdb

    try:
        connection = duckdb.connect(str(path), config=CONFIG)
    except duckdb.IOException as error:
        if "lock" in str(error) and "onflicting" in str(error):
            raise Held(holder_in(str(error))) from None
        raise DUCKDB.named_for(error, path) from error
    except duckdb.Error as error:
        raise DUCKDB.named_for(error, path) from error
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    return connection


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Signals that end a command wait until this is over: an exception inside DuckDB's own start aborts the process."""
    if "duckdb" in sys.modules or threading.current_thread() is not threading.main_thread():
        yield  # Python runs signal handlers in the main thread only
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for number in before:
            signal.signal(number, lambda given, _frame: came.append(given))
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, signal.SIG_DFL if handler is None else handler)
    for caught in came[:1]:
        signal.raise_signal(caught)


def _create(path: Path, prepare: Callable[[Any], None]) -> None:
    """Make the database whole under another name, then let it appear: a first write cut short blocks nobody."""
    _clear_leftovers(path)
    new = _new_name(path)
    try:
        connection = _connect(new)
        try:
            prepare(connection)
        finally:
            connection.close()
        new.replace(path)
    finally:
        _drop(new)


def _copy(connection: duckdb.DuckDBPyConnection, new: Path, finish: Callable[[Any], None]) -> None:
    """The database of a connection into a new file, schema, rows and counters. Raises StoreUnwritable and the like."""
    import duckdb

    _drop(new)
    (name,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    try:
        connection.execute(f"ATTACH '{str(new).replace(chr(39), chr(39) * 2)}' AS copied")
        try:
            connection.execute(f'COPY FROM DATABASE "{name}" TO copied')
        finally:
            connection.execute("DETACH copied")
    except duckdb.Error as error:
        named = DUCKDB.named(error)
        if named is None:
            raise
        raise named from error
    copied = _connect(new)
    try:
        finish(copied)
    finally:
        copied.close()


def _new_name(path: Path) -> Path:
    return path.with_name(f"{path.name}.new.{worker_name().replace('/', '~')}")


def _drop(path: Path) -> None:
    for left in (path, Path(f"{path}.wal")):
        left.unlink(missing_ok=True)


@contextmanager
def _released(gate: threading.Lock) -> Iterator[None]:
    try:
        yield
    finally:
        gate.release()


def _clear_leftovers(path: Path) -> None:
    for left in path.parent.glob(f"{path.name}.new.*"):
        name = left.name.removeprefix(f"{path.name}.new.").removesuffix(".wal")
        if is_dead(name.replace("~", "/")):
            left.unlink(missing_ok=True)


def _make_home(home: Path) -> None:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnwritable(
            f"the folder {home} cannot be made: {error.strerror}", "give another one with --home or AFTERPASS_HOME"
        ) from error


class _PrivateFiles:
    """DuckDB chooses no rights for the files that it makes while it is open, so the process's mask does: nobody but
    the user reads them. The mask is put back when the last open file of the process is closed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0o077

    def begin(self) -> None:
        with self._lock:
            if not self._users:
                self._before = os.umask(0o077)
            self._users += 1

    def end(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                os.umask(self._before)


_PRIVATE = _PrivateFiles()
