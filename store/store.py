"""Where the store is, and how it is opened for a unit of work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from policy.errors import UsageError
from store import postgres
from store.database import OpenStore
from store.dialects import DUCKDB, POSTGRES
from store.duckfile import duck_file
from store.errors import StoreError, StoreUnwritable
from store.migrate import bring_up_to_date
from store.records import Upkeep
from store.snapshot import DATABASE, Snapshots
from store.sql import Sql
from store.upkeep import Horizons

FILE = DATABASE


class Store:
    """A store in a home folder, or on a server where ``url`` is ``postgresql://…?team=NAME``.

    Nothing is opened or made before :meth:`connect`. ``lock_timeout`` is how many seconds another process's hold on the
    file is waited for.
    """

    def __init__(self, home: Path, *, url: str | None = None, lock_timeout: float = 60) -> None:
        self.home = Path(home)
        self.url = url or None
        self.lock_timeout = lock_timeout
        self._up_to_date = False

    @property
    def path(self) -> Path:
        """The database file; a store on a server has none."""
        return self.home / FILE

    @property
    def where(self) -> str:
        """The store's place in words, for messages; without a password."""
        return f"the store {postgres.shown(self.url)}" if self.url else f"the store {self.path}"

    @contextmanager
    def connect(self) -> Iterator[OpenStore]:
        """Open, bring the schema up to date, and close afterwards. Keep it short: another process may be waiting.

        Raises StoreLocked, StoreTooNew, StoreDamaged, StoreUnwritable, StoreUnreachable.
        """
        if self.url:
            with self._server() as sql:
                yield OpenStore(sql, self.home, None)
            return
        file, snapshots = duck_file(self.path.absolute()), Snapshots(str(self.home.absolute()))
        if not self.path.exists():
            snapshots.drop_all()  # what an earlier database knew
        with file.connection(self.lock_timeout, self._prepare) as connection:
            sql = Sql(connection, DUCKDB, "", file.work_lock, snapshots)
            try:
                yield OpenStore(sql, self.home, self.path)
            finally:
                snapshots.write(sql)

    def compact(self) -> None:
        """Write everything anew, so that nothing erased stays in the bytes. Raises StoreLocked and the like."""
        if self.url:
            with self._server() as sql:
                postgres.vacuum(sql.raw)
                sql.transact(lambda: sql.change("done_chore", name="compact"))
            return
        duck_file(self.path.absolute()).rewrite(self.lock_timeout, self._prepare, self._compacted)

    def upkeep(self, *, now: datetime, horizons: Horizons | None = None, dry_run: bool = False) -> Upkeep:
        """The expiry job: ends, archives, erases and thins out, then compacts where something was erased."""
        with self.connect() as db:
            if not dry_run:
                db.take_recalls(now=now)
            done = db.upkeep(now=now, horizons=horizons, dry_run=dry_run)
            if not dry_run:
                db.sql.snapshots.renew_all()
        if done.compact and not dry_run:
            self.compact()
        return done

    def backup(self, target: Path) -> Path:
        """A whole and consistent copy of the database in a file of its own; others wait while it is made.

        A store on a server is backed up by the server's own tools, or exported. Raises StoreError, StoreUnwritable.
        """
        if self.url:
            raise StoreError("a store on a server has no file to back up", "use pg_dump, or `afterpass store export`")
        if target.exists():
            raise StoreUnwritable(f"{target} exists already", "give a name that is free")
        duck_file(self.path.absolute()).copy(target.absolute(), self.lock_timeout, self._prepare)
        return target

    def export(self, folder: Path, kind: str = "jsonl") -> dict[str, dict[str, Any]]:
        """Every table as JSON Lines or Parquet into a new folder, with a manifest; count and digest by table."""
        from store.transfer import FORMATS, export_all

        if kind not in FORMATS:
            raise UsageError(f"no export format {kind!r}", f"known are {', '.join(FORMATS)}")
        if folder.exists() and any(folder.iterdir()):
            raise StoreUnwritable(f"{folder} is not empty", "give a new folder")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.connect() as db:
            return export_all(db.sql, folder, kind)

    def import_from(self, folder: Path) -> dict[str, dict[str, Any]]:
        """An export into this store, which has to be empty; checked against its manifest."""
        from store.transfer import import_all

        with self.connect() as db:
            db.sql.snapshots.drop_all()
            return import_all(db.sql, folder)

    def copy_to(self, target: Store) -> dict[str, dict[str, Any]]:
        """Everything into another store, which has to be empty, and may be of the other kind; compared afterwards."""
        from store.transfer import copy_all

        with self.connect() as here, target.connect() as there:
            there.sql.snapshots.drop_all()
            return copy_all(here.sql, there.sql)

    @contextmanager
    def _server(self) -> Iterator[Sql]:
        """A connection to the server, with the schema brought up to date by the first one of this object."""
        url = self.url or ""
        with postgres.connection(url) as opened:
            sql = Sql(opened, POSTGRES, postgres.split_url(url)[1], threading.RLock())
            if not self._up_to_date:
                bring_up_to_date(sql, self.where)
                self._up_to_date = True
            yield sql

    def _compacted(self, connection: Any) -> None:
        sql = Sql(connection, DUCKDB, "", threading.RLock())
        sql.transact(lambda: sql.change("done_chore", name="compact"))

    def _prepare(self, connection: Any) -> None:
        bring_up_to_date(Sql(connection, DUCKDB, "", threading.RLock()), self.where)
