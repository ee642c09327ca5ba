"""The ledger: which sessions were read, who is reading one now, and which wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from store.errors import AmbiguousId, LeaseLost
from store.ids import spread
from store.records import LedgerRow, SessionFile, SessionState
from store.redaction import clean
from store.sql import Sql, one_query, transactional
from store.workers import is_dead

MAX_ATTEMPTS = 5
FIRST_WAIT_SECONDS = 60
LONGEST_WAIT_SECONDS = 6 * 3600


class LedgerOf:
    """The ledger's part of an open store; see :class:`store.interface.Ledger`."""

    sql: Sql

    @one_query
    def seen_files(self) -> dict[str, tuple[int, int]]:
        return {path: (size, mtime_ns) for path, size, mtime_ns in self.sql.tuples("seen_files")}

    @one_query
    def ledger(self, key: str) -> LedgerRow | None:
        found = [as_row(row) for row in self.sql.rows("sessions_named", name=key)]
        exact = [row for row in found if row.key == key]
        if exact or len(found) < 2:
            return next(iter(exact or found), None)
        if all(row.path == key for row in found):
            return found[0]  # what the file holds now; before, it held something else
        raise AmbiguousId(f"several sessions are called {key}", f"use one of: {found[0].key}, {found[1].key}")

    @one_query
    def sessions(self, state: str | None = None) -> list[LedgerRow]:
        wanted = [state] if state else list(SessionState)
        return [as_row(row) for row in self.sql.rows("sessions_in", states=wanted)][::-1]

    @transactional
    def claim(
        self,
        file: SessionFile,
        *,
        worker: str,
        now: datetime,
        lease_seconds: float = 900,
        ignore_wait: bool = False,
        again: bool = False,
    ) -> LedgerRow | None:
        until = now + timedelta(seconds=lease_seconds)
        before = self.sql.one("session_by_key", key=file.key)
        if before is None:
            add_session(self.sql, file, SessionState.RUNNING, now, lease_owner=worker, lease_until=until)
            return taken_row(fresh_row(file, now), file, worker, until, now)
        row = as_row(before)
        if not is_free(row, file, now, ignore_wait=ignore_wait, again=again):
            return None
        return take(self.sql, row, file, worker, until, now)

    @one_query
    def renew(self, key: str, *, worker: str, now: datetime, lease_seconds: float = 900) -> bool:
        until = now + timedelta(seconds=lease_seconds)
        return self.sql.change("renew_lease", key=key, worker=worker, lease_until=until, now=now) == 1

    @one_query
    def release(self, key: str, *, worker: str, now: datetime) -> bool:
        return self.sql.change("give_session_back", key=key, worker=worker, now=now) == 1

    @transactional
    def enqueue(self, file: SessionFile, *, now: datetime) -> bool:
        if self.sql.value("has_session", key=file.key):
            return False
        add_session(self.sql, file, SessionState.PENDING, now)
        return True

    @transactional
    def record_skip(
        self, file: SessionFile, *, code: str, reason: str, now: datetime, worker: str | None = None
    ) -> None:
        values = {"skip_code": code, "skip_reason": clean(reason)}
        if not self.sql.value("has_session", key=file.key):
            add_session(self.sql, file, SessionState.SKIPPED, now, **values)
        else:
            changed = self.sql.change(
                "skip_session",
                key=file.key,
                path=file.path,
                size=file.size,
                mtime_ns=file.mtime_ns,
                fingerprint=file.fingerprint,
                worker=worker,
                now=now,
                **values,
            )
            if not changed:
                raise LeaseLost(
                    f"session {file.key} is being read by another worker", "nothing: that one answers for it"
                )
        see(self.sql, file, now)

    @transactional
    def record_failure(
        self, key: str, *, worker: str, step: str, error: str, next_step: str, terminal: bool, now: datetime
    ) -> LedgerRow | None:
        row = self._found(key)
        if row is None or row.state is not SessionState.RUNNING or row.lease_owner != worker:
            return None
        attempts = row.attempts + 1
        gives_up = terminal or attempts >= MAX_ATTEMPTS
        self.sql.change(
            "fail_session",
            key=key,
            worker=worker,
            state=SessionState.FAILED if gives_up else SessionState.PENDING,
            attempts=attempts,
            next_attempt_at=None if gives_up else now + _wait(key, attempts),
            error_step=step,
            error=clean(error),
            error_next=clean(next_step),
            now=now,
        )
        return self._found(key)

    @one_query
    def reopen_failed(self, *, now: datetime, keys: Sequence[str] | None = None) -> int:
        return self.sql.change("reopen_failed_sessions", every=keys is None, keys=list(keys or ()), now=now)

    @one_query
    def pending(self, *, now: datetime, ignore_wait: bool = False) -> list[LedgerRow]:
        rows = [as_row(row) for row in self.sql.rows("sessions_in", states=["pending", "running"])]
        return [row for row in rows if _waits_for_nobody(row, now, ignore_wait=ignore_wait)]

    @one_query
    def failures(self) -> list[LedgerRow]:
        rows = [as_row(row) for row in self.sql.rows("sessions_in", states=["pending", "failed"])]
        return [row for row in rows if row.error is not None]

    def _found(self, key: str) -> LedgerRow | None:
        row = self.sql.one("session_by_key", key=key)
        return as_row(row) if row else None


