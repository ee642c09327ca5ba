"""What differs between the databases under the same SQL."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

from store.errors import StoreDamaged, StoreError, StoreLocked, StoreTooNew, StoreUnreachable, StoreUnwritable

FULL = errno.ENOSPC, errno.EDQUOT, errno.EFBIG
"""No room on the disk, in the user's share of it, or for so large a file."""

MISSING = os.strerror(errno.ENOENT).casefold()
IN_FILE = re.compile(r'file "([^"]+?)(?:\.new\.[^"/]*)?(?:\.wal)?"')
"""The file that a message of DuckDB is about; one under a temporary name is named as what it was to become."""


class DuckDBDialect:
    """One file on this machine."""

    name = "duckdb"

    def adapter(self) -> Any:
        """aiosql's own adapter runs on a second connection, outside the transaction. This one stays inside, and parses
        each query once for the process: parsing is a third of what a small query costs.
        """
        from aiosql.adapters.duckdb import DuckDBAdapter

        class InPlace(DuckDBAdapter):
            def __init__(self) -> None:
                super().__init__(use_cursor=False)
                self._parsed: dict[str, Any] = {}

            def _run(self, conn: Any, sql: str, parameters: Any) -> Any:
                parsed = self._parsed.get(sql)
                if parsed is None:
                    (parsed,) = conn.extract_statements(sql)
                    self._parsed[sql] = parsed
                return conn.execute(parsed, parameters)

            def select(
                self, conn: Any, query_name: str, sql: str, parameters: Any, record_class: Any = None
            ) -> Generator[dict[str, Any], None, None]:
                rows = self._run(conn, sql, parameters).fetchall()
                names = [column[0] for column in conn.description or ()]
                return (dict(zip(names, row, strict=True)) for row in rows)

            def select_one(
                self, conn: Any, query_name: str, sql: str, parameters: Any, record_class: Any = None
            ) -> Any:
                return next(self.select(conn, query_name, sql, parameters), None)

            def select_value(self, conn: Any, query_name: str, sql: str, parameters: Any) -> Any:
                # All rows are taken: a result left half read keeps a transaction open, which blocks checkpoints.
                rows = self._run(conn, sql, parameters).fetchall()
                return rows[0][0] if rows else None

            def insert_update_delete(self, conn: Any, query_name: str, sql: str, parameters: Any) -> int:
                count: int = self._run(conn, sql, parameters).rowcount
                return count

            def insert_update_delete_many(self, conn: Any, query_name: str, sql: str, parameters: Any) -> int:
                for row in parameters:
                    self._run(conn, sql, row)
                return len(parameters)

            def execute_script(self, conn: Any, sql: str) -> str:
                self._run(conn, sql, None)
                return "DONE"

        return InPlace()

    def named(self, error: Exception) -> StoreError | None:
        """Full disks, lost rights and damaged files, told apart by what the system said."""
        import duckdb

        unwritten = isinstance(error, duckdb.TransactionException) and "Could not write" in str(error)
        if unwritten or isinstance(error, duckdb.IOException | duckdb.FatalException | OSError):
            return self.named_for(error, None)
        return None

    def named_for(self, error: Exception, path: Path | None) -> StoreError:
        """The same with the file's name, for failures of opening."""
        what = str(error).splitlines()[0][:300]
        met = IN_FILE.search(what)
        where = f"the store {path or (met[1] if met else '')}".rstrip()
        low = what.casefold()
        if "no space" in low or any(os.strerror(number).casefold() in low for number in FULL):
            return StoreUnwritable(f"{where} cannot be written: the disk is full", "free some space, then run it again")
        if "permission denied" in low or "read-only" in low:
            return StoreUnwritable(f"{where} cannot be opened: {what}", "check who owns the file and its folder")
        if MISSING in low:
            return StoreUnwritable(f"{where} cannot be made: {MISSING}", "look at the path: is its folder there?")
        if "newer" in low or "version number" in low or "serialization" in low:
            return StoreTooNew(f"{where} was written by a newer DuckDB: {what}", "upgrade Afterpass")
        return StoreDamaged(
            f"{where} cannot be read: {what}", "move the file aside, restore a backup, and run it again"
        )

    def is_conflict(self, error: Exception) -> bool:
        """Transactions of one process run one at a time, so none is lost to another."""
        return False

    def tuples(self, raw: Any, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Every row of a statement, without the names of its columns."""
        rows: list[tuple[Any, ...]] = raw.execute(sql, dict(values)).fetchall()
        return rows

    def alone(self, raw: Any) -> AbstractContextManager[Any]:
        """The process that has the file is alone with it."""
        return nullcontext()

    def hold_writers(self, raw: Any) -> None:
        """There are none but this one."""

    def read_rows(self, raw: Any, table: str, names: Sequence[str], team: str, batch: int) -> Iterator[tuple[Any, ...]]:
        """A table's rows of a team; the names are the schema's own."""
        result = raw.execute(f"SELECT {', '.join(names)} FROM {table} WHERE team = ?", [team])  # noqa: S608
        while rows := result.fetchmany(batch):
            yield from rows

    def write_rows(self, raw: Any, table: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Rows into a table, many at a time."""
        appender = raw.appender(table, columns=list(names))
        for chunk in _chunks(rows):
            appender.append_rows(chunk)
            appender.flush()


class PostgresDialect:
    """A server that a team shares. Every transaction is serializable, and run again where another was faster."""

    name = "postgres"

    def adapter(self) -> Any:
        """aiosql's adapter for psycopg as it is."""
        from aiosql.adapters.pyformat import PyFormatAdapter

        return PyFormatAdapter()  # type: ignore[no-untyped-call]  # aiosql's adapters carry no annotations

    def named(self, error: Exception) -> StoreError | None:
        """Lost connections, full disks and missing rights."""
        import psycopg

        if isinstance(error, psycopg.errors.DiskFull):
            return StoreUnwritable("the store's server has no space left", "free some, then run it again")
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return StoreUnwritable(f"the store's server refuses: {_first_line(error)}", "check the role's rights")
        if isinstance(error, psycopg.errors.SerializationFailure | psycopg.errors.DeadlockDetected):
            return StoreLocked("others kept writing to the shared store for too long", "run the command again")
        if isinstance(error, psycopg.OperationalError):
            return StoreUnreachable(
                f"the store's server does not answer: {_first_line(error)}", "check AFTERPASS_STORE"
            )
        return None

    def is_conflict(self, error: Exception) -> bool:
        """Serialization failures, deadlocks, and two that insert the same row."""
        import psycopg

        conflicts = psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected, psycopg.errors.UniqueViolation
        return isinstance(error, conflicts)

    def tuples(self, raw: Any, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Every row of a statement, without the names of its columns."""
        return [tuple(row.values()) for row in raw.execute(sql, dict(values)).fetchall()]

    @contextmanager
    def alone(self, raw: Any) -> Iterator[None]:
        """While one connection changes the schema, others wait. Held outside the transaction, so that what the others
        did is seen in it.
        """
        key = "hashtext('afterpass ' || current_schema())"
        raw.execute(f"SELECT pg_advisory_lock({key})")
        try:
            yield
        finally:
            raw.execute(f"SELECT pg_advisory_unlock({key})")

    def hold_writers(self, raw: Any) -> None:
        """Locks that let readers pass. LOCK takes no snapshot: what others did until now is seen."""
        from store.transfer import TABLES

        raw.execute(f"LOCK TABLE {', '.join(TABLES)} IN SHARE ROW EXCLUSIVE MODE")

    def read_rows(self, raw: Any, table: str, names: Sequence[str], team: str, batch: int) -> Iterator[tuple[Any, ...]]:
        """A table's rows of a team, through a cursor of the server; the names are the schema's own."""
        with raw.cursor(name=f"read_{table}") as cursor:
            cursor.itersize = batch
            cursor.execute(f"SELECT {', '.join(names)} FROM {table} WHERE team = %s", [team])  # noqa: S608
            for row in cursor:
                yield tuple(row.values())

    def write_rows(self, raw: Any, table: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Rows into a table, by COPY."""
        with raw.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(names)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


DUCKDB = DuckDBDialect()
POSTGRES = PostgresDialect()


def dialect_named(name: str) -> DuckDBDialect | PostgresDialect:
    """The dialect of a name. Raises KeyError for an unknown one."""
    dialects: dict[str, DuckDBDialect | PostgresDialect] = {DUCKDB.name: DUCKDB, POSTGRES.name: POSTGRES}
    return dialects[name]


def _chunks(rows: Iterable[Sequence[Any]], size: int = 10_000) -> Iterator[list[Sequence[Any]]]:
    remaining = iter(rows)
    while chunk := list(islice(remaining, size)):
        yield chunk


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]
