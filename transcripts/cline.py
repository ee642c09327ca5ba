"""Cline, Roo Code and Kilo Code: a folder per task, with what the screen showed and what the model was sent.

``ui_messages.json`` says plainly who spoke. ``session.messages.json`` of newer builds and the model's own
``api_conversation_history.json`` are read where it is what was given.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, listed, text_of
from transcripts.session import Origin, Segment, Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from datetime import datetime
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
    talk = _Task(name)
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


class _Task(Dialogue):
    """A task that is being read, with what the agent has just offered to choose from."""

    def __init__(self, agent: str) -> None:
        super().__init__(agent)
        self.offered: frozenset[str] = frozenset()
        self.asked: set[str] = set()  # calls that put a question
        self.by_agent = False  # an agent wrote what the task begins with

    def offer(self, options: list[str]) -> None:
        """These answers stand beside the last question; picking one of them is no typing."""
        self.offered = frozenset(map(_folded, options))

    def answer(self, text: str, start: int, end: int) -> tuple[Segment, ...]:
        """The segments of an answer that stands in ``text[start:end]``."""
        if _folded(text[start:end]) not in self.offered:
            return self.typed_inside(text, start, end)
        parts = ((Origin.INJECTED, text[:start]), (Origin.CHOSEN, text[start:end]), (Origin.INJECTED, text[end:]))
        return tuple(Segment(origin, part) for origin, part in parts if part)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _where(talk: _Task, path: Path) -> None:
    """The workspace, which a file beside this one names, and whether an agent began the task out of another one."""
    beside = path.parent / "history_item.json"
    try:
        item = json.loads(beside.read_text(encoding="utf-8", errors="replace")) if beside.is_file() else {}
    except (OSError, ValueError):
        return
    if not isinstance(item, dict):
        return
    talk.by_agent = bool(item.get("parentTaskId"))
    workspace = item.get("workspace")
    talk.cwd = workspace if isinstance(workspace, str) and workspace else None


def _shown(talk: _Task, entry: dict[str, Any], index: int) -> None:
    """One entry of what the screen showed."""
    text, time = str(entry.get("text") or ""), parse_time(entry.get("ts"))
    if entry.get("partial"):
        return
    kind = entry.get("say") if entry.get("type") == "say" else entry.get("ask")
    native = f"{entry.get('ts')}-{index}"
    if talk.by_agent and index == 0:
        talk.agent(text, time, native)
    elif entry.get("type") == "say" and (kind in ("user_feedback", "task") or (kind == "text" and index == 0)):
        talk.developer(text, time, native=native, segments=talk.answer(text, 0, len(text)) if talk.offered else None)
        talk.offer([])
    elif kind == "user_feedback_diff":
        tool = _decoded(text)
        talk.system(str(tool.get("diff") or text), time, native)
    elif kind in ("followup", "plan_mode_respond"):
        _question(talk, _decoded(text), text, time, native)
    elif kind in ("text", "completion_result"):
        talk.agent(text, time, native)
    elif kind in ("command_output", "tool", "browser_action_result", "mcp_server_response"):
        talk.tool(text, time, native)


def _question(talk: _Task, asked: dict[str, Any], text: str, time: datetime | None, native: str) -> None:
    """What the agent asks and offers, and the option that was picked, where the entry tells it."""
    options = _options(asked)
    question = str(asked.get("question") or asked.get("response") or text)
    talk.agent("\n".join([question, *(f"- {option}" for option in options)]), time, native)
    talk.offer(options)
    picked = asked.get("selected")
    if isinstance(picked, str) and picked.strip():
        chosen = (Segment(Origin.CHOSEN, picked),)
        talk.developer(picked, time, native=f"{native}-picked", segments=chosen, channel="answer")


def _options(asked: dict[str, Any]) -> list[str]:
    """The answers that a question offers: texts, or objects that hold one."""
    found: list[str] = []
    for key in ("options", "suggest", "follow_up"):
        for option in listed(asked.get(key)):
            told = (option.get("answer") or option.get("text")) if isinstance(option, dict) else option
            found += [told] if isinstance(told, str) else []
    return found


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
        r"|\A\s*(?:\[[^\]\n]*\] Result:\s*)?[^\n<]{0,120}provided (?:the following )?feedback[^\n<]*\n+"
        r"<feedback>\n?(.*?)\n?</feedback>"
        r"|\A\[(?:ask_followup_question|plan_mode_respond)[^\]]*\] Result:\s*"
        r"<(?:answer|user_message)>\n?(.*?)\n?</(?:answer|user_message)>"
        r"|\A\s*<user_message>\n?(.*?)\n?</user_message>",
        re.DOTALL,
    )


@cache
def _by_program() -> re.Pattern[str]:
    """How messages begin that the program sends in the developer's name."""
    return re.compile(
        r"\s*(?:\[(?:TASK RESUMPTION|ERROR|The user has switched to [^\]\n]*)\]"
        r"|New instructions for task continuation:|The user made the following (?:edits|updates)|# TODO LIST)"
    )


