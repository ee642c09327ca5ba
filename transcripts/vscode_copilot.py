"""VS Code's Copilot Chat: ``workspaceStorage/<hash>/chatSessions/<id>.json``, or ``.jsonl`` with a log of changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from transcripts.dialogue import Dialogue, listed
from transcripts.jsonl import Records
from transcripts.session import Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "vscode-copilot"
_LARGE = frozenset({"inputState", "responderAvatarIconUri", "result", "codeCitations", "contentReferences"})


def identify(file: TranscriptFile) -> bool:
    """A document with ``requests``, or a log that begins with a snapshot of one."""
    shape = file.shape
    if shape.opens == "{" and "requests" in shape.keys and "history" not in shape.keys:
        return True
    first = file.objects.first(1)
    return bool(first) and first[0].get("kind") == 0 and isinstance(first[0].get("v"), dict)


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """``message.text`` is as it was typed; attachments are not words."""
    document = None if file.shape.lines else file.document()
    records = None
    if not isinstance(document, dict) or "requests" not in document:
        records = Records(file)
        document = _replayed(records)
    if not isinstance(document, dict):
        return Skipped(file.path, "empty", "the document is not complete; it may still be being written")
    talk = Dialogue(name)
    talk.ident = str(document.get("sessionId") or "")
    talk.cwd = _folder(file.path)
    requests = document.get("requests")
    for request in requests if isinstance(requests, list) else ():
        if isinstance(request, dict):
            _request(talk, request)
    return talk.session(
        file.path, bad=records.bad if records else None, incomplete=records.incomplete if records else False
    )


def _request(talk: Dialogue, request: dict[str, Any]) -> None:
    time, ident = parse_time(request.get("timestamp")), request.get("requestId")
    message = request.get("message")
    text = _typed(message) if isinstance(message, dict) else message
    if isinstance(text, str):
        if request.get("isSystemInitiated"):
            talk.system(text, time, ident)
        else:
            undone = bool(request.get("shouldBeRemovedOnSend") or request.get("isHidden"))
            talk.developer(text, time, native=ident, withdrawn=undone)
    response = request.get("response")
    said: list[str] = []
    for part in response if isinstance(response, list) else ():
        value = part.get("value") if isinstance(part, dict) else None
        if value is None and isinstance(part, dict):
            value = part.get("content")
        if isinstance(value, dict):
            value = value.get("value")
        if isinstance(value, str) and (part.get("kind") in (None, "markdownContent") or "value" in part):
            said.append(value)
    if said:
        talk.agent("".join(said), time, f"{ident}#response" if ident else None)


def _typed(message: dict[str, Any]) -> Any:
    """The message as typed; where only its parts are given, what they were typed as."""
    text = message.get("text")
    if isinstance(text, str) and text:
        return text
    parts = [part.get("text") for part in listed(message.get("parts")) if isinstance(part, dict)]
    return "".join(part for part in parts if isinstance(part, str)) or text


def _replayed(records: Records) -> Any:
    """The state after all changes: 0 a snapshot, 1 set, 2 push or cut, 3 delete."""
    state: Any = None
    for _, change in records:
        kind, path, value = change.get("kind"), change.get("k"), change.get("v")
        if kind == 0:
            state = value
        elif isinstance(path, list) and path and path[0] not in _LARGE:
            _change(state, kind, path, value, change.get("i"))
    return state


def _change(state: Any, kind: Any, path: list[Any], value: Any, index: Any) -> None:
    holder = state
    for step in path[:-1]:
        holder = _step(holder, step)
    last = path[-1]
    if kind == 1:
        if isinstance(holder, dict):
            holder[str(last)] = value
        elif isinstance(holder, list) and isinstance(last, int) and 0 <= last <= len(holder):
            holder[last : last + 1] = [value]
    elif kind == 2:
        target = _step(holder, last)
        if target is None and isinstance(holder, dict):
            target = holder[str(last)] = []
        if isinstance(target, list):
            if isinstance(index, int) and 0 <= index <= len(target):
                del target[index:]
            target.extend(value if isinstance(value, list) else [] if value is None else [value])
    elif kind == 3:
        if isinstance(holder, dict):
            holder.pop(str(last), None)
        elif isinstance(holder, list) and isinstance(last, int) and 0 <= last < len(holder):
            del holder[last]


def _step(holder: Any, step: Any) -> Any:
    if isinstance(holder, dict):
        return holder.get(str(step))
    if isinstance(holder, list) and isinstance(step, int) and 0 <= step < len(holder):
        return holder[step]
    return None


def _folder(path: Path) -> str | None:
    """The workspace's folder, which a file two levels above names as a URI."""
    beside = path.parent.parent / "workspace.json"
    try:
        value = json.loads(beside.read_text(encoding="utf-8", errors="replace")) if beside.is_file() else {}
    except (OSError, ValueError):
        return None
    uri = value.get("folder") if isinstance(value, dict) else None
    if not isinstance(uri, str):
        return None
    return unquote(urlsplit(uri).path) or None
