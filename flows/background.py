"""The pass that a hook starts, detached from the agent. At most one runs and at most one waits.

A waiting one costs next to nothing: what a pass needs is loaded when there is something to read.
"""

from __future__ import annotations

import contextlib
import os
import time
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from flows.inbox import Marker, read_inbox
from flows.locks import ProcessLock
from policy.errors import AfterpassError

if TYPE_CHECKING:
    from policy.settings import Settings

WAITING, RUNNING = "background.waiting", "background.running"
LOOK_EVERY = 1.0
"""Seconds between two looks into the inbox while a turn that ended has yet to rest."""
LOG_LIMIT = 1 << 20

Tried = set[tuple[str, int, int]]
"""Markers that this process has passed over, with the size and time of their transcripts then."""


def main(home: str) -> int:
    """Detach, wait in line, pass over what has ended. Returns 0; what went wrong is a line in ``background.log``."""
    _detach()
    place = Path(home)
    try:
        from policy.settings import load_settings

        _stay(load_settings(place))
    except AfterpassError as error:
        _log(place, f"failed: {error}")
    except Exception as error:  # noqa: BLE001 - nobody watches this process: its log line is all that would be known
        _log(place, f"failed: {type(error).__name__}: {error}; the sessions stay recorded (try: afterpass run)")
    return 0


def _detach() -> None:
    """Own session, no inherited descriptors: the agent must neither wait for this process nor take it along."""
    with contextlib.suppress(PermissionError):  # where the spawn has made one already
        os.setsid()
    os.closerange(3, 256)


def _stay(settings: Settings) -> None:
    """Wait for a finished session, pass, and look again, until nothing more is expected soon."""
    tried: Tried = set()
    waiting, running = ProcessLock(settings.home / WAITING), ProcessLock(settings.home / RUNNING)
    while waiting.acquire(wait=False):
        try:
            found = _await_finished(settings, tried)
            if found:
                running.acquire(wait=True)
        finally:
            waiting.release()  # from here on, a new hook starts the next one in line
        if not found:
            if _outlook(settings, tried) is Outlook.NOTHING:
                return
            continue  # a hook came between the last look and the release, and relied on this process
        try:
            tried |= {_as_it_lies(marker) for marker in read_inbox(settings.inbox)[0]}
            _pass(settings)
        finally:
            running.release()


def _as_it_lies(marker: Marker) -> tuple[str, int, int]:
    """The marker with its transcript's present state: records that come late make it worth another look."""
    try:
        status = marker.path.stat() if marker.path is not None else None
    except OSError:
        status = None
    return (marker.file.name, status.st_size, status.st_mtime_ns) if status else (marker.file.name, -1, -1)


class Outlook(Enum):
    """What the inbox promises, apart from what this process has tried already."""

    ENDED = "a session has ended"
    SOON = "one may end soon: a turn has ended, or a transcript is about to be written"
    NOTHING = "nothing is to be expected"


def _await_finished(settings: Settings, tried: Tried) -> bool:
    """Whether a session has ended; while one may soon, wait for it."""
    while (outlook := _outlook(settings, tried)) is Outlook.SOON:
        time.sleep(LOOK_EVERY)
    return outlook is Outlook.ENDED


def _outlook(settings: Settings, tried: Tried) -> Outlook:
    now = datetime.now(UTC)
    new = [marker for marker in read_inbox(settings.inbox)[0] if _as_it_lies(marker) not in tried]
    # A turn that has still not rested by then goes on in another turn, whose end the hook will tell.
    patience = timedelta(minutes=settings.turn_end_minutes, seconds=5 * LOOK_EVERY)
    if any(_has_ended(marker, settings, patience, now) for marker in new):
        return Outlook.ENDED
    return Outlook.SOON if any(now - marker.at < patience for marker in new) else Outlook.NOTHING


def _has_ended(marker: Marker, settings: Settings, patience: timedelta, now: datetime) -> bool:
    from flows.gather import has_ended

    if marker.path is None or not marker.path.is_file():
        return marker.path is None or now - marker.at >= patience  # only the pass can search for it
    return has_ended(marker, marker.path, settings.turn_end_minutes, now)


def _pass(settings: Settings) -> None:
    from flows.run import run

    result = run(settings, kind="hook", explicit=False)
    counts = ", ".join(f"{count} {state}" for state, count in result.sessions.items() if count) or "nothing to do"
    _log(settings.home, f"pass: {counts}")
    for failure in result.failures:
        _log(settings.home, f"left: {failure.session}: {failure.step}: {failure.error} ({failure.next})")


def _log(home: Path, line: str) -> None:
    """One line, with its time."""
    path = home / "background.log"
    if path.exists() and path.stat().st_size > LOG_LIMIT:
        path.replace(home / "background.log.1")
    with path.open("a", encoding="utf-8", errors="replace") as log:
        log.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(line.split())[:1000]}\n")
