"""Messages typed while the agent works: they wait in a queue, and older builds record them nowhere else."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Queued:
    """One waiting entry: what was put in, and when. ``typed`` is False for tasks and notifications."""

    text: str
    stamp: str
    typed: bool


class Queue:
    """The queue as the file tells it. Tasks and words share it; the oldest entry goes first."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._waiting: deque[Queued] = deque()
        self._delivered: Counter[str] = Counter()

    def operate(self, record: dict[str, Any]) -> tuple[list[Queued], bool]:
        """Carry out one ``queue-operation``: the entries that it makes turns of, and whether they were withdrawn."""
        operation, reason = record.get("operation"), record.get("reason")
        text = text_of(record.get("content"))
        if operation == "enqueue":
            self._waiting.append(Queued(text, str(record.get("timestamp") or ""), typed=is_typed(text)))
        elif operation == "dequeue":
            self._take(text)
        elif operation == "popAll":
            taken = list(self._waiting) or [Queued(text, str(record.get("timestamp") or ""), typed=is_typed(text))]
            self._waiting.clear()
            return [entry for entry in taken if entry.typed], True
        elif operation == "remove":
            entry = self._take(text, str(record.get("timestamp") or ""))
            if entry is None or not entry.typed or reason == "absorbed_mid_turn":
                return [], False  # an attachment brings what was absorbed
            if reason in ("cancelled", "agent_stopped"):
                return [entry], True
            self._delivered[entry.text] += 1
            return [entry], False
        return [], False

    def _take(self, text: str, stamp: str = "") -> Queued | None:
        """The entry with this text, whether or not its arrival is on record; without a text the oldest one."""
        if text:
            for entry in self._waiting:
                if entry.text == text:
                    self._waiting.remove(entry)
                    return entry
            return Queued(text, stamp, typed=is_typed(text))
        return self._waiting.popleft() if self._waiting else None

    def arrived(self, text: str) -> None:
        """A user record with this text came: its entry waits no longer, whether or not the file says so."""
        for entry in self._waiting:
            if entry.text == text:
                self._waiting.remove(entry)
                return

    def already_told(self, text: str) -> bool:
        """Whether a queue line has made a turn of these words before; each is taken back once."""
        if self._delivered[text] <= 0:
            return False
        self._delivered[text] -= 1
        return True


def text_of(content: Any) -> str:
    """The words of a queue entry or a prompt, which is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [block.get("text") if isinstance(block, dict) else block for block in content]
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def is_typed(text: str) -> bool:
    """Whether a queue entry is words: not a task, not a notification, not the empty string."""
    stripped = text.lstrip()
    if not stripped or stripped.startswith(
        ('{"task_id"', "<task-notification", "<agent-notification", "<teammate-message")
    ):
        return False
    return not re.match(r"<(?:system-reminder|bash-notification|status|agent-message)\b", stripped)


def command_words(text: str) -> int | None:
    """Where the words begin in a queued ``/command words``; None when it is no command."""
    match = re.match(r"\s*/[a-z][\w:-]*(?:\s+|$)", text)
    return match.end() if match else None
