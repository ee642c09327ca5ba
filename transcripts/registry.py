"""Which readers there are, and the one way in: a file is given to the reader that knows its content."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from transcripts import neutral
from transcripts.errors import AmbiguousTranscript
from transcripts.file import TranscriptFile
from transcripts.interface import HEAD_BYTES, Reader, SeveralReader
from transcripts.jsonl import BLANK
from transcripts.session import Session, Skipped
from transcripts.uncollected import uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

READERS = (
    "transcripts.neutral",
    "transcripts.claude_code",
    "transcripts.claude_history",
    "transcripts.codex",
    "transcripts.cursor",
    "transcripts.cursor_text",
    "transcripts.vscode_copilot",
    "transcripts.gemini_cli",
    "transcripts.opencode",
    "transcripts.opencode_db",
    "transcripts.copilot_cli",
    "transcripts.copilot_history",
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

SEVERAL = (
    "transcripts.claude_history",
    "transcripts.aider",
    "transcripts.opencode_db",
    "transcripts.goose_db",
    "transcripts.zed",
)
"""Those of them that may find several sessions in one file."""


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader, imported on first use."""
    return tuple(cast("Reader", import_module(module)) for module in READERS)


def reader_of(file: TranscriptFile, among: Sequence[Reader] | None = None) -> Reader | None:
    """The one reader that knows this content, or None. Raises :class:`AmbiguousTranscript` when several claim it.

    A file with our own header is nobody else's: no other reader is loaded for it.
    """
    if among is None and neutral.identify(file):
        return neutral
    claims = [reader for reader in (readers() if among is None else among) if reader.identify(file)]
    if len(claims) > 1:
        raise AmbiguousTranscript(file.path, [reader.name for reader in claims])
    return claims[0] if claims else None


def several_in(file: TranscriptFile) -> SeveralReader | None:
    """The reader of a file in which an agent keeps all its sessions; None for a file of one.

    JSON is one session, but for a history of prompts.
    """
    begins = file.head[:4096].lstrip(BLANK)
    if begins[:1] in (b"", b"{", b"[") and b'"display":' not in begins[:512]:
        return None
    among = [cast("Reader", import_module(module)) for module in SEVERAL]
    return cast("SeveralReader | None", reader_of(file, among))


def read_all(path: Path, *, automation: bool = False, only: str | None = None) -> Iterator[Session | Skipped]:
    """Every session of a file: one, but for the files in which some agents keep all of theirs.

    ``only`` is the id of the one that is meant; it is not looked at where a file holds one session by its format.
    Raises what :func:`read_transcript` raises, some of it on the way.
    """
    with TranscriptFile(path) as file:
        several = several_in(file)
        if several is None:
            yield read_file(file, automation=automation)
        else:
            yield from several.read_all(file, automation=automation, only=only)


def read_transcript(path: Path, *, automation: bool = False) -> Session | Skipped:
    """Read one transcript of any agent; its content says which, never its name.

    ``automation`` counts prompts that a program sent as the developer's. Raises
    :class:`~transcripts.errors.TranscriptError` for a file that cannot be opened, and
    :class:`~transcripts.errors.AmbiguousTranscript` for one that two readers claim.
    """
    with TranscriptFile(path) as file:
        return read_file(file, automation=automation)


def read_file(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """What :func:`read_transcript` does, for a file that is open."""
    if not file.head.strip(BLANK):
        return Skipped(file.path, "empty", "the file is empty")
    reader = reader_of(file)
    if reader is not None:
        with uncollected():
            return reader.read(file, automation=automation)
    from transcripts.sidefiles import side_file

    reason = side_file(file)
    if reason:
        return Skipped(file.path, "not_a_session", reason)
    if b"\n" not in file.head and file.head.lstrip().startswith(b"{") and file.size <= HEAD_BYTES:
        return Skipped(file.path, "unknown_format", "no reader knows it; its first line may still be being written")
    return Skipped(file.path, "unknown_format", "no reader knows this content")
