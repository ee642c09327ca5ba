"""What the ledger knew when the last pass ended, for passes that find nothing new: they need not open the store.

A snapshot holds for one state of the database file and for a day. It is only a copy: whatever it does not cover, or
whenever it does not fit, the store is asked.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from policy.settings import Settings

FILE = "seen.json"
RECORD_EVERY = 20 * 3600.0
"""Seconds after which a pass is put on record even if it finds nothing: the status must be able to tell silence."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Path to (size in bytes, mtime in ns) of every file that was on record as done or skipped."""

    seen: dict[str, tuple[int, int]]


def load(settings: Settings, store_file: Path) -> Snapshot | None:
    """The snapshot, where it still says what the store would say; else None."""
    if settings.store is not None:
        return None
    try:
        told = orjson.loads((settings.home / FILE).read_bytes())
        if told["store"] != _stamp(store_file) or not 0 <= time.time() - told["at"] < RECORD_EVERY:
            return None
        return Snapshot({name: (size, mtime_ns) for name, size, mtime_ns in told["seen"]})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save(settings: Settings, store_file: Path, seen: dict[str, tuple[int, int]]) -> None:
    """Keep a snapshot. Call it with the store closed; a failure to write costs nothing but time."""
    if settings.store is not None:
        return
    try:
        told = {"store": _stamp(store_file), "at": time.time(), "seen": [(name, *rest) for name, rest in seen.items()]}
        temporary = settings.home / f".{FILE}.{os.getpid()}"
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(orjson.dumps(told))
        temporary.replace(settings.home / FILE)
    except (OSError, TypeError):
        discard(settings)


def discard(settings: Settings) -> None:
    """Forget the snapshot: something is pending, so that the next pass has to ask the store."""
    (settings.home / FILE).unlink(missing_ok=True)


def _stamp(store_file: Path) -> list[int]:
    """The state of the database file: any write to it changes this. A write-ahead log beside it is no settled state."""
    if Path(f"{store_file}.wal").exists():
        raise OSError("the store is in use")
    status = store_file.stat()
    return [status.st_ino, status.st_size, status.st_mtime_ns]
