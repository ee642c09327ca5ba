"""OpenCode: exports, and the storage of small JSON files that it kept before its database."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue
from transcripts.file import load_document
from transcripts.session import Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "opencode"


def identify(file: TranscriptFile) -> bool:
    """An export with ``info`` and ``messages``, or a session's entry in the storage."""
    shape = file.shape
    return {"info", "messages"} <= shape.keys or {"id", "projectID", "directory", "time"} <= shape.keys


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Text parts of role user that no program made are typed; a session with a parent is a sub-agent's."""
    document = file.document()
    if not isinstance(document, dict):
        return Skipped(file.path, "empty", "the document is not complete; it may still be being written")
    return read_session(file.path, document)


def read_session(path: Path, document: dict[str, Any]) -> Session | Skipped:
    """A session in the shape of an export, wherever it was kept."""
    info = document.get("info") if isinstance(document.get("info"), dict) else document
    if not isinstance(info, dict) or info.get("parentID"):
        return Skipped(path, "sub_agent", "every prompt of this opencode session was written by an agent")
    talk = Dialogue(name)
    talk.ident = str(info.get("id") or "")
    talk.cwd = info.get("directory") if isinstance(info.get("directory"), str) else None
    undone = _object(info.get("revert")).get("messageID")
    undone_from: int | None = None
    for message, parts in _messages(path, document, talk.ident):
        if undone is not None and message.get("id") == undone:
            undone_from = len(talk.log.turns)
        _message(talk, message, parts)
    if undone_from is not None:
        talk.withdraw_after(undone_from)
    times = info.get("time")
    started = parse_time(times.get("created")) if isinstance(times, dict) else None
    return talk.session(path, started=started)


def _messages(path: Path, document: dict[str, Any], session: str) -> list[tuple[dict[str, Any], list[Any]]]:
    listed = document.get("messages")
    if isinstance(listed, list):
        entries = [entry for entry in listed if isinstance(entry, dict)]
        return [(_object(entry.get("info")), _list(entry.get("parts"))) for entry in entries]
    storage = path.parent.parent.parent
    found: list[tuple[dict[str, Any], list[Any]]] = []
    for file in sorted((storage / "message" / session).glob("*.json")):
        message = _object(load_document(file))
        parts = sorted((storage / "part" / str(message.get("id") or file.stem)).glob("*.json"))
        found.append((message, [load_document(part) for part in parts]))
    return sorted(found, key=lambda pair: str(_object(pair[0].get("time")).get("created") or ""))


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _message(talk: Dialogue, message: dict[str, Any], parts: list[Any]) -> None:
    time = parse_time(_object(message.get("time")).get("created"))
    for part in parts:
        part = _object(part)
        text, ident = part.get("text"), part.get("id")
        kind = part.get("type")
        if kind == "text" and isinstance(text, str):
            if message.get("role") == "assistant":
                talk.agent(text, time, ident)
            elif part.get("synthetic") or part.get("ignored") or message.get("role") != "user":
                talk.system(text, time, ident)
            else:
                talk.developer(text, time, native=ident, human=False)
        elif kind == "subtask" and message.get("role") == "user":
            _subtask(talk, str(part.get("prompt") or ""), time, ident)
        elif kind == "tool":
            output = _object(part.get("state")).get("output")
            talk.tool(output if isinstance(output, str) else "", time, ident)


def _subtask(talk: Dialogue, prompt: str, time: Any, ident: Any) -> None:
    """A command's template with the developer's arguments behind ``Input:``."""
    given = re.search(r"(?:^|\n)Input:[ \t]*", prompt)
    if given is None or not prompt[given.end() :].strip():
        talk.system(prompt, time, ident)
        return
    end = prompt.find("\n\n", given.end())
    segments = talk.typed_inside(prompt, given.end(), len(prompt) if end < 0 else end)
    talk.developer(prompt, time, native=ident, segments=segments, channel="command_args")