@cache
def _answer() -> re.Pattern[str]:
    """An answer by itself: words only directly behind the result of a question."""
    return re.compile(r"\A\s*<(?:answer|user_message)>\n?(.*?)\n?</(?:answer|user_message)>\s*\Z", re.DOTALL)


def _inside(text: str, tag: str) -> list[str]:
    """What stands in each of these tags, from behind the tag's name on."""
    parts = (part.partition(f"</{tag}>") for part in text.split(f"<{tag}")[1:])
    return [inside for inside, closed, _ in parts if closed]


_ASKS = ("ask_followup_question", "plan_mode_respond")


def _agents(talk: _Task, content: Any, time: datetime | None, native: Any) -> None:
    """A message of the agent's, with the answers that its question offers."""
    text = text_of(content, "text")
    talk.agent(text, time, native)
    options = [suggestion.partition(">")[2] for suggestion in _inside(text, "suggest")]
    for inside in _inside(text, "options"):
        options += _options(_decoded(f'{{"options": {inside.removeprefix(">")}}}'))
    for block in listed(content):
        if isinstance(block, dict) and block.get("name") in _ASKS:
            given = block.get("input")
            talk.asked.add(str(block.get("id")))
            options += _options(given) if isinstance(given, dict) else []
    talk.offer(options)


def _message(talk: _Task, message: dict[str, Any], *, plain: bool) -> None:
    """One message as the model got it. Not ``plain``: words stand only in tags that the program puts around them."""
    content, time = message.get("content"), parse_time(message.get("ts"))
    native = message.get("id")
    if message.get("role") == "assistant":
        _agents(talk, content, time, native)
        return
    if message.get("role") != "user":
        return
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    after_question = False
    for index, block in enumerate(blocks):
        if not isinstance(block, dict):
            continue
        ident = f"{native}#{index}" if native and index else native
        result = block.get("type") == "tool_result"
        if not result and block.get("type") != "text":
            talk.system(str(block.get("content") or ""), time, ident)
            continue
        text = text_of(block.get("content")) if result else str(block.get("text") or "")
        asked = str(block.get("tool_use_id")) in talk.asked if result else after_question
        found = (_answer().search(text) if asked else None) or (None if plain or result else _said().search(text))
        if talk.by_agent and text.lstrip().startswith("<task>"):
            talk.agent(text, time, ident)
        elif found is not None:
            start, end = found.span(found.lastindex or 1)
            talk.developer(text, time, native=ident, segments=talk.answer(text, start, end))
        elif result:
            talk.tool(text, time)
        elif plain and not _by_program().match(text):
            talk.developer(text, time, native=ident, human=False)
        else:
            talk.system(text, time, ident)
        after_question = not result and bool(re.match(rf"\[(?:{'|'.join(_ASKS)})[^\]]*\] Result:\s*\Z", text))
