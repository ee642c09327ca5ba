"""What is read of Claude Code's records. Everything else, above all the second copy of each tool's output, is not."""

from __future__ import annotations

from typing import Any, TypedDict


class Input(TypedDict, total=False):
    """What the agent asks in a call that asks."""

    questions: Any
    plan: Any


class Block(TypedDict, total=False):
    """A part of a message: words, a call, or what a tool gave back."""

    type: Any
    text: Any
    id: Any
    name: Any
    input: Input | str | list[Any] | None
    tool_use_id: Any
    is_error: Any
    content: Any


class Message(TypedDict, total=False):
    """What went to the model or came from it."""

    content: str | list[Block | str] | None


class Answered(TypedDict, total=False):
    """What the developer answered to the agent's questions."""

    questions: Any
    answers: Any
    annotations: Any


class Line(TypedDict, total=False):
    """A record of a session file."""

    type: Any
    uuid: Any
    parentUuid: Any
    sessionId: Any
    timestamp: Any
    version: Any
    entrypoint: Any
    cwd: Any
    gitBranch: Any
    forkedFrom: Any
    agentId: Any
    isSidechain: Any
    isMeta: Any
    isCompactSummary: Any
    isVisibleInTranscriptOnly: Any
    planContent: Any
    sourceToolUseID: Any
    origin: Any
    promptSource: Any
    message: Message | str | None
    toolUseResult: Answered | str | list[Any] | None
    attachment: Any
    operation: Any
    reason: Any
    content: Any
