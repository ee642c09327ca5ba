"""Opening only what ends: a named pipe or a device would be waited for, or read, for ever."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

HANDED_ON = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""What a shell hands on (``<(…)``, a pipe into ``/dev/stdin``): somebody writes at the other end."""
KINDS = {
    stat.S_IFIFO: "a named pipe, not a file",
    stat.S_IFSOCK: "a socket, not a file",
    stat.S_IFCHR: "a device, not a file",
    stat.S_IFBLK: "a device, not a file",
}


def must_end(path: Path) -> None:
    """Raises OSError for a named pipe, a socket or a device, and where the path leads nowhere."""
    mode = path.stat().st_mode
    if stat.S_ISREG(mode) or str(path) == os.devnull:
        return
    kind = KINDS.get(stat.S_IFMT(mode))
    if kind:
        raise OSError(errno.EINVAL, kind, str(path))


def read_bytes(path: Path) -> bytes:
    """The content of a file, or of what a shell hands on. Raises OSError, also for what is neither."""
    if not str(path).startswith(HANDED_ON):
        must_end(path)
    return path.read_bytes()
