"""Reading sessions of Codex and Pi against parsing the same lines and throwing them away."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from benchmarks.measure import Result, in_turns
from transcripts.registry import read_transcript

PROMPTS = 60
LINES = (8, 1, 50, 3, 14, 120, 5, 20)  # of what the tools give back
Record = dict[str, Any]


def results() -> Iterator[Result]:
    """One line for each agent: the whole reader, segments and origins included."""
    with tempfile.TemporaryDirectory() as folder:
        for agent, records in (("Codex", _codex()), ("Pi", _pi())):
            path = Path(folder) / f"{agent}.jsonl"
            path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
            seconds, least = in_turns(_reading(path), _parsing(path), 15, time.process_time)
            size = path.stat().st_size
            note = f"{size / 1e6:.1f} MB, {size / 1e6 / seconds:.0f} MB/s"
            yield Result(f"reading {agent} JSONL", "`orjson.loads` of every line", seconds, least, 2.0, note)


def _reading(path: Path) -> Callable[[], object]:
    return lambda: read_transcript(path)


def _parsing(path: Path) -> Callable[[], object]:
    def parse() -> None:
        with path.open("rb") as lines:
            for line in lines:
                orjson.loads(line)

    return parse


def _asked(prompt: int) -> str:
    return f"step {prompt}: the totals are off by one in the summary, look at the reducer and fix it please"


def _said(prompt: int) -> str:
    return f"The index starts at one in step {prompt}. Fixed, a test added. " * 6


def _given(prompt: int, lines: int) -> str:
    return "\n".join(f"{n:5d}\tconst value{n} = compute({n * prompt}, 'step {prompt}');" for n in range(lines))


def _codex() -> Iterator[Record]:
    """A rollout: each prompt and answer twice, as event and as item; thoughts sealed, figures after every call."""
    place = {"id": "00000000-0000-4000-8000-000000000000", "cwd": "/src/webapp", "originator": "codex_cli_rs"}
    yield _line("session_meta", place | {"instructions": "Be brief. " * 200})
    for prompt in range(PROMPTS):
        yield _line("turn_context", {"cwd": "/src/webapp", "model": "model-1", "effort": "medium"})
        yield _line("response_item", _item("user", "input_text", _asked(prompt)))
        yield _line("event_msg", {"type": "user_message", "message": _asked(prompt), "kind": "plain"})
        for call, lines in enumerate(LINES):
            ident = f"call_{prompt}_{call}"
            yield _line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "gAAAAABo" * 150})
            given = json.dumps({"command": ["bash", "-lc", f"sed -n '1,{lines}p' src/part{call}.ts"]})
            yield _line("response_item", {"type": "function_call", "call_id": ident, "arguments": given})
            output = json.dumps({"output": _given(prompt, lines), "metadata": {"exit_code": 0}})
            yield _line("response_item", {"type": "function_call_output", "call_id": ident, "output": output})
            used = {"input_tokens": 44_447, "cached_input_tokens": 40_960, "output_tokens": 41}
            yield _line("event_msg", {"type": "token_count", "info": {"total_token_usage": used, "last": used}})
        yield _line("event_msg", {"type": "agent_message", "message": _said(prompt)})
        yield _line("response_item", _item("assistant", "output_text", _said(prompt)))


def _line(kind: str, payload: Record) -> Record:
    return {"timestamp": "2026-06-10T10:00:00.000Z", "type": kind, "payload": payload}


def _item(role: str, kind: str, text: str) -> Record:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _pi() -> Iterator[Record]:
    """A linear session: a call, its figures and its result, one record each."""
    yield {"type": "session", "id": "pi", "timestamp": "2026-06-10T10:00:00.000Z", "cwd": "/src/webapp"}
    for prompt in range(PROMPTS):
        yield _message("user", [{"type": "text", "text": _asked(prompt)}])
        for call, lines in enumerate(LINES):
            given = {"type": "toolCall", "id": f"c{call}", "name": "read", "arguments": {"path": f"src/part{call}.ts"}}
            yield _message("assistant", [{"type": "text", "text": "I look at it."}, given])
            yield _message("toolResult", [{"type": "text", "text": _given(prompt, lines)}])
        yield _message("assistant", [{"type": "text", "text": _said(prompt)}])


def _message(role: str, content: list[Record]) -> Record:
    message = {"role": role, "content": content, "usage": {"input": 44_447, "output": 41, "cacheRead": 40_960}}
    return {"type": "message", "timestamp": "2026-06-10T10:00:00.000Z", "message": message}