def add_session(sql: Sql, file: SessionFile, state: SessionState, now: datetime, **values: Any) -> None:
    """Put a session on record for the first time."""
    filled = {"skip_code": None, "skip_reason": None, "lease_owner": None, "lease_until": None, **values}
    header = {"agent": file.agent, "native_id": file.native_id, "state": state, "now": now}
    sql.change("add_session", **_file_values(file), **header, **filled)


def take(sql: Sql, row: LedgerRow, file: SessionFile, worker: str, until: datetime, now: datetime) -> LedgerRow | None:
    """Put a worker's lease on a session that is on record; None where another one was quicker."""
    attempts = row.attempts if row.state in (SessionState.PENDING, SessionState.RUNNING) else 0
    taken = sql.change(
        "take_session",
        **_file_values(file),
        worker=worker,
        lease_until=until,
        attempts=attempts,
        state=row.state,
        lease_owner=row.lease_owner,
        updated_at=row.updated_at,
        now=now,
    )
    return taken_row(replace(row, attempts=attempts), file, worker, until, now) if taken else None


def see(sql: Sql, file: SessionFile, now: datetime) -> None:
    """The file was taken into account as it is. Asked in two steps: an upsert costs several times as much."""
    values = {"path": file.path, "session_key": file.key, "size": file.size, "mtime_ns": file.mtime_ns, "now": now}
    if not sql.change("see_file_again", **values):
        sql.change("see_file", **values)


def fresh_row(file: SessionFile, now: datetime) -> LedgerRow:
    """A session that is claimed for the first time."""
    return LedgerRow(file.key, file.agent, file.native_id, file.path, SessionState.RUNNING, recorded_at=now)


def taken_row(row: LedgerRow, file: SessionFile, worker: str, until: datetime, now: datetime) -> LedgerRow:
    """The row as a claim leaves it, without asking for it again."""
    return replace(
        row,
        state=SessionState.RUNNING,
        path=file.path,
        size=file.size,
        mtime_ns=file.mtime_ns,
        fingerprint=file.fingerprint,
        repo=file.repo or row.repo,
        developer=file.developer or row.developer,
        started_at=file.started_at or row.started_at,
        ended_at=file.ended_at or row.ended_at,
        lease_owner=worker,
        lease_until=until,
        updated_at=now,
    )


def is_free(row: LedgerRow, file: SessionFile, now: datetime, *, ignore_wait: bool, again: bool) -> bool:
    """Whether the session can be claimed now."""
    if row.state in (SessionState.DONE, SessionState.SKIPPED):
        return again or row.fingerprint != file.fingerprint
    return _waits_for_nobody(row, now, ignore_wait=ignore_wait)


def _waits_for_nobody(row: LedgerRow, now: datetime, *, ignore_wait: bool) -> bool:
    if row.state is SessionState.PENDING:
        return ignore_wait or row.next_attempt_at is None or row.next_attempt_at <= now
    if row.state is SessionState.RUNNING:
        return row.lease_until is None or row.lease_until <= now or is_dead(row.lease_owner or "")
    return False


def _wait(key: str, attempts: int) -> timedelta:
    """One minute, doubling, up to six hours; spread by a third so that a server's outage does not end in a crowd."""
    seconds = min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS)
    return timedelta(seconds=seconds * (1 + spread(key, attempts) / 3))


def _file_values(file: SessionFile) -> dict[str, Any]:
    return {
        "key": file.key,
        "path": file.path,
        "size": file.size,
        "mtime_ns": file.mtime_ns,
        "fingerprint": file.fingerprint,
        "repo": file.repo,
        "developer": file.developer,
        "started_at": file.started_at,
        "ended_at": file.ended_at,
    }


def as_row(values: Mapping[str, Any]) -> LedgerRow:
    """A row of the sessions table."""
    return LedgerRow(**{**values, "state": SessionState(values["state"])})
