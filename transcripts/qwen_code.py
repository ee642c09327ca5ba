"""Qwen Code: ``~/.qwen/projects/<slug>/chats/<id>.jsonl``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.programs import REFERENCED, written_by_program
from transcripts.session import Origin, Segment
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

name = "qwen-code"


def identify(file: TranscriptFile) -> bool:
    """Records of a session whose messages have ``parts``."""
    for record in file.objects.first(4):
        message = record.get("message")
        if "sessionId" in record and isinstance(message, dict) and "parts" in message:
            return True
    return False


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Text parts of user records are typed, up to the content of files that they refer to."""
    talk = Dialogue(name)
    records = Records(file)
    prompts: dict[str, int] = {}  # the turn with which the first prompt behind a record began
    for _, record in records:
        talk.ident = talk.ident or str(record.get("sessionId") or "")
        talk.cwd = record.get("cwd") or talk.cwd
        talk.branch = record.get("gitBranch") or talk.branch
        message = record.get("message")
        if not isinstance(message, dict):
            continue
        text = text_of(message.get("parts"))
        time, ident, kind = parse_time(record.get("timestamp")), record.get("uuid"), record.get("type")
        if kind == "user" and not written_by_program(text):
            parent = record.get("parentUuid")
            if isinstance(parent, str) and ident not in talk.log.seen:
                talk.withdraw_after(prompts.get(parent, len(talk.log.turns)))  # the developer went back to there
                prompts[parent] = len(talk.log.turns)
            end = text.find(REFERENCED)
            words = talk.words(text if end < 0 else text[:end], human=False)
            after = (Segment(Origin.INJECTED, text[end:]),) if end >= 0 else ()
            talk.developer(text, time, native=ident, segments=(*words, *after))
        elif kind == "assistant":
            talk.agent(text, time, ident)
        elif kind == "tool_result":
            talk.tool(text, time, ident)
        else:
            talk.system(text, time, ident)
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)
