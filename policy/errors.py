"""The one base of every failure that is explained to a person in a line."""

from __future__ import annotations


class AfterpassError(Exception):
    """A failure with a name: what happened and where, and the next thing to try."""

    def __init__(self, what: str, next_step: str = "") -> None:
        super().__init__(what, next_step)
        self.what = what
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.what} ({self.next_step})" if self.next_step else self.what


class UsageError(AfterpassError):
    """A value that cannot be parsed: the command was called wrongly."""


def reason(error: BaseException) -> str:
    """What the operating system said, without its number and a place that the message names anyway; else the error."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
