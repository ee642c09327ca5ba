"""Pi and oh-my-pi: ``~/.pi/agent/sessions/--<path>--/<time>_<id>.jsonl``, linear at first, a tree since."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from transcripts.dialogue import Dialogue, text_of
from transcripts.jsonl import Records
from transcripts.session import Speaker
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

name = "pi"


class Part(TypedDict, total=False):
    """A part of a message."""

    type: Any
    text: Any


class Message(TypedDict, total=False):
    """What is read of a message."""

    role: Any
    content: str | list[Part | str] | None
    timestamp: Any
    output: Any


class Line(TypedDict, total=False):
    """What is read of a line."""

    type: Any
    id: Any
    parentId: Any
    parentSession: Any
    branchedFrom: Any
    cwd: Any
    timestamp: Any
    message: Message | None


def identify(file: TranscriptFile) -> bool:
    """The first line is a ``session`` with a folder."""
    return any(record.get("type") == "session" and "cwd" in record for record in file.objects.first(1))


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Messages of role user are typed. In a tree only the way to the last leaf stands; other branches are withdrawn."""
    talk = Dialogue(name)
    records = Records(file, shape=Line)
    above: dict[str, str | None] = {}
    entry_of: dict[int, str] = {}
    leaf: str | None = None
    for _, record in records:
        kind = record.get("type")
        if kind == "session":
            talk.ident = talk.ident or str(record.get("id") or "")
            talk.cwd = record.get("cwd") if isinstance(record.get("cwd"), str) else None
            before = record.get("parentSession") or record.get("branchedFrom")
            talk.parent = Path(str(before)).name.removesuffix(".jsonl").rpartition("_")[2] if before else None
            continue
        entry = record.get("id")
        if isinstance(entry, str):
            parent = record.get("parentId")
            above[entry] = parent if isinstance(parent, str) else None
            leaf = entry
        message = record.get("message")
        if kind != "message" or not isinstance(message, dict):
            continue
        time = parse_time(message.get("timestamp")) or parse_time(record.get("timestamp"))
        text = text_of(message.get("content"), "text")
        role = message.get("role")
        if role == "user":
            count = len(talk.log.turns)
            talk.developer(text, time, native=entry)
            if isinstance(entry, str) and len(talk.log.turns) > count:
                entry_of[count] = entry
        elif role == "assistant":
            talk.agent(text, time, entry)
        elif role in ("toolResult", "bashExecution"):
            talk.tool(text or str(message.get("output") or ""), time, entry)
        else:
            talk.system(text, time, entry)
    _withdraw_other_branches(talk, above, entry_of, leaf)
    return talk.session(file.path, bad=records.bad, incomplete=records.incomplete)


def _withdraw_other_branches(
    talk: Dialogue, above: dict[str, str | None], entry_of: dict[int, str], leaf: str | None
) -> None:
    way: set[str] = set()
    while leaf is not None and leaf not in way:
        way.add(leaf)
        leaf = above.get(leaf)
    for index, entry in entry_of.items():
        turn = talk.log.turns[index]
        if entry not in way and turn.speaker is Speaker.DEVELOPER:
            talk.log.turns[index] = turn.taken_back()
