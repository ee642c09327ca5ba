"""Kiro's command line: a conversation with its history in one document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue
from transcripts.session import Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "kiro"


def identify(file: TranscriptFile) -> bool:
    """A conversation's id and its history."""
    return {"conversation_id", "history"} <= file.shape.keys


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """A prompt is typed, also one that refuses a tool; the rest of a user entry is context or a tool's output."""
    document = file.document()
    if not isinstance(document, dict):
        return Skipped(file.path, "empty", "the document is not complete; it may still be being written")
    talk = Dialogue(name)
    talk.ident = str(document.get("conversation_id") or "")
    history = document.get("history")
    for entry in history if isinstance(history, list) else ():
        if isinstance(entry, list):  # an older generation keeps pairs
            entry = {"user": entry[0], "assistant": entry[1]} if len(entry) == 2 else {}
        user, assistant = _object(entry, "user"), _object(entry, "assistant")
        where = _object(user, "env_context").get("env_state")
        if isinstance(where, dict) and isinstance(where.get("current_working_directory"), str):
            talk.cwd = talk.cwd or where["current_working_directory"]
        for kind, channel in (("Prompt", "prompt"), ("CancelledToolUses", "rejection")):
            prompt = _object(user, "content", kind).get("prompt")
            if isinstance(prompt, str):
                talk.developer(prompt, parse_time(user.get("timestamp")), channel=channel, human=False)
        said = _object(assistant, "Response") or _object(assistant, "ToolUse")
        talk.agent(str(said.get("content") or ""), native=said.get("message_id"))
    return talk.session(file.path)


def _object(value: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
