"""What keeps a home tidy, and what tells that something has gone silent."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.inbox import read_inbox

if TYPE_CHECKING:
    from policy.settings import Settings

LEFTOVER_SECONDS = 3600
"""A temporary file of a hook that is older was left by one that was killed while it wrote."""
SILENT_DAYS = 7


@dataclass(frozen=True, slots=True)
class Tidied:
    """What one round of upkeep did: files of killed hooks removed, the store's own upkeep, the pending sessions."""

    leftovers: int
    store: dict[str, Any]
    sessions: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """The same as one JSON object."""
        return {"leftovers": self.leftovers, "store": self.store, "sessions": self.sessions}


@dataclass(frozen=True, slots=True)
class Week:
    """The week in numbers. ``alarms`` says in words what a person should look at; empty is good news."""

    passes: int
    sessions: dict[str, int]
    reviews_open: int
    hooks_waiting: int
    alarms: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The same as one JSON object."""
        return {
            "passes": self.passes,
            "sessions": dict(self.sessions),
            "reviews_open": self.reviews_open,
            "hooks_waiting": self.hooks_waiting,
            "alarms": list(self.alarms),
        }


def upkeep(settings: Settings) -> Tidied:
    """Remove what killed hooks left, let the store end and erase what is due, and take up sessions that waited.

    Raises AfterpassError.
    """
    from flows.run import run
    from store.store import Store

    leftovers = remove_leftovers(settings.inbox)
    store, now = Store(settings.home, url=settings.store, lock_timeout=settings.lock_timeout), datetime.now(UTC)
    kept = store.upkeep(now=now).to_json()
    with store.connect() as db:
        due = [path for row in db.pending(now=now) if (path := Path(row.path)).is_file()]
    sessions = run(settings, due, kind="upkeep", explicit=False).sessions if due else {}
    return Tidied(leftovers, kept, sessions)


def remove_leftovers(inbox: Path) -> int:
    """Remove temporary files that no hook is writing any more; how many. Markers stay."""
    removed = 0
    for file in inbox.glob(".*.tmp") if inbox.is_dir() else []:
        try:
            if time.time() - file.stat().st_mtime > LEFTOVER_SECONDS:
                file.unlink()
                removed += 1
        except FileNotFoundError:
            continue
    return removed


def week(settings: Settings, now: datetime | None = None) -> Week:
    """Look back at seven days. Raises StoreError."""
    from store.store import Store

    now = now or datetime.now(UTC)
    with Store(settings.home, url=settings.store, lock_timeout=settings.lock_timeout).connect() as db:
        passes = [item for item in db.passes(10_000) if item.started_at >= now - timedelta(days=SILENT_DAYS)]
        status = db.status()
        failures = db.failures()
    markers, broken = read_inbox(settings.inbox)
    alarms = []
    if not passes:
        alarms.append(f"no pass ran in {SILENT_DAYS} days: is the hook installed? (afterpass doctor)")
    elif not any((item.summary or {}).get("sessions", {}).get("done") for item in passes):
        alarms.append(f"{len(passes)} passes in {SILENT_DAYS} days read no session (afterpass doctor)")
    unfinished = [item for item in passes if item.finished_at is None and now - item.started_at > timedelta(hours=12)]
    if unfinished:
        alarms.append(f"{len(unfinished)} passes began and never ended (background.log, afterpass status)")
    if failures:
        alarms.append(f"{len(failures)} sessions are left with an error (afterpass run --retry-failed)")
    old = [marker for marker in markers if now - marker.at > timedelta(days=2)]
    if old or broken:
        alarms.append(f"{len(old) + len(broken)} hook markers are older than two days or unreadable (afterpass status)")
    return Week(len(passes), dict(status.sessions), status.reviews_open, len(markers), tuple(alarms))
