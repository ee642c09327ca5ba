"""Lines that are left unread: only those that hold nobody's words, as one whole record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from transcripts.claude_code.sieve import Sieve
from transcripts.registry import read_transcript
from transcripts.session import Session

USAGE = {"input_tokens": 8, "cache_creation": {"ephemeral_5m_input_tokens": 2}, "output_tokens": 1}
THOUGHT = {"type": "thinking", "thinking": "The reducer [1] starts at one.", "signature": "Er8C=="}
TEXT = {"type": "text", "text": "The index starts at one."}
CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls [a-z]*"}}
EDIT = {"type": "tool_use", "id": "t1", "name": "MultiEdit", "input": {"edits": [{"old": "{"}, {"old": "}"}]}}
QUESTION = {"type": "tool_use", "id": "t1", "name": "AskUserQuestion", "input": {"questions": []}}
PLAN = {"type": "tool_use", "id": "t1", "name": "ExitPlanMode", "input": {"plan": "first the tests"}}


def agent(*blocks: dict[str, Any]) -> bytes:
    message = {"model": "m", "id": "msg_1", "type": "message", "role": "assistant", "content": blocks, "usage": USAGE}
    return line(message=message, requestId="req_1", type="assistant", uuid="a1", timestamp="2026-03-02T10:00:00Z")


def line(**keys: Any) -> bytes:
    record = {"parentUuid": "u0", "isSidechain": False, "cwd": "/src/shop", "sessionId": "s1", **keys}
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


PROGRESS = line(type="progress", data={"type": "hook_progress"}, parentToolUseID="t1", uuid="p1", timestamp="2026")
TYPED = line(type="user", message={"role": "user", "content": "we use pnpm here"}, uuid="u1", timestamp="2026")


@pytest.mark.parametrize("unread", [agent(THOUGHT), agent(CALL), PROGRESS])
def test_a_line_without_words_is_left_unread(unread: bytes) -> None:
    assert not Sieve().wanted(unread)


@pytest.mark.parametrize(
    "read",
    [
        TYPED,
        agent(TEXT),
        agent(QUESTION),
        agent(PLAN),
        agent(EDIT),
        agent(THOUGHT, TEXT),
        agent(CALL, QUESTION),
        line(type="summary", summary="progress"),
        b"",
        b"not JSON",
    ],
)
def test_a_line_that_may_hold_words_is_read(read: bytes) -> None:
    assert Sieve().wanted(read)


@pytest.mark.parametrize("first", [agent(THOUGHT), agent(CALL), PROGRESS])
@pytest.mark.parametrize("second", [TYPED, agent(TEXT)])
def test_a_record_glued_to_what_is_left_of_another_is_read(first: bytes, second: bytes) -> None:
    cut = first.rindex(b'"uuid"')
    assert Sieve().wanted(first[:cut] + second)
    assert Sieve().wanted(first[: first.index(b'"type"')] + second)


def test_a_line_of_the_agent_that_is_left_unread_tells_that_it_spoke() -> None:
    sieve = Sieve()
    sieve.wanted(PROGRESS)
    assert not sieve.agent_seen
    sieve.wanted(agent(CALL))
    assert sieve.agent_seen


@pytest.mark.parametrize("lost", [0, 1, 40])
def test_what_follows_a_codex_record_on_its_line_is_read(lost: int, tmp_path: Path) -> None:
    def record(kind: str, **payload: Any) -> bytes:
        return json.dumps({"timestamp": "2026-03-02T10:00:00Z", "type": kind, "payload": payload}).encode()

    place = record("session_meta", id="s1", cwd="/src/shop")
    figures = record("event_msg", type="token_count", info={"total_token_usage": {"input_tokens": 8, "output": 1}})
    typed = record("event_msg", type="user_message", message="we use pnpm here")
    path = tmp_path / "rollout.jsonl"
    squeezed = figures.replace(b", ", b",").replace(b": ", b":")
    path.write_bytes(place + b"\n" + squeezed[: len(squeezed) - lost] + typed + b"\n")
    session = read_transcript(path)
    assert isinstance(session, Session)
    assert ["we use pnpm here"] == [turn.text for turn in session.developer_turns()]
