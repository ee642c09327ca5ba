"""What the operating system refused, in one line: what, where, and what to try."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from policy.errors import AfterpassError

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NEXT_STEPS = {
    errno.ENOENT: "look at the path: is its folder there?",
    errno.ENOTDIR: "look at the path: a part of it is a file",
    errno.EISDIR: "it is a folder: name a file in it",
    errno.EROFS: "name a place that can be written",
    errno.ENAMETOOLONG: "name a shorter path",
    errno.ELOOP: "its links lead in a circle: mend them, or name another place",
    errno.EMFILE: "close other programs, or raise `ulimit -n`",
    errno.ENFILE: "close other programs",
    errno.ENOMEM: "close other programs",
} | dict.fromkeys(FULL, "make room there, then run the command again")


def refused(error: OSError, where: object = None) -> AfterpassError:
    """The failure as a person reads it. ``where`` names the place for an error that does not."""
    place = where or error.filename or ("standard output" if _output_is_lost() else "")
    what = os.strerror(error.errno) if error.errno else str(error) or type(error).__name__
    look = f"`ls -ld {place}` shows who may use it" if place and place != "standard output" else "run it again"
    next_step = NEXT_STEPS.get(error.errno or 0, look)
    return AfterpassError(f"{place}: {what}" if place else f"the operating system refused: {what}", next_step)


@contextmanager
def at(where: object) -> Iterator[None]:
    """What the operating system refuses in here is told with its place: not every library names it."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise refused(error, where) from error


def let_go_of_output() -> OSError | None:
    """Write out what standard output still holds; where that is refused, drop it, and say why."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # What cannot be written stays in the buffer, and Python would complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error
    return None


def _output_is_lost() -> bool:
    """Whether it was standard output that was refused: it is refused again then."""
    return let_go_of_output() is not None
