"""Where the store is, and how it is opened for a unit of work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from store.database import OpenStore
from store.dialects import DUCKDB
from store.duckfile import duck_file
from store.migrate import bring_up_to_date
from store.records import Upkeep
from store.sql import Sql
from store.upkeep import Horizons

FILE = "afterpass.duckdb"


class Store:
    """A store in a home folder. Nothing is opened or made before :meth:`connect`.

    ``lock_timeout`` is how many seconds another process's hold on the file is waited for.
    """

    def __init__(self, home: Path, *, url: str | None = None, lock_timeout: float = 60) -> None:
        self.home = Path(home)
        self.url = url
        self.lock_timeout = lock_timeout

    @property
    def path(self) -> Path:
        """The database file."""
        return self.home / FILE

    @contextmanager
    def connect(self) -> Iterator[OpenStore]:
        """Open, bring the schema up to date, and close afterwards. Keep it short: another process may be waiting.

        Raises StoreLocked, StoreTooNew, StoreDamaged, StoreUnwritable.
        """
        file = duck_file(self.path.absolute())
        with file.connection(self.lock_timeout, self._prepare) as connection:
            yield OpenStore(Sql(connection, DUCKDB, "", file.work_lock), self.path)

    def compact(self) -> None:
        """Write the file anew, so that nothing erased stays in its bytes. Raises StoreLocked and the like."""
        duck_file(self.path.absolute()).rewrite(self.lock_timeout, self._prepare, self._compacted)

    def upkeep(self, *, now: datetime, horizons: Horizons | None = None, dry_run: bool = False) -> Upkeep:
        """The expiry job: ends, archives, erases and thins out, then compacts where something was erased."""
        with self.connect() as db:
            done = db.upkeep(now=now, horizons=horizons, dry_run=dry_run)
        if done.compact and not dry_run:
            self.compact()
        return done

    def _compacted(self, connection: Any) -> None:
        sql = Sql(connection, DUCKDB, "", threading.RLock())
        sql.transact(lambda: sql.change("done_chore", name="compact"))

    def _prepare(self, connection: Any) -> None:
        bring_up_to_date(Sql(connection, DUCKDB, "", threading.RLock()), f"the store {self.path}")
