"""Goose before its database: ``~/.local/share/goose/sessions/<date>_<time>.jsonl``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.session import Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "goose"
BY_PROGRAM = frozenset({"sub_agent", "scheduled", "hidden"})


def identify(file: TranscriptFile) -> bool:
    """The first line describes the session and counts its messages."""
    return any({"working_dir", "message_count"} <= record.keys() for record in file.objects.first(1))


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Text of role user that was visible to the user is typed."""
    talk = Dialogue(name)
    records = Records(file)
    header = False
    for _, record in records:
        if not header:
            header = True
            talk.ident = str(record.get("id") or "")
            talk.cwd = record.get("working_dir") if isinstance(record.get("working_dir"), str) else None
            if str(record.get("session_type")) in BY_PROGRAM:
                return Skipped(
                    file.path, "sub_agent", f"a {record['session_type']} session: a program sent its prompts"
                )
            continue
        time, ident = parse_time(record.get("created")), record.get("id")
        text = text_of(record.get("content"), "text")
        metadata = record.get("metadata")
        hidden = isinstance(metadata, dict) and metadata.get("userVisible") is False
        if record.get("role") == "user":
            if hidden:
                talk.system(text, time, ident)
            else:
                talk.developer(text, time, native=ident, human=False)
        elif record.get("role") == "assistant":
            talk.agent(text, time, ident)
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)
