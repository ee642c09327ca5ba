"""What is read of Codex's records, enveloped or bare."""

from __future__ import annotations

from typing import Any, TypedDict


class Payload(TypedDict, total=False):
    """What an envelope holds; a bare record holds the same."""

    type: Any
    id: Any
    session_id: Any
    timestamp: Any
    instructions: Any
    cwd: Any
    git: Any
    source: Any
    thread_source: Any
    originator: Any
    forked_from_id: Any
    parent_thread_id: Any
    turn_id: Any
    role: Any
    content: Any
    kind: Any
    message: Any
    item: Any
    num_turns: Any
    name: Any
    call_id: Any
    arguments: Any
    output: Any


class Line(Payload, total=False):
    """A record of a rollout file."""

    payload: Payload | str | None
    record_type: Any
