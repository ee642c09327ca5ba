"""Cline, Roo Code and Kilo Code: a folder per task, with what the screen showed and what the model was sent.

``ui_messages.json`` says plainly who spoke. ``session.messages.json`` of newer builds and the model's own
``api_conversation_history.json`` are read where it is what was given.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, text_of
from transcripts.session import Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "cline"


def identify(file: TranscriptFile) -> bool:
    """A list of ``say`` and ``ask`` entries, a list of messages, or a document with a session's messages."""
    shape = file.shape
    if shape.lines:
        return False
    if shape.opens == "[":
        return bool({"say", "ask"} & shape.inner and "ts" in shape.inner) or {"role", "content"} <= shape.inner
    return {"messages", "sessionId", "agent"} <= shape.keys


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """One task. The developer speaks in the first entry and in every ``user_feedback``."""
    document = file.document()
    talk = Dialogue(name)
    talk.ident = file.path.parent.name if file.path.parent.name.isdigit() else ""
    _where(talk, file.path)
    if isinstance(document, dict):
        talk.ident = str(document.get("sessionId") or talk.ident)
        messages = document.get("messages")
        for message in messages if isinstance(messages, list) else ():
            if isinstance(message, dict):
                _message(talk, message, plain=True)
    elif isinstance(document, list):
        entries = [entry for entry in document if isinstance(entry, dict)]
        shown = any("say" in entry or "ask" in entry for entry in entries)
        if entries and shown and not talk.ident:
            talk.ident = str(entries[0].get("ts") or "")
        for index, entry in enumerate(entries):
            if shown:
                _shown(talk, entry, index)
            else:
                _message(talk, entry, plain=False)
    else:
        return Skipped(file.path, "empty", "the document is not complete; it may still be being written")
    return talk.session(file.path)


def _where(talk: Dialogue, path: Path) -> None:
    """The workspace, which a file beside this one names."""
    beside = path.parent / "history_item.json"
    try:
        item = json.loads(beside.read_text(encoding="utf-8", errors="replace")) if beside.is_file() else {}
    except (OSError, ValueError):
        return
    workspace = item.get("workspace") if isinstance(item, dict) else None
    talk.cwd = workspace if isinstance(workspace, str) and workspace else None


def _shown(talk: Dialogue, entry: dict[str, Any], index: int) -> None:
    """One entry of what the screen showed."""
    text, time = str(entry.get("text") or ""), parse_time(entry.get("ts"))
    if entry.get("partial"):
        return
    kind = entry.get("say") if entry.get("type") == "say" else entry.get("ask")
    native = f"{entry.get('ts')}-{index}"
    if entry.get("type") == "say" and (kind in ("user_feedback", "task") or (kind == "text" and index == 0)):
        talk.developer(text, time, native=native)
    elif kind == "user_feedback_diff":
        tool = _decoded(text)
        talk.system(str(tool.get("diff") or text), time, native)
    elif kind in ("text", "completion_result", "followup", "plan_mode_respond"):
        said = _decoded(text)
        talk.agent(str(said.get("question") or said.get("response") or text), time, native)
    elif kind in ("command_output", "tool", "browser_action_result", "mcp_server_response"):
        talk.tool(text, time, native)


def _decoded(text: str) -> dict[str, Any]:
    if not text.startswith("{"):
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


@cache
def _said() -> re.Pattern[str]:
    return re.compile(
        r"\A\s*<task>\n?(.*?)\n?</task>"
        r"|provided (?:the following )?feedback[^\n<]*\n+<feedback>\n?(.*?)\n?</feedback>"
        r"|\A\[(?:ask_followup_question|plan_mode_respond)[^\]]*\] Result:\s*"
        r"<(?:answer|user_message)>\n?(.*?)\n?</(?:answer|user_message)>"
        r"|\A\s*<user_message>\n?(.*?)\n?</user_message>",
        re.DOTALL,
    )


def _message(talk: Dialogue, message: dict[str, Any], *, plain: bool) -> None:
    """One message as the model got it. Not ``plain``: words stand only in tags that the program puts around them."""
    content, time = message.get("content"), parse_time(message.get("ts"))
    native = message.get("id")
    if message.get("role") == "assistant":
        talk.agent(text_of(content, "text"), time, native)
        return
    if message.get("role") != "user":
        return
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    for index, block in enumerate(blocks):
        if not isinstance(block, dict):
            continue
        ident = f"{native}#{index}" if native and index else native
        if block.get("type") == "tool_result":
            talk.tool(text_of(block.get("content")), time)
        elif block.get("type") != "text":
            talk.system(str(block.get("content") or ""), time, ident)
        elif plain:
            talk.developer(str(block.get("text") or ""), time, native=ident, human=False)
        else:
            text = str(block.get("text") or "")
            found = _said().search(text)
            if found is None:
                talk.system(text, time, ident)
            else:
                start, end = found.span(found.lastindex or 1)
                talk.developer(text, time, native=ident, segments=talk.typed_inside(text, start, end))
