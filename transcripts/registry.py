"""Which readers there are, and the one way in: a file is given to the reader that knows its content."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from transcripts import neutral
from transcripts.errors import AmbiguousTranscript
from transcripts.interface import HEAD_BYTES, Reader
from transcripts.jsonl import read_head
from transcripts.session import Session, Skipped

if TYPE_CHECKING:
    from collections.abc import Sequence

READERS = (
    "transcripts.neutral",
    "transcripts.claude_code",
    "transcripts.codex",
    "transcripts.cursor",
    "transcripts.vscode_copilot",
    "transcripts.gemini_cli",
    "transcripts.opencode",
    "transcripts.opencode_db",
    "transcripts.copilot_cli",
    "transcripts.cline",
    "transcripts.aider",
    "transcripts.specstory",
    "transcripts.pi",
    "transcripts.goose",
    "transcripts.goose_db",
    "transcripts.qwen_code",
    "transcripts.droid",
    "transcripts.kiro",
    "transcripts.openhands",
    "transcripts.zed",
    "transcripts.amp",
    "transcripts.entire",
    "transcripts.swe_agent",
)


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader, imported on first use."""
    return tuple(cast("Reader", import_module(module)) for module in READERS)


def reader_of(path: Path, head: bytes, among: Sequence[Reader] | None = None) -> Reader | None:
    """The one reader that knows this content, or None. Raises :class:`AmbiguousTranscript` when several claim it.

    A file with our own header is nobody else's: no other reader is loaded for it.
    """
    if among is None and neutral.identify(path, head):
        return neutral
    claims = [reader for reader in (readers() if among is None else among) if reader.identify(path, head)]
    if len(claims) > 1:
        raise AmbiguousTranscript(path, [reader.name for reader in claims])
    return claims[0] if claims else None


def read_all(path: Path, *, automation: bool = False) -> list[Session | Skipped]:
    """Every session of a file: one, but for the databases in which some agents keep all of theirs.

    Raises what :func:`read_transcript` raises.
    """
    path = Path(path)
    reader = reader_of(path, read_head(path, HEAD_BYTES))
    several = getattr(reader, "read_all", None)
    if several is None:
        return [read_transcript(path, automation=automation)]
    return cast("list[Session | Skipped]", several(path, automation=automation))


def read_transcript(path: Path, *, automation: bool = False) -> Session | Skipped:
    """Read one transcript of any agent; its content says which, never its name.

    ``automation`` counts prompts that a program sent as the developer's. Raises
    :class:`~transcripts.errors.TranscriptError` for a file that cannot be opened, and
    :class:`~transcripts.errors.AmbiguousTranscript` for one that two readers claim.
    """
    path = Path(path)
    head = read_head(path, HEAD_BYTES)
    if not head.strip(b"\xef\xbb\xbf\x00\r\n\t "):
        return Skipped(path, "empty", "the file is empty")
    reader = reader_of(path, head)
    if reader is not None:
        return reader.read(path, automation=automation)
    from transcripts.sidefiles import side_file

    reason = side_file(path, head)
    if reason:
        return Skipped(path, "not_a_session", reason)
    if b"\n" not in head and head.lstrip().startswith(b"{") and path.stat().st_size <= HEAD_BYTES:
        return Skipped(path, "unknown_format", "no reader knows it; its first line may still be being written")
    return Skipped(path, "unknown_format", "no reader knows this content")
