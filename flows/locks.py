"""One process at a time, by a lock that the system takes back when its holder dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType


class ProcessLock:
    """An advisory lock on a file. Killing the holder frees it; the file itself stays and means nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self, *, wait: bool) -> bool:
        """Take the lock; with ``wait`` after whoever holds it, else False when somebody does."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        except BaseException:
            os.close(file)
            raise
        self._file = file
        return True

    def release(self) -> None:
        """Give it back; nothing happens when it is not held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> ProcessLock:
        self.acquire(wait=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
