"""What a reader is, and how the head of a file is looked at without parsing the whole of it."""

from __future__ import annotations

import io
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol

from transcripts.jsonl import BLANK, parse, parse_joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

HEAD_BYTES = 65_536


class Reader(Protocol):
    """One agent's format. A module with these three names is a reader."""

    @property
    def name(self) -> str:
        """The agent's name, as sessions carry it."""

    def identify(self, file: TranscriptFile) -> bool:
        """Whether the content is this format; a name proves nothing."""

    def read(self, file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
        """The whole file as a session. ``automation`` counts what a program sent as the developer's words."""


class SeveralReader(Reader, Protocol):
    """A reader of files that may hold several sessions. Its ``read`` gives a file's only one, or the whole as one."""

    def read_all(
        self, file: TranscriptFile, *, automation: bool = False, only: str | None = None
    ) -> Iterator[Session | Skipped]:
        """Each session, or the ``only`` one of that id. Raises TranscriptError, also after some sessions."""


class HeadObjects:
    """The JSON objects on the first lines of a file, at most sixteen, parsed only as far as somebody looks.

    An unfinished last line is left out.
    """

    def __init__(self, head: bytes) -> None:
        """Nothing is parsed yet."""
        self._lines: Iterator[bytes] = islice(io.BytesIO(head), 64)
        self._found: list[dict[str, Any]] = []
        self._tried = False

    def first(self, count: int = 16) -> list[dict[str, Any]]:
        """The first ``count`` objects, or as many as there are."""
        while len(self._found) < min(count, 16):
            line = next(self._lines, None)
            if line is None:
                break
            line = line.strip(BLANK)
            if line.startswith(b"{"):
                self._found.extend(parse(line).objects or self._parted(line))
        return self._found[:count]

    def _parted(self, line: bytes) -> list[dict[str, Any]]:
        """A first record that raw newlines have cut into lines; where it is broken for good, what follows it."""
        if self._found or self._tried:
            return []
        self._tried = True
        following: list[bytes] = []
        for more in islice(self._lines, 32):
            following.append(more)
            line += b"\n" + more.rstrip(b"\n")
            records = parse_joined(line) if len(line) <= 2 * HEAD_BYTES else None
            if records is not None:
                return records
        self._lines = chain(following, self._lines)
        return []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """One after the other."""
        at = 0
        while at < len(self.first(at + 1)):
            yield self._found[at]
            at += 1
