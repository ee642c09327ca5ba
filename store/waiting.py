"""Waiting for the file: a system lock, and a line of tickets before it. Bounded, fair, and cheap to ask again."""

from __future__ import annotations

import fcntl
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from store.errors import StoreLocked, StoreUnwritable

T = TypeVar("T")
LEFT_BEHIND_NS = 60 * 10**9


class Held(Exception):  # noqa: N818 - never leaves the two files about the file
    """Somebody else has the file; the message says who, where the system tells."""


def take_turn(path: Path, timeout: float) -> int:
    """The file's lock, in the order in which it was asked for: nobody who has just let go comes before those who wait.

    Each waiter holds a ticket, a file named by its time and locked while its process lives. The first in line asks for
    the lock often, the others look at the line now and then. Both waits are bounded.
    """
    began, lock = time.monotonic(), path.with_suffix(".lock")
    ticket, mine = wait_for(lambda: _ticket(path.with_suffix(".queue")), timeout, path, 0.005, 0.03)
    try:
        wait_for(lambda: _come_first(ticket, lock), timeout, path, 0.005, 0.03)
        left = max(0.0, timeout - (time.monotonic() - began))
        return wait_for(lambda: _flock(lock), left, path, 0.001, 0.003, told=timeout)
    finally:
        ticket.unlink(missing_ok=True)
        os.close(mine)


def _ticket(queue: Path) -> tuple[Path, int]:
    """A new ticket at the end of the line, and the lock on it. It comes into the line locked, by its last name."""
    queue.mkdir(mode=0o700, exist_ok=True)
    ticket = queue / f"{time.time_ns():020d}-{os.getpid()}-{threading.get_ident()}"
    hidden = queue / f".{ticket.name}"
    mine = _flock(hidden)
    try:
        hidden.rename(ticket)
    except BaseException:
        os.close(mine)
        raise
    return ticket, mine


def _come_first(ticket: Path, lock: Path) -> None:
    """Raises Held while a living process waits before this one. Tickets of the dead are taken out of the line."""
    for other in sorted(ticket.parent.iterdir()):
        if other.name.startswith("."):  # being made, or left by a process that was killed while it made it
            if time.time_ns() - int(other.name[1:21]) > LEFT_BEHIND_NS:
                other.unlink(missing_ok=True)
        elif other.name < ticket.name:
            if not _is_abandoned(other):
                raise Held(_holder_of(lock))
            other.unlink(missing_ok=True)


def _is_abandoned(ticket: Path) -> bool:
    try:
        os.close(_flock(ticket, create=False))
    except Held:
        return False
    except FileNotFoundError:
        pass
    return True


def _holder_of(lock: Path) -> str:
    """Who has the lock, as it wrote itself into the file."""
    try:
        return lock.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _flock(path: Path, *, create: bool = True) -> int:
    """An exclusive lock that the system takes back from a dead process; cheap to ask for again and again."""
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0), 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise Held(_holder_of(path)) from None
    except BaseException:
        os.close(descriptor)
        raise
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"process {os.getpid()}\n".encode(), 0)
    return descriptor


def wait_for(
    attempt: Callable[[], T], timeout: float, path: Path, low: float, high: float, told: float | None = None
) -> T:
    """Try until nobody holds the file. Jitter keeps waiters from asking in step; a fixed range keeps it fair.

    ``told`` is how long the wait is said to have been, where it began before. Raises StoreLocked, StoreUnwritable.
    """
    from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random

    again = Retrying(
        retry=retry_if_exception_type(Held), wait=wait_random(low, high), stop=stop_after_delay(timeout), reraise=True
    )
    try:
        return again(attempt)
    except Held as error:
        holder = str(error) or "another process"
        raise StoreLocked(
            f"the store {path} was held by {holder} for more than {told or timeout:g} seconds",
            f"let it finish or end it (`ps -p {_pid(holder)}` shows what it is), then run the command again",
        ) from None
    except OSError as error:
        raise StoreUnwritable(
            f"the store {path} cannot be opened: {error.strerror}", f"check the rights of {path.parent}"
        ) from error


def holder_in(message: str) -> str:
    found = re.search(r"PID (\d+)", message)
    return f"process {found[1]}" if found else ""


def _pid(holder: str) -> str:
    found = re.search(r"\d+", holder)
    return found[0] if found else "PID"
