"""How an extractor fails. A failure is an error with a next step, never an empty list of candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policy.errors import AfterpassError

if TYPE_CHECKING:
    from extractors.interface import Call


class ExtractorError(AfterpassError):
    """An extraction that gave no result: the step it failed in, what happened, and what to try next.

    ``calls`` are the model calls that were made before it failed, for the log.
    """

    def __init__(self, step: str, error: str, next: str) -> None:  # noqa: A002 - the failure's field in every report
        super().__init__(f"{step}: {error}", next)
        self.args = (step, error, next)  # what pickling calls the class with
        self.step = step
        self.error = error
        self.next = next
        self.calls: tuple[Call, ...] = ()


class Transient(ExtractorError):  # noqa: N818 - named for what the caller does with it: try again later
    """The same session may well succeed later: the server is down, slow, busy, or its reply was broken.

    ``retry_after`` is the number of seconds that the server asked for, or None. ``attempts`` bounds how often it is
    worth asking: nobody starts a server within seconds.
    """

    retry_after: float | None = None
    attempts: int | None = None


class Terminal(ExtractorError):  # noqa: N818 - named for what the caller does with it: stop trying
    """Trying again changes nothing until a person acts: unknown model, refused credentials, unusable settings."""


class ContextTooLong(Terminal):
    """The window does not fit the model's context. Answered with smaller windows, not with a retry."""
