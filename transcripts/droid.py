"""Factory's Droid: ``~/.factory/sessions/<slug>/<id>.jsonl``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.session import Origin, Segment
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

name = "droid"


def identify(file: TranscriptFile) -> bool:
    """The first line starts a session."""
    return any(record.get("type") == "session_start" and "id" in record for record in file.objects.first(1))


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Text blocks of role user are typed, but for reminders and for the app's own messages to the user."""
    talk = Dialogue(name)
    records = Records(file)
    for _, record in records:
        if record.get("type") == "session_start":
            talk.ident = talk.ident or str(record.get("id") or "")
            talk.cwd = record.get("cwd") if isinstance(record.get("cwd"), str) else None
            talk.owner = record.get("owner") if isinstance(record.get("owner"), str) else None
            continue
        message = record.get("message")
        if record.get("type") != "message" or not isinstance(message, dict):
            continue
        time, ident, content = parse_time(record.get("timestamp")), record.get("id"), message.get("content")
        blocks = content if isinstance(content, list) else [content]
        results = [part for part in blocks if isinstance(part, dict) and part.get("type") == "tool_result"]
        text = text_of(content, "text")
        if message.get("role") == "assistant":
            talk.agent(text, time, ident)
            continue
        for result in results:
            talk.tool(text_of(result.get("content")), time)
        if record.get("visibility") == "user_only":
            talk.system(text, time, ident)
            continue
        segments: list[Segment] = []
        for block in blocks:
            words = block if isinstance(block, str) else text_of([block], "text") if block else ""
            if words:
                segments += [Segment(Origin.INJECTED, "\n")] if segments else []
                segments += talk.words(words, human=False)
        talk.developer(text, time, native=ident, segments=tuple(segments))
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)
