"""Which readers there are, and the one way in: a file is given to the reader that knows its content."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from transcripts import neutral
from transcripts.errors import AmbiguousTranscript
from transcripts.interface import HEAD_BYTES, Reader, SeveralReader
from transcripts.jsonl import read_head
from transcripts.session import Session, Skipped
from transcripts.uncollected import uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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

SEVERAL = ("transcripts.aider", "transcripts.opencode_db", "transcripts.goose_db", "transcripts.zed")
"""Those of them that may find several sessions in one file."""

_BLANK = b"\xef\xbb\xbf\x00\r\n\t "


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


def several_in(path: Path) -> SeveralReader | None:
    """The reader of a file in which an agent keeps all its sessions; None for a file of one, which JSON always is.

    Raises :class:`~transcripts.errors.TranscriptError` for a file that cannot be opened.
    """
    head = read_head(path, 4096)
    if head.lstrip(_BLANK)[:1] in (b"", b"{", b"["):
        return None
    among = [cast("Reader", import_module(module)) for module in SEVERAL]
    return cast("SeveralReader | None", reader_of(path, head, among))


def read_all(path: Path, *, automation: bool = False, only: str | None = None) -> Iterator[Session | Skipped]:
    """Every session of a file: one, but for the files in which some agents keep all of theirs.

    ``only`` is the id of the one that is meant; it is not looked at where a file holds one session by its format.
    Raises what :func:`read_transcript` raises, some of it on the way.
    """
    several = several_in(path)
    if several is None:
        yield read_transcript(path, automation=automation)
    else:
        yield from several.read_all(path, automation=automation, only=only)


def read_transcript(path: Path, *, automation: bool = False) -> Session | Skipped:
    """Read one transcript of any agent; its content says which, never its name.

    ``automation`` counts prompts that a program sent as the developer's. Raises
    :class:`~transcripts.errors.TranscriptError` for a file that cannot be opened, and
    :class:`~transcripts.errors.AmbiguousTranscript` for one that two readers claim.
    """
    path = Path(path)
    head = read_head(path, HEAD_BYTES)
    if not head.strip(_BLANK):
        return Skipped(path, "empty", "the file is empty")
    reader = reader_of(path, head)
    if reader is not None:
        with uncollected():
            return reader.read(path, automation=automation)
    from transcripts.sidefiles import side_file

    reason = side_file(path, head)
    if reason:
        return Skipped(path, "not_a_session", reason)
    if b"\n" not in head and head.lstrip().startswith(b"{") and path.stat().st_size <= HEAD_BYTES:
        return Skipped(path, "unknown_format", "no reader knows it; its first line may still be being written")
    return Skipped(path, "unknown_format", "no reader knows this content")
