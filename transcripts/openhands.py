"""OpenHands: ``~/.openhands/conversations/<id>/base_state.json`` with a file per event, or events in lines."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, text_of
from transcripts.file import load_document
from transcripts.jsonl import Records

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

name = "openhands"


def identify(file: TranscriptFile) -> bool:
    """Events with a kind and a source, or the state of a conversation."""
    shape = file.shape
    if shape.opens == "{" and {"id", "agent", "workspace"} <= shape.keys and not shape.lines:
        return True
    first = file.objects.first(2)
    return any(
        str(record.get("kind", "")).endswith("Event")
        and record.get("source") in ("user", "agent", "environment", "hook")
        for record in first
    )


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Messages whose source is the user are typed; what the program extends them with is not."""
    talk = Dialogue(name)
    records = Records(file)
    document = None if file.shape.lines else file.document()
    if isinstance(document, dict) and "kind" not in document:
        talk.ident = str(document.get("id") or "")
        workspace = document.get("workspace")
        talk.cwd = workspace.get("working_dir") if isinstance(workspace, dict) else None
        for event_file in sorted((file.path.parent / "events").glob("*.json")):
            event = load_document(event_file)
            if isinstance(event, dict):
                _event(talk, event)
        return talk.session(file.path)
    for _, record in records:
        _event(talk, record)
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)


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
