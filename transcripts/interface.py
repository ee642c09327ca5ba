"""What a reader is, and how the head of a file is looked at without parsing the whole of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from transcripts.jsonl import parse

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.session import Session, Skipped

HEAD_BYTES = 65_536


class Reader(Protocol):
    """One agent's format. A module with these three names is a reader."""

    @property
    def name(self) -> str:
        """The agent's name, as sessions carry it."""

    def identify(self, path: Path, head: bytes) -> bool:
        """Whether the content is this format. ``head`` is the (decompressed) beginning; a name proves nothing."""

    def read(self, path: Path, *, automation: bool = False) -> Session | Skipped:
        """The whole file as a session. ``automation`` counts what a program sent as the developer's words."""


@lru_cache(maxsize=4)
def head_objects(head: bytes) -> tuple[dict[str, Any], ...]:
    """The JSON objects on the first lines of a file, at most sixteen; an unfinished last line is left out."""
    found: list[dict[str, Any]] = []
    for raw in head.split(b"\n", 64)[:64]:
        line = raw.strip(b"\xef\xbb\xbf\x00\r \t")
        if not line.startswith(b"{"):
            continue
        found.extend(parse(line).objects)
        if len(found) >= 16:
            break
    return tuple(found[:16])
