"""Cursor's agent transcripts: ``~/.cursor/projects/<slug>/agent-transcripts/<id>/<id>.jsonl``."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.programs import of_sub_agent
from transcripts.queries import query_span
from transcripts.session import Origin, Segment, Skipped
from transcripts.turnlog import content_id, parse_time

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "cursor"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_ENVELOPE = frozenset({"role", "message"})


def identify(file: TranscriptFile) -> bool:
    """Lines of a role and a message, and next to nothing else."""
    return any(
        record.get("role") in ("user", "assistant") and record.keys() >= _ENVELOPE and len(record) <= 3
        for record in file.objects.first(3)
    )


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The words stand in ``<user_query>``; everything around it is context that Cursor added."""
    if of_sub_agent(file.path):
        return Skipped(file.path, "sub_agent", f"every prompt of this {name} file was written by an agent")
    talk = Dialogue(name)
    talk.ident = ident_of(file.path)
    records = Records(file)
    for _, record in records:
        role, message = record.get("role"), record.get("message")
        content = message.get("content") if isinstance(message, dict) else message
        text = text_of(content, "text")
        if role == "user":
            talk.ident = talk.ident or content_id("cursor", text)
            talk.developer(text, time_of(text), segments=words_of(talk, text))
        elif role == "assistant":
            talk.agent(text)
            talk.cwd = talk.cwd or _folder(content)
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)


def ident_of(path: Path) -> str:
    """The conversation's id, which is the name of its file."""
    return path.stem if _UUID.match(path.stem) else ""


@cache
def _stamp() -> re.Pattern[str]:
    return re.compile(r"\s*<timestamp>\s*([^<]+?)\s*</timestamp>")


@cache
def _spoken() -> re.Pattern[str]:
    return re.compile(
        r"\w+, (\w{3})\w* (\d{1,2}), (\d{4}),? (\d{1,2}:\d\d [AP]M) \(UTC(?:([+-]\d{1,2})(?::(\d\d))?)?\)"
    )


def time_of(text: str) -> datetime | None:
    """The time that Cursor puts before a message: ISO 8601, or ``Tuesday, Jul 21, 2026, 1:04 PM (UTC+2)``."""
    stamp = _stamp().match(text)
    if stamp is None:
        return None
    spoken = _spoken().fullmatch(stamp[1])
    if spoken is None:
        return parse_time(stamp[1])
    month, day, year, clock, hours, minutes = spoken.groups()
    zone = f"{int(hours or 0):+03d}{minutes or '00'}"
    try:
        return parse_time(datetime.strptime(f"{month} {day} {year} {clock} {zone}", "%b %d %Y %I:%M %p %z").isoformat())
    except ValueError:
        return None


def words_of(talk: Dialogue, text: str) -> tuple[Segment, ...]:
    """The segments of a message, of which only what stands in ``<user_query>`` is the developer's.

    Another query in it is part of a transcript that was pasted, and so is what follows.
    """
    query = query_span(text)
    if query is None:
        return talk.words(text, human=False)
    start, end = query
    pasted = text.find("<user_query>", start, end)
    if pasted < 0:
        return talk.typed_inside(text, start, end)
    before = talk.typed_inside(text[:pasted], start, pasted)
    return (*before, Segment(Origin.PASTED, text[pasted:end]), Segment(Origin.INJECTED, text[end:]))


def _folder(content: Any) -> str | None:
    """Where a shell command of the agent ran."""
    for block in content if isinstance(content, list) else ():
        given = block.get("input") if isinstance(block, dict) else None
        folder = given.get("working_directory") if isinstance(given, dict) else None
        if isinstance(folder, str) and folder:
            return folder
    return None
