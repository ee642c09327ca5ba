"""What differs between the databases under the same SQL."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from store.errors import StoreDamaged, StoreError, StoreTooNew, StoreUnwritable


class DuckDBDialect:
    """One file on this machine."""

    name = "duckdb"

    def adapter(self) -> Any:
        """aiosql's own adapter closes what it runs on; a store's connection has to outlive its statements."""
        from aiosql.adapters.duckdb import DuckDBAdapter

        class InPlace(DuckDBAdapter):
            def insert_update_delete(self, conn: Any, query_name: str, sql: str, parameters: Any) -> int:
                count: int = conn.execute(sql, parameters).rowcount
                return count

            def insert_update_delete_many(self, conn: Any, query_name: str, sql: str, parameters: Any) -> int:
                conn.executemany(sql, parameters)
                return len(parameters)

            def select_value(self, conn: Any, query_name: str, sql: str, parameters: Any) -> Any:
                row = conn.execute(sql, parameters).fetchone()
                return row[0] if row else None

            def execute_script(self, conn: Any, sql: str) -> str:
                conn.execute(sql)
                return "DONE"

        return InPlace(cursor_as_dict=True, use_cursor=False)

    def named(self, error: Exception) -> StoreError | None:
        """Full disks, lost rights and damaged files, told apart by what the system said."""
        import duckdb

        if isinstance(error, duckdb.IOException | duckdb.FatalException | OSError):
            return self.named_for(error, None)
        return None

    def named_for(self, error: Exception, path: Path | None) -> StoreError:
        """The same with the file's name, for failures of opening."""
        what = str(error).splitlines()[0][:300]
        where = f"the store {path}" if path else "the store"
        low = what.casefold()
        if "no space" in low or os.strerror(errno.ENOSPC).casefold() in low:
            return StoreUnwritable(f"{where} cannot be written: the disk is full", "free some space, then run it again")
        if "permission denied" in low or "read-only" in low:
            return StoreUnwritable(f"{where} cannot be opened: {what}", "check who owns the file and its folder")
        if "newer" in low or "version number" in low or "serialization" in low:
            return StoreTooNew(f"{where} was written by a newer DuckDB: {what}", "upgrade Afterpass")
        return StoreDamaged(
            f"{where} cannot be read: {what}", "move the file aside, restore a backup, and run it again"
        )

    def is_conflict(self, error: Exception) -> bool:
        """Transactions of one process run one at a time, so none is lost to another."""
        return False


DUCKDB = DuckDBDialect()


def dialect_named(name: str) -> DuckDBDialect:
    """The dialect of a name. Raises KeyError for an unknown one."""
    return {"duckdb": DUCKDB}[name]
