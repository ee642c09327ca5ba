"""What goes wrong while a transcript is found and opened. A bad record inside one is a value, not an error."""

from __future__ import annotations

from policy.errors import AfterpassError


class TranscriptError(AfterpassError):
    """A transcript could not be read at all. The message says what, where, and the next command to try."""

    def __init__(self, what: str, where: object, next_step: str) -> None:
        """Keep the three parts apart, so that a command can print them in its own shape."""
        super().__init__(what, next_step)
        self.where = str(where)

    def __str__(self) -> str:
        """What, where, and the next command."""
        return f"{self.what}: {self.where} (next: {self.next_step})"


class AmbiguousTranscript(TranscriptError):  # noqa: N818 - named for what it says, like a verdict
    """Two readers claim the same file: one of their ``identify`` functions is too generous."""

    def __init__(self, where: object, readers: list[str]) -> None:
        """Name every reader that claims the file."""
        super().__init__(
            f"{len(readers)} readers claim this transcript ({', '.join(readers)})",
            where,
            "afterpass doctor",
        )
        self.readers = tuple(readers)
