"""The queries by name, on one connection, each seeing the connection's team only."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from store.snapshot import Snapshots

T = TypeVar("T")
P = ParamSpec("P")
PATIENCE = 5  # tries after which a transaction keeps other writers waiting
CONFLICT_SECONDS = 30  # how long a transaction is run again while others are faster
TEAM = re.compile(r"[$(]team\b")
QUERIES = Path(__file__).parent / "queries"


class Dialect(Protocol):
    """What differs between the databases: how statements are run, and how their failures are named."""

    name: str

    def adapter(self) -> Any:
        """The aiosql adapter that gives rows as dicts and never leaves the connection's transaction."""

    def named(self, error: Exception) -> Exception | None:
        """The store's own error for a driver's, or None where it is a defect of ours."""

    def is_conflict(self, error: Exception) -> bool:
        """Whether another writer was faster: the transaction can be run again from its start."""

    def tuples(self, raw: Any, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Every row of a statement, without the names of its columns."""

    def alone(self, raw: Any) -> AbstractContextManager[Any]:
        """Keeps every other connection from changing the schema meanwhile."""

    def hold_writers(self, raw: Any) -> None:
        """Inside a transaction, before anything else: every other writer waits until it ends."""

    def read_rows(self, raw: Any, table: str, names: Sequence[str], team: str, batch: int) -> Iterator[tuple[Any, ...]]:
        """A whole table of one team, for moving a store."""

    def write_rows(self, raw: Any, table: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Whole rows into a table, many at a time."""


class Sql:
    """Runs named queries. A ``lock`` shared by the connections of one file keeps their transactions one at a time."""

    def __init__(
        self,
        connection: Any,
        dialect: Dialect,
        team: str,
        lock: threading.RLock,
        snapshots: Snapshots | None = None,
    ) -> None:
        self.raw = connection
        self.snapshots = snapshots or Snapshots(None)
        self.dialect = dialect
        self._queries, self.teamed = load(dialect.name)
        self.team = team
        self._lock = lock
        self._open = False

    def rows(self, name: str, /, **values: Any) -> list[dict[str, Any]]:
        """Every row of a query."""
        return list(self._call(name, values))

    def tuples(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Every row of a query in the order of its columns: of thousands, dicts cost more than the rows."""
        if name in self.teamed:
            values = {"team": self.team, **values}
        return self.dialect.tuples(self.raw, getattr(self._queries, name).sql, values)

    def one(self, name: str, /, **values: Any) -> dict[str, Any] | None:
        """The row of a query that gives at most one."""
        row: dict[str, Any] | None = self._call(name, values)
        return row

    def value(self, name: str, /, **values: Any) -> Any:
        """The single value of a query."""
        return self._call(name, values)

    def change(self, name: str, /, **values: Any) -> int:
        """Runs a statement; how many rows it changed."""
        count: int = self._call(name, values)
        return count

    def many(self, name: str, /, rows: Iterable[Mapping[str, Any]]) -> None:
        """Runs a statement once for each row of values."""
        bound = [_storable({"team": self.team, **row}) for row in rows]
        if bound:
            getattr(self._queries, name)(self.raw, bound)

    def script(self, statements: str) -> None:
        """Runs statements without values: a migration."""
        self.raw.execute(statements)

    def transact(self, work: Callable[[], T]) -> T:
        """Runs ``work`` in one transaction, again from its start where another writer was faster.

        Inside a transaction it simply runs. Whatever is raised rolls everything back.
        """
        if self._is_inside():
            return work()
        tries = 0

        def attempt() -> T:
            nonlocal tries
            tries += 1
            return self._once(work, first_of_all=tries > PATIENCE)

        return self._again(attempt)

    def alone(self, work: Callable[[], T]) -> T:
        """Runs ``work``, a single query, without opening a transaction for it; inside one it is a part of that."""
        if self._is_inside():
            return work()

        def locked() -> T:
            with self._lock:
                return work()

        return self._again(locked)

    def _is_inside(self) -> bool:
        """Whether this thread is inside a transaction of this connection: it is not run again in parts."""
        if not self._open or not self._lock.acquire(blocking=False):
            return False
        inside = self._open  # with the lock in hand, an open transaction is this thread's own
        self._lock.release()
        return inside

    def _again(self, attempt: Callable[[], T]) -> T:
        from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

        again = Retrying(
            retry=retry_if_exception(lambda e: isinstance(e, Exception) and self.dialect.is_conflict(e)),
            wait=wait_random(0.005, 0.05),
            stop=stop_after_delay(CONFLICT_SECONDS),
            reraise=True,
        )
        try:
            result: T = again(attempt)
        except Exception as error:
            named = self.dialect.named(error)
            if named is None:
                raise
            raise named from error
        return result

    def _once(self, work: Callable[[], T], *, first_of_all: bool) -> T:
        """One try. ``first_of_all`` keeps other writers waiting: a long transaction is else overtaken for ever."""
        with self._lock:
            self._queries.begin_work(self.raw)
            self._open = True
            try:
                if first_of_all:
                    self.dialect.hold_writers(self.raw)
                result = work()
                self._queries.keep_work(self.raw)
            except BaseException:
                self._drop_work()
                raise
            finally:
                self._open = False
            return result

    def _drop_work(self) -> None:
        # A failed commit or a broken connection leaves nothing to roll back; the first error is the one to tell.
        with suppress(Exception):
            self._queries.drop_work(self.raw)

    def _call(self, name: str, values: Mapping[str, Any]) -> Any:
        if name in self.teamed:
            values = {"team": self.team, **values}
        return getattr(self._queries, name)(self.raw, **_storable(values))


def _storable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Texts as a database takes them: a file name or an id may hold what is no Unicode text, such as half a pair."""
    return {
        name: [_text(each) for each in value] if isinstance(value, list) else _text(value)
        for name, value in values.items()
    }


def _text(value: Any) -> Any:
    if type(value) is not str:
        return value
    if value.isascii() and "\x00" not in value:
        return value
    return value.replace("\x00", "\ufffd").encode("utf-8", "backslashreplace").decode("utf-8")


def columns(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows of the same names, turned into a list of values for each name. Raises IndexError where there is none."""
    listed = list(rows)
    return {name: [row[name] for row in listed] for name in listed[0]}


class Holder(Protocol):
    """Whatever runs its methods in transactions of one connection."""

    sql: Sql


H = TypeVar("H", bound=Holder)


def transactional(method: Callable[Concatenate[H, P], T]) -> Callable[Concatenate[H, P], T]:
    """The method runs in one transaction: all of it or nothing."""

    @wraps(method)
    def inner(self: H, /, *args: P.args, **values: P.kwargs) -> T:
        return self.sql.transact(lambda: method(self, *args, **values))

    return inner


def one_query(method: Callable[Concatenate[H, P], T]) -> Callable[Concatenate[H, P], T]:
    """The method runs a single query, which is a transaction by itself; it only waits for those of other threads."""

    @wraps(method)
    def inner(self: H, /, *args: P.args, **values: P.kwargs) -> T:
        return self.sql.alone(lambda: method(self, *args, **values))

    return inner


@cache
def load(dialect: str) -> tuple[Any, frozenset[str]]:
    """The queries of ``store/queries`` for one dialect, parsed once for each process, and the names of those that
    take a team: all but the few about transactions and the schema.
    """
    import aiosql

    from store.dialects import dialect_named

    queries = aiosql.from_path(QUERIES, dialect_named(dialect).adapter, mandatory_parameters=False, encoding="utf-8")
    teamed = frozenset(name for name in queries.available_queries if TEAM.search(getattr(queries, name).sql))
    return queries, teamed
