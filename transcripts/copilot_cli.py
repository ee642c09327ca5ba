"""GitHub Copilot CLI: ``~/.copilot/session-state/<id>/events.jsonl``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

name = "copilot-cli"


def identify(file: TranscriptFile) -> bool:
    """Events with dotted types and their ``data``."""
    return any(
        isinstance(record.get("type"), str)
        and record["type"].startswith(("session.", "user.", "assistant.", "hook.", "system.", "tool."))
        and isinstance(record.get("data"), dict)
        for record in file.objects.first(3)
    )


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """``content`` is what was typed; what the program adds to it stands in ``transformedContent`` and is left alone."""
    talk = Dialogue(name)
    records = Records(file)
    places: dict[str, int] = {}
    people = programs = 0
    for _, record in records:
        data = record.get("data")
        if not isinstance(data, dict):
            continue
        kind = str(record.get("type"))
        time = parse_time(record.get("timestamp"))
        ident = str(record.get("id") or "")
        places.setdefault(ident, len(talk.log.turns))
        if kind in ("session.start", "session.resume", "session.context_changed"):
            _where(talk, data)
        elif kind == "user.message":
            text = text_of(data.get("content"))
            source = data.get("source")
            if record.get("agentId") or data.get("isAutopilotContinuation") or (source and source != "user"):
                talk.system(text, time, ident)
            elif data.get("parentAgentTaskId") and not automation:
                talk.log.automated += 1
                talk.system(text, time, ident)
            else:
                programs += bool(data.get("parentAgentTaskId"))
                people += 1
                channel = "queued" if data.get("delivery") in ("queued", "steering") else "prompt"
                talk.developer(text, time, native=ident, channel=channel)
        elif kind == "assistant.message":
            (talk.tool if record.get("agentId") else talk.agent)(text_of(data.get("content")), time, ident)
        elif kind == "tool.execution_complete":
            result = data.get("result")
            talk.tool(text_of(result.get("content") if isinstance(result, dict) else result), time, ident)
        elif kind == "session.snapshot_rewind":
            kept = places.get(str(data.get("upToEventId")), 0)  # an event that nobody knows takes all back
            talk.withdraw_after(kept)
    return talk.session(
        file.path, bad=records.bad, incomplete=records.incomplete, automation=people > 0 and programs == people
    )


def _where(talk: Dialogue, data: dict[str, Any]) -> None:
    """Remember the session's id and where it stands."""
    talk.ident = talk.ident or str(data.get("sessionId") or "")
    context = data.get("context") if isinstance(data.get("context"), dict) else data
    if isinstance(context, dict):
        talk.cwd = context.get("cwd") or talk.cwd
        talk.branch = context.get("branch") or talk.branch
        if context.get("repository"):
            talk.remote = f"https://{context.get('repositoryHost') or 'github.com'}/{context['repository']}"
