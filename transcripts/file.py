"""One transcript while it is being read: opened once, for all who look at its beginning and the one who reads it."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from policy.errors import reason
from policy.places import must_end
from transcripts.documents import parse_document, shape_of
from transcripts.errors import TranscriptError
from transcripts.interface import HEAD_BYTES, HeadObjects
from transcripts.packed import cut_short, is_packed, unpacked

if TYPE_CHECKING:
    from transcripts.documents import Shape

_IN_MEMORY = 1 << 20
_BUFFER = 1 << 18
_LONGEST_FIRST = 32_000_000
_UNPARSED: Any = object()


class TranscriptFile:
    """The content of one file, decompressed where it is packed; a context manager.

    A file of up to ``_IN_MEMORY`` bytes is read from the disk once, however many look at it. Raises
    :class:`TranscriptError` when the file is missing, a folder, or may not be read.
    """

    def __init__(self, path: Path | str) -> None:
        """Open the file, and take it up if it is small: ``content`` is all of it, unless it is large or packed."""
        self.path = path if isinstance(path, Path) else Path(path)
        self._raw = _opened(self.path)
        self.size = os.fstat(self._raw.fileno()).st_size  # bytes on the disk
        self._bytes = self._taken_up() if 0 < self.size <= _IN_MEMORY else None
        self.content = None if self._bytes is None or is_packed(self._bytes) else self._bytes
        self._head: bytes | None = None
        self._objects: HeadObjects | None = None
        self._shape: Shape | None = None
        self._document = _UNPARSED

    def _taken_up(self) -> bytes:
        try:
            return self._raw.read(self.size) or b""
        except OSError as error:
            raise self.unreadable(error) from error

    def __enter__(self) -> TranscriptFile:
        """The file, open."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close it."""
        self._raw.close()

    @property
    def head(self) -> bytes:
        """The first ``HEAD_BYTES`` of the content; fewer when it is shorter or its compression is cut short.

        A first line that is longer than that is read to its end, up to 32 MB, and as much again behind it: where that
        line is broken or of a kind that nobody knows, the next ones tell whose file it is.
        """
        if self._head is None:
            if self.content is not None and self.size <= HEAD_BYTES:
                self._head = self.content
                return self._head
            try:
                self._head = _beginning(self.stream())
            except OSError as error:
                raise self.unreadable(error) from error
        return self._head

    @property
    def objects(self) -> HeadObjects:
        """The JSON objects on its first lines."""
        if self._objects is None:
            self._objects = HeadObjects(self.head)
        return self._objects

    @property
    def shape(self) -> Shape:
        """What it looks like as one JSON document."""
        if self._shape is None:
            self._shape = shape_of(self)
        return self._shape

    def document(self) -> Any:
        """The whole content as one JSON value, parsed once; None when it is unfinished or broken."""
        if self._document is _UNPARSED:
            self._document = parse_document(self.read())
        return self._document

    def read(self) -> bytes:
        """All of the content; nothing where its compression is cut short."""
        if self.content is not None:
            return self.content
        try:
            return self.stream().read()
        except cut_short():
            return b""
        except OSError as error:
            raise self.unreadable(error) from error

    def stream(self) -> BinaryIO:
        """The content from its beginning on; of a large file there is one at a time.

        Reading from it raises OSError, and what ``cut_short`` names.
        """
        if self.content is not None:
            return io.BytesIO(self.content)
        if self._bytes is not None:
            return unpacked(io.BytesIO(self._bytes))
        self._raw.seek(0)
        return unpacked(io.BufferedReader(io.FileIO(self._raw.fileno(), closefd=False), _BUFFER))

    def fingerprint(self) -> str:
        """A hash of the file's bytes as they lie on the disk. Raises OSError."""
        import hashlib  # here: not everybody who reads a file asks for it, and it takes two milliseconds

        digest = hashlib.blake2b(self._bytes or b"", digest_size=16)
        if self._bytes is None:
            self._raw.seek(0)
            while chunk := self._raw.read(1 << 20):
                digest.update(chunk)
        return digest.hexdigest()

    def unreadable(self, error: OSError) -> TranscriptError:
        """What to say when reading fails on the way."""
        return TranscriptError(
            f"This transcript cannot be read ({reason(error)})", self.path, f"afterpass run {self.path}"
        )


def _beginning(stream: BinaryIO) -> bytes:
    head = b""
    try:
        while len(head) < HEAD_BYTES and (chunk := stream.read(HEAD_BYTES - len(head))):
            head += chunk
        if len(head) == HEAD_BYTES and b"\n" not in head:
            head += stream.readline(_LONGEST_FIRST) + stream.read(HEAD_BYTES)
    except cut_short():
        pass
    return head


def _opened(path: Path) -> io.FileIO:
    try:
        must_end(path)
        return io.FileIO(path)
    except IsADirectoryError as error:
        raise TranscriptError("This is a folder, not a transcript", path, f"afterpass run {path}") from error
    except FileNotFoundError as error:
        raise TranscriptError("No such transcript", path, "afterpass status") from error
    except OSError as error:
        what = f"This transcript cannot be opened ({error.strerror})"
        raise TranscriptError(what, path, f"ls -l {path}") from error


def load_document(path: Path) -> Any:
    """A JSON document that lies beside a transcript; None when it is unfinished or broken. Raises TranscriptError."""
    with TranscriptFile(path) as file:
        return file.document()
