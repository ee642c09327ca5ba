"""Entire's compact transcripts of checkpoints: ``transcript.jsonl``, the same for every agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.any_agent import words_of
from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.turnlog import content_id, parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

name = "entire"


def identify(file: TranscriptFile) -> bool:
    """Lines with a version, the tool's version, and what the agent was."""
    return any({"v", "agent", "cli_version", "type"} <= record.keys() for record in file.objects.first(2))


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The agent's injected texts are kept in it as they were, so that the same rules apply to them."""
    talk = Dialogue(name)
    records = Records(file)
    for number, record in records:
        content = record.get("content")
        text = text_of(content)
        talk.ident = talk.ident or content_id("entire", str(record.get("ts")), text)
        time = parse_time(record.get("ts"))
        first = content[0] if isinstance(content, list) and content and isinstance(content[0], dict) else {}
        native = first.get("id")
        ident = f"{native}" if native and "REDACTED" not in str(native) else f"{talk.ident}:{number}"
        kind = record.get("type")
        if kind == "assistant":
            talk.agent(text, time, ident)
        elif kind == "user" and (segments := words_of(talk, text)) is not None:
            talk.developer(text, time, native=ident, segments=segments)
        else:
            talk.system(text, time, ident)
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)
