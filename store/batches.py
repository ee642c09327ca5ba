"""Many sessions in a few statements: claims, and landings that keep nothing but how far was read.

Sessions whose landing changes no fact, no queue and no log of candidates share a transaction: each row of it is whole,
so none can be half kept. A landing with decisions has a transaction of its own, see :mod:`store.landing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from store.answered import mark_answered
from store.landing import finished_values
from store.ledger import as_row, fresh_row, is_free, take, taken_row
from store.log_rows import call_rows
from store.notes import keep_note
from store.readback import mark_used
from store.records import Landing, LedgerRow, SessionFile
from store.scrub import Scrub
from store.sql import Sql, columns, transactional


class BatchesOf:
    """The batches' part of an open store; see :class:`store.interface.Ledger`."""

    sql: Sql

    @transactional
    def claim_many(
        self,
        files: Sequence[SessionFile],
        *,
        worker: str,
        now: datetime,
        lease_seconds: float = 900,
        ignore_wait: bool = False,
    ) -> list[LedgerRow | None]:
        until = now + timedelta(seconds=lease_seconds)
        found = self.sql.rows("sessions_by_keys", keys=[file.key for file in files]) if files else []
        rows = {row["key"]: as_row(row) for row in found}
        fresh: dict[str, SessionFile] = {}
        claimed: list[LedgerRow | None] = []
        for file in files:
            row = rows.get(file.key)
            if row is None and file.key not in fresh:
                fresh[file.key] = file
                claimed.append(taken_row(fresh_row(file, now), file, worker, until, now))
            elif row is None or not is_free(row, file, now, ignore_wait=ignore_wait, again=False):
                claimed.append(None)
            else:
                claimed.append(taken := take(self.sql, row, file, worker, until, now))
                rows[file.key] = taken or row
        if fresh:
            names = ("agent", "native_id", *_OF_A_FILE)
            values = columns({name: getattr(file, name) for name in names} for file in fresh.values())
            self.sql.change("add_sessions", **values, worker=worker, lease_until=until, now=now)
        return claimed

    @transactional
    def land_quiet(self, landings: Sequence[Landing]) -> set[str]:
        if any(landing.decisions or landing.worker is None for landing in landings):
            raise ValueError("a quiet landing has no decisions, and a lease")
        if not landings:
            return set()
        first = landings[0]
        values = columns(finished_values(landing) for landing in landings)
        done = {row["key"] for row in self.sql.rows("finish_sessions", **values, worker=first.worker, now=first.now)}
        kept = [landing for landing in landings if landing.file.key in done]
        self._see([landing.file for landing in kept], first.now)
        for landing in kept:
            keep_note(self.sql, landing, Scrub(None))
        calls = [row for landing in kept for row in call_rows(landing, Scrub(None))]
        if calls:
            self.sql.change("add_calls", **columns(calls))
        read = [landing.session for landing in kept]
        mark_used(self.sql, read)
        mark_answered(self.sql, read)
        return done

    def _see(self, files: Sequence[SessionFile], now: datetime) -> None:
        seen = {row["path"] for row in self.sql.rows("paths_seen", paths=[file.path for file in files])}
        fresh = {file.path: file for file in files if file.path not in seen}
        for file in files:
            if file.path in seen:
                values = {"path": file.path, "size": file.size, "mtime_ns": file.mtime_ns}
                self.sql.change("see_file_again", **values, session_key=file.key, now=now)
        if fresh:
            rows = [
                {"path": file.path, "session_key": file.key, "size": file.size, "mtime_ns": file.mtime_ns}
                for file in fresh.values()
            ]
            self.sql.change("see_files", **columns(rows), now=now)


_OF_A_FILE = ("key", "path", "size", "mtime_ns", "fingerprint", "repo", "developer", "started_at", "ended_at")
