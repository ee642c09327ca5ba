"""Compressed transcripts, and those in UTF-16: told by their first bytes, read as they are."""

from __future__ import annotations

import codecs
import io
import sys
import zlib
from typing import Any, BinaryIO, cast

_BUFFER = 1 << 17
_GZIP, _ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_packed(beginning: bytes) -> bool:
    """Whether content that begins so is other bytes than those of its text."""
    return beginning.startswith((_GZIP, _ZSTANDARD, *_UTF16))


def unpacked(source: io.BytesIO | io.BufferedReader) -> BinaryIO:
    """The content of a file, decompressed where its beginning says gzip or Zstandard, in UTF-8 where it says UTF-16."""
    magic = source.read(4)
    source.seek(0)
    if magic.startswith(_GZIP):
        import gzip

        stream = cast("io.RawIOBase", gzip.GzipFile(fileobj=source))
    elif magic.startswith(_ZSTANDARD):
        import zstandard

        decompressor = zstandard.ZstdDecompressor()
        stream = cast("io.RawIOBase", decompressor.stream_reader(source, read_across_frames=True))
    elif magic.startswith(_UTF16):
        stream = _FromUtf16(source)
    else:
        return source
    return io.BufferedReader(stream, _BUFFER)


class _FromUtf16(io.RawIOBase):
    """UTF-16, in which PowerShell keeps what a command prints, as UTF-8."""

    def __init__(self, source: io.BytesIO | io.BufferedReader) -> None:
        super().__init__()
        self._source = source
        self._decode = codecs.getincrementaldecoder("utf-16")("replace").decode
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            chunk = self._source.read(_BUFFER)
            self._ready = self._decode(chunk, not chunk).encode()
            if not chunk:
                break
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def cut_short() -> tuple[type[BaseException], ...]:
    """What decompression raises where the data ends too early or is damaged."""
    zstandard = sys.modules.get("zstandard")
    return (EOFError, zlib.error, *((zstandard.ZstdError,) if zstandard else ()))
