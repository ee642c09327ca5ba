"""Who holds a lease: one process of one machine, named so that its death can be seen."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def worker_name() -> str:
    """This process as ``host/pid/start``: ``start`` tells it from a later process that was given the same number."""
    return f"{platform.node()}/{os.getpid()}/{_start_of(os.getpid())}"


def is_dead(worker: str) -> bool:
    """Whether the worker was a process of this machine that no longer lives. Unknown or elsewhere counts as alive."""
    parts = worker.rsplit("/", 2)
    if len(parts) != 3 or parts[0] != platform.node() or not parts[1].isdigit():
        return False
    pid = int(parts[1])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # it lives, under another user
    start = _start_of(pid)
    return bool(start and parts[2] and start != parts[2])


def _start_of(pid: int) -> str:
    """The process's start in clock ticks since boot, or empty where the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
