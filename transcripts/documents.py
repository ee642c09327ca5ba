"""Transcripts that are one JSON document: what its beginning tells, and all of it."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from transcripts.jsonl import BLANK, without_surrogates

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile


_PARSED_WHOLE = 4_000_000  # bytes on the disk: that much is parsed faster than its beginning is looked through


class Shape(NamedTuple):
    """A document seen from its beginning: ``{`` or ``[``, its top keys, and the keys of the first object in it.

    ``lines`` says that other values follow the first: then it is JSON Lines, not one document.
    """

    opens: str
    keys: frozenset[str]
    inner: frozenset[str]
    lines: bool


def shape_of(file: TranscriptFile) -> Shape:
    """The shape of a document, or of its beginning where it is large or broken. No JSON: an empty shape."""
    start = file.head[:65_536].lstrip(BLANK)
    opens = start[:1].decode("latin-1")
    if opens not in ("{", "["):
        return Shape("", frozenset(), frozenset(), lines=False)
    first, _, rest = start.partition(b"\n")
    if opens == "{" and first.rstrip().endswith(b"}"):  # one object on a line, which the readers of lines have parsed
        found = file.objects.first(1)
        if found:
            return Shape(opens, frozenset(found[0]), frozenset(), lines=bool(rest.strip(b"\x00\r\n\t ")))
    document = file.document() if file.size <= _PARSED_WHOLE else None
    if document is None:
        return _outline(opens, start)
    held = document.values() if isinstance(document, dict) else document
    inner = next((frozenset(value) for value in held if isinstance(value, dict)), frozenset())
    return Shape(opens, frozenset(document) if opens == "{" else frozenset(), inner, lines=False)


@cache
def _token() -> re.Pattern[bytes]:
    return re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*)"(\s*:)?|[{}\[\]]')


def _outline(opens: str, start: bytes) -> Shape:
    """The shape of a document, told by its beginning alone."""
    keys: set[str] = set()
    inner: set[str] = set()
    depth = objects = 0
    for token in _token().finditer(start):
        text = token[0]
        if text in (b"{", b"["):
            depth += 1
            objects += depth == 2 and text == b"{"
        elif text in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                return Shape(
                    opens, frozenset(keys), frozenset(inner), lines=bool(start[token.end() :].strip(b"\x00\r\n\t "))
                )
        elif token[2] and depth == 1:
            keys.add(token[1].decode("utf-8", "replace"))
        elif token[2] and depth == 2 and objects == 1:
            inner.add(token[1].decode("utf-8", "replace"))
    return Shape(opens, frozenset(keys), frozenset(inner), lines=False)


def parse_document(data: bytes) -> Any:
    """The value of a whole document, or None when it is unfinished or broken."""
    data = data.strip(BLANK)
    try:
        return orjson.loads(data)
    except ValueError:
        pass
    try:
        return without_surrogates(json.loads(data.decode("utf-8", "replace"), strict=False))
    except (ValueError, RecursionError):
        return None
