"""Aider: ``.aider.chat.history.md`` in the repository, many runs in one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from transcripts.dialogue import Dialogue
from transcripts.earlier import fold
from transcripts.packed import cut_short
from transcripts.session import Origin, Segment, Session
from transcripts.turnlog import content_id

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.file import TranscriptFile
    from transcripts.session import Skipped

name = "aider"
_START = b"# aider chat started at "
_ASKED = "(Y)es/(N)o"
_PLANNED = "I've written your instructions in comments in the code and marked them"
# Commands behind which words for the agent stand. Behind all others stand paths, shell lines and settings.
_WORDS = frozenset({"ask", "code", "architect", "context", "copy-context", "help"})


def identify(file: TranscriptFile) -> bool:
    """A run's first line near the top."""
    return file.head[:4000].lstrip(b"\xef\xbb\xbf \r\n").startswith(_START)


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The whole file as one session, however many runs it holds."""
    talk = _begun(file.path)
    for kind, text, time in _timed(file):
        if kind == "start":
            talk.ident = talk.ident or content_id("aider", text)
        _take(talk, kind, text, time)
    return talk.session(file.path)


def read_all(file: TranscriptFile, *, automation: bool = False, only: str | None = None) -> Iterator[Session | Skipped]:
    """Every run of the file in which the developer spoke, or the ``only`` one of that id.

    What an earlier run printed and a later one quotes is still known as the agent's.
    """
    talk, found = _begun(file.path), False
    for kind, text, time in chain(_timed(file), (("start", "", None),)):
        if kind == "start":
            session = talk.session(file.path)
            if isinstance(session, Session) and only in (None, session.id):
                found = True
                yield session
            talk = _begun(file.path, talk)
            talk.ident = content_id("aider", text)
        _take(talk, kind, text, time)
    if not found and only is None:
        yield read(file, automation=automation)


@dataclass(slots=True)
class _Run:
    """What the program may write once more: the agent's last answer, and the words of a command."""

    said: str = ""
    repeated: str = ""


class _Talk(Dialogue):
    """A run that is being read."""

    def __init__(self) -> None:
        super().__init__(name)
        self.run = _Run()


def _begun(path: Path, before: _Talk | None = None) -> _Talk:
    talk = _Talk()
    if path.name == ".aider.chat.history.md":
        talk.cwd = str(path.parent.absolute())
    if before is not None:
        talk.log.earlier = before.log.earlier
    return talk


def _timed(file: TranscriptFile) -> Iterator[tuple[str, str, datetime | None]]:
    """Groups of lines, each with the time at which its run began: there is no other."""
    time: datetime | None = None
    for kind, text in _groups(file):
        if kind == "start":
            time = _local(text)
        yield kind, text, time


def _take(talk: _Talk, kind: str, text: str, time: datetime | None) -> None:
    """Lines that begin with ``####`` are the developer's, but for the architect's plans, written the same way."""
    run = talk.run
    if kind == "start":
        talk.run = _Run()
    elif kind == "agent":
        run.said, run.repeated = text, ""
        talk.agent(text, time)
    elif kind == "tool":
        talk.tool(text, time)
    else:
        folded = fold(text)
        if _ASKED in text or text.startswith(_PLANNED) or (run.said and folded == fold(run.said)):
            talk.system(text, time)
        elif folded and folded == fold(run.repeated):
            run.repeated = ""  # the words of a command stand a second time, alone
        else:
            run.repeated = _developer(talk, text, time)


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


def _groups(file: TranscriptFile) -> Iterator[tuple[str, str]]:
    """Runs of lines of one kind, in order. They stay bytes until the run is decoded at once.

    Aider ends each line of the developer's with two blanks, and a developer speaks before any agent. So where the first
    line of this kind has them, another without them is a heading of the agent's.
    """
    kind, lines = "", list[bytes]()
    ending: bytes | None = None
    try:
        for line in file.stream():
            now, line, ending = _kind(line, ending) if line.startswith(_MARKED) else ("agent", line, ending)
            if now != kind or now == "start":
                if text := _joined(lines):
                    yield kind, text
                kind, lines = now, []
            lines.append(line)
    except cut_short():
        pass
    if text := _joined(lines):
        yield kind, text


_BOM = b"\xef\xbb\xbf"
_MARKED = (b"#", b">", _BOM)


def _kind(line: bytes, ending: bytes | None) -> tuple[str, bytes, bytes | None]:
    """Who speaks in a line with a mark in front, the line without the mark, and how the developer's lines end."""
    line = line.removeprefix(_BOM)
    bare = line.rstrip(b"\r\n")
    if bare.startswith(_START):
        return "start", bare[len(_START) :] + b"\n", ending
    if bare.startswith(b"####") and bare[4:5] in (b"", b" ") and bare.endswith(ending or b""):
        ending = (b"  " if bare.endswith(b"  ") else b"") if ending is None else ending
        return "user", bare[5:].removesuffix(b"  ") + b"\n", ending
    if bare.startswith(b">"):
        return "tool", bare[1:].decode("utf-8", "replace").strip().encode() + b"\n", ending
    return "agent", line, ending


def _joined(lines: list[bytes]) -> str:
    """The text of several lines without empty ones around it; nothing where nothing is said."""
    text = b"".join(lines).decode("utf-8", "replace")
    if "\r" in text:
        text = "\n".join([line.rstrip("\r") for line in text.split("\n")])
    return "" if not text or text.isspace() else text.strip("\n")
