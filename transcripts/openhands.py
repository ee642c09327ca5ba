"""OpenHands: ``~/.openhands/conversations/<id>/base_state.json`` with a file per event, or events in lines."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, text_of
from transcripts.documents import load_document, shape_of
from transcripts.interface import head_objects
from transcripts.jsonl import Records

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.session import Session, Skipped

name = "openhands"


def identify(path: Path, head: bytes) -> bool:
    """Events with a kind and a source, or the state of a conversation."""
    shape = shape_of(head)
    if shape.opens == "{" and {"id", "agent", "workspace"} <= shape.keys and not shape.lines:
        return True
    first = head_objects(head).first(2)
    return any(
        str(record.get("kind", "")).endswith("Event")
        and record.get("source") in ("user", "agent", "environment", "hook")
        for record in first
    )


def read(path: Path, *, automation: bool = False) -> Session | Skipped:
    """Messages whose source is the user are typed; what the program extends them with is not."""
    talk = Dialogue(name)
    records = Records(path)
    document = load_document(path)
    if isinstance(document, dict) and "kind" not in document:
        talk.ident = str(document.get("id") or "")
        workspace = document.get("workspace")
        talk.cwd = workspace.get("working_dir") if isinstance(workspace, dict) else None
        for file in sorted((path.parent / "events").glob("*.json")):
            event = load_document(file)
            if isinstance(event, dict):
                _event(talk, event)
        return talk.session(path)
    for _, record in records:
        _event(talk, record)
    return talk.session(path, bad=records.bad, incomplete=records.incomplete)


def _event(talk: Dialogue, event: dict[str, Any]) -> None:
    time, ident = _local(event.get("timestamp")), event.get("id")
    kind, source = event.get("kind"), event.get("source")
    message = event.get("llm_message")
    text = text_of(message.get("content"), "text") if isinstance(message, dict) else ""
    if kind == "MessageEvent":
        if source == "user":
            talk.developer(text, time, native=ident, human=False)
        elif source == "agent":
            talk.agent(text, time, ident)
        else:
            talk.system(text, time, ident)
    elif kind == "ActionEvent":
        talk.log.spoke = True
        talk.agent(text_of(event.get("thought"), "text"), time, ident)
    elif kind == "ObservationEvent":
        observation = event.get("observation")
        content = observation.get("content", observation.get("output")) if isinstance(observation, dict) else None
        talk.tool(text_of(content), time, ident)


def _local(value: Any) -> datetime | None:
    """Times have no zone here: they are this machine's."""
    try:
        return datetime.fromisoformat(value).astimezone() if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
