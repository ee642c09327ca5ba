"""Cursor's agent transcripts: ``~/.cursor/projects/<slug>/agent-transcripts/<id>/<id>.jsonl``."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.programs import of_sub_agent
from transcripts.session import Skipped
from transcripts.turnlog import content_id, parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Segment, Session

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
    talk.ident = file.path.stem if _UUID.match(file.path.stem) else ""
    records = Records(file)
    for _, record in records:
        role, message = record.get("role"), record.get("message")
        content = message.get("content") if isinstance(message, dict) else message
        text = text_of(content, "text")
        if role == "user":
            talk.ident = talk.ident or content_id("cursor", text)
            talk.developer(text, _time(text), segments=_words(talk, text))
        elif role == "assistant":
            talk.agent(text)
            talk.cwd = talk.cwd or _folder(content)
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)


@cache
def _stamp() -> re.Pattern[str]:
    return re.compile(r"<timestamp>\s*([^<]+?)\s*</timestamp>")


def _time(text: str) -> Any:
    stamp = _stamp().match(text.lstrip())
    return parse_time(stamp[1]) if stamp else None


def _words(talk: Dialogue, text: str) -> tuple[Segment, ...]:
    """What stands in the last ``<user_query>``: a page that was attached before it may hold a false one."""
    start = text.rfind("<user_query>")
    if start < 0:
        return talk.words(text, human=False)
    start += len("<user_query>")
    end = text.find("</user_query>", start)
    return talk.typed_inside(text, start, len(text) if end < 0 else end)


def _folder(content: Any) -> str | None:
    """Where a shell command of the agent ran."""
    for block in content if isinstance(content, list) else ():
        given = block.get("input") if isinstance(block, dict) else None
        folder = given.get("working_directory") if isinstance(given, dict) else None
        if isinstance(folder, str) and folder:
            return folder
    return None
