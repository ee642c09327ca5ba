"""Who wrote a record of type ``user``: its flags first, its first words only where nothing proves a person."""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import cache
from typing import Any

Record = dict[str, Any]

UNATTRIBUTED_SINCE = (2, 1, 210)  # from here on a record without an origin is not the developer's by default


class Sender(Enum):
    """Who put a user-role text into the session."""

    HUMAN = auto()  # the record says so
    LIKELY = auto()  # nothing speaks against it: older builds say nothing
    CHOSEN = auto()  # words that the agent suggested and the developer sent
    AUTOMATION = auto()  # a script or an app through the SDK
    PROGRAM = auto()  # reminders, notifications, summaries, other agents


def sender_of(record: Record, *, origin_known: bool) -> Sender:
    """Who sent a record, by its flags alone.

    ``origin_known`` says that an earlier record of the file carried an origin: its build writes them, so that a
    missing one means something.
    """
    if record.get("isSidechain") or record.get("agentId"):
        return Sender.PROGRAM
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin if isinstance(origin, str) else None
    source = record.get("promptSource")
    if (kind is not None and kind != "human") or source == "system":
        return Sender.PROGRAM
    if any(record.get(flag) for flag in _PROGRAM_FLAGS):
        return Sender.PROGRAM
    if source == "sdk":
        return Sender.AUTOMATION
    if source == "suggestion_accepted":
        return Sender.CHOSEN
    if kind == "human" or source in ("typed", "queued"):
        return Sender.HUMAN
    entrypoint = record.get("entrypoint")
    if isinstance(entrypoint, str) and entrypoint.startswith("sdk-"):
        return Sender.AUTOMATION
    if origin_known and version_of(record) >= UNATTRIBUTED_SINCE:
        return Sender.PROGRAM
    return Sender.LIKELY


_PROGRAM_FLAGS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "planContent", "sourceToolUseID")


def version_of(record: Record) -> tuple[int, ...]:
    """The build that wrote a record; () when it does not say."""
    version = record.get("version")
    if not isinstance(version, str):
        return ()
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


@cache
def _command() -> re.Pattern[str]:
    return re.compile(r"\s*<(?:command-(?:name|message|args|contents)|user-memory-input)>")


@cache
def _words_in_wrapper() -> re.Pattern[str]:
    return re.compile(r"<(command-args|user-memory-input)>(.*?)</\1>", re.DOTALL)


def unwrapped(text: str) -> tuple[int, int] | None:
    """Where the developer's own words stand in a command or memory wrapper: a span, empty when there are none.

    None when the text is no such wrapper.
    """
    if not _command().match(text):
        return None
    words = _words_in_wrapper().search(text)
    return (words.start(2), words.end(2)) if words else (len(text), len(text))
