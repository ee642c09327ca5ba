"""Compressed transcripts: told by their magic number, read as they are."""

from __future__ import annotations

import io
import sys
import zlib
from typing import BinaryIO, cast

_BUFFER = 1 << 17
_GZIP, _ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def unpacked(source: io.BytesIO | io.BufferedReader) -> BinaryIO:
    """The content of a file, decompressed where its beginning says gzip or Zstandard."""
    magic = source.read(4)
    source.seek(0)
    if magic.startswith(_GZIP):
        import gzip

        stream = cast("io.RawIOBase", gzip.GzipFile(fileobj=source))
    elif magic.startswith(_ZSTANDARD):
        import zstandard

        decompressor = zstandard.ZstdDecompressor()
        stream = cast("io.RawIOBase", decompressor.stream_reader(source, read_across_frames=True))
    else:
        return source
    return io.BufferedReader(stream, _BUFFER)


def cut_short() -> tuple[type[BaseException], ...]:
    """What decompression raises where the data ends too early or is damaged."""
    zstandard = sys.modules.get("zstandard")
    return (EOFError, zlib.error, *((zstandard.ZstdError,) if zstandard else ()))
