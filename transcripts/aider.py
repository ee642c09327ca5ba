"""Aider: ``.aider.chat.history.md`` in the repository, many runs in one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from transcripts.dialogue import Dialogue
from transcripts.earlier import fold
from transcripts.jsonl import cut_short, open_bytes
from transcripts.session import Origin, Segment
from transcripts.turnlog import content_id

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.session import Session, Skipped

name = "aider"
_START = "# aider chat started at "
# Commands behind which words for the agent stand. Behind all others stand paths, shell lines and settings.
_WORDS = frozenset({"ask", "code", "architect", "context", "copy-context", "help"})


def identify(path: Path, head: bytes) -> bool:
    """A run's first line near the top."""
    return head[:4000].lstrip(b"\xef\xbb\xbf \r\n").startswith(_START.encode())


def read(path: Path, *, automation: bool = False) -> Session | Skipped:
    """Lines that begin with ``####`` are the developer's, but for the architect's plans, written the same way."""
    talk = Dialogue(name)
    if path.name == ".aider.chat.history.md":
        talk.cwd = str(path.parent.absolute())
    time: datetime | None = None
    said, repeated = "", ""
    for kind, text in _groups(path):
        if kind == "start":
            time = _local(text)
            talk.ident = talk.ident or content_id("aider", text)
            said = repeated = ""
        elif kind == "agent":
            said, repeated = text, ""
            talk.agent(text, time)
        elif kind == "tool":
            talk.tool(text, time)
        else:
            folded = fold(text)
            if _by_program().search(text) or (said and folded == fold(said)):
                talk.system(text, time)
            elif folded and folded == fold(repeated):
                repeated = ""  # the words of a command stand a second time, alone
            else:
                repeated = _developer(talk, text, time)
    return talk.session(path)


@cache
def _by_program() -> re.Pattern[str]:
    return re.compile(r"\(Y\)es/\(N\)o|\AI've written your instructions in comments in the code and marked them")


def _developer(talk: Dialogue, text: str, time: datetime | None) -> str:
    """Add what was typed; gives back the words behind a command, which aider writes once more."""
    command = re.match(r"\s*(?:/([\w-]+)|!)[ \t]*", text)
    if command is None:
        talk.developer(text, time, segments=talk.log.cut(text))
        return ""
    if command[1] in _WORDS:
        words = text[command.end() :]
        segments = (Segment(Origin.INJECTED, text[: command.end()]), *talk.log.cut(words))
        talk.developer(text, time, segments=segments, channel="command_args")
        return words
    talk.system(text, time)
    return ""


def _local(stamp: str) -> datetime | None:
    """Aider writes this machine's time, without a zone."""
    try:
        return datetime.fromisoformat(stamp.strip()).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _groups(path: Path) -> Iterator[tuple[str, str]]:
    """Runs of lines of one kind, in order."""
    kind, lines = "", list[str]()
    with open_bytes(path) as stream:
        try:
            for raw in stream:
                line = raw.decode("utf-8", "replace").rstrip("\r\n").removeprefix("\ufeff")
                if line.startswith(_START):
                    now, line = "start", line[len(_START) :]
                elif line.startswith("####") and line[4:5] in ("", " "):
                    now, line = "user", line[5:].removesuffix("  ")
                elif line.startswith(">"):
                    now, line = "tool", line[1:].strip()
                else:
                    now = "agent"
                if now != kind or now == "start":
                    if "".join(lines).strip():
                        yield kind, "\n".join(lines).strip("\n")
                    kind, lines = now, []
                lines.append(line)
        except cut_short():
            pass
    if "".join(lines).strip():
        yield kind, "\n".join(lines).strip("\n")
