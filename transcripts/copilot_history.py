"""GitHub Copilot CLI before its event logs: ``~/.copilot/history-session-state/session_<id>_<time>.json``."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, listed, text_of
from transcripts.programs import written_by_program
from transcripts.session import Origin, Segment, Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "copilot-cli"


def identify(file: TranscriptFile) -> bool:
    """A document with the messages that the model was sent."""
    return {"sessionId", "chatMessages"} <= file.shape.keys and not file.shape.lines


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Text of role user is typed but for what the program puts around it; the folder and single times are not told."""
    document = file.document()
    if not isinstance(document, dict):
        return Skipped(file.path, "empty", "the document is not complete; it may still be being written")
    talk = Dialogue(name)
    talk.ident = str(document.get("sessionId") or "")
    started = parse_time(document.get("startTime"))
    for message in listed(document.get("chatMessages")):
        if isinstance(message, dict):
            _message(talk, message, started)
    return talk.session(file.path, started=started)


def _message(talk: Dialogue, message: dict[str, Any], started: Any) -> None:
    role, text = message.get("role"), text_of(message.get("content"), "text")
    if role == "assistant":
        talk.agent(text, started)
    elif role == "tool":
        talk.tool(text, started)
    elif role == "user":
        before = _before().match(text)
        begins = before.end() if before else 0
        words = text[begins:]
        if written_by_program(words):
            talk.system(text, started)
        else:
            segments = (Segment(Origin.INJECTED, text[:begins]), *talk.words(words, human=False))
            talk.developer(text, started, segments=segments)


@cache
def _before() -> re.Pattern[str]:
    """What the program puts in front of the words."""
    return re.compile(
        r"\s*(?:<(current_datetime|reminder|system_reminder|system-reminder)>(?:(?!</\1>)[\s\S])*</\1>\s*)+"
    )
