"""Reading Claude Code transcripts against parsing the same lines and throwing them away."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import orjson

from benchmarks.corpus import results_of
from benchmarks.measure import Result, in_turns
from transcripts.registry import read_transcript

USAGE = {
    "input_tokens": 8,
    "cache_creation_input_tokens": 223,
    "cache_read_input_tokens": 44_447,
    "cache_creation": {"ephemeral_5m_input_tokens": 223, "ephemeral_1h_input_tokens": 0},
    "output_tokens": 41,
    "service_tier": "standard",
}
FILES, PROMPTS = 4, 40
LINES = (8, 1, 50, 3, 14, 400, 5, 20, 2, 10, 25, 7)  # of what the tools give back: the quartiles of real sessions


def results(*folders: Path) -> Iterator[Result]:
    """One line: the whole reader, segments and origins included. Of folders of real transcripts, what they take."""
    for folder in folders:
        yield from results_of(folder)
    if folders:
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"00000000-0000-4000-8000-{number:012d}.jsonl" for number in range(FILES)]
        for number, path in enumerate(paths):
            write_transcript(path, number)
        size = sum(path.stat().st_size for path in paths)

        def ours() -> None:
            for path in paths:
                read_transcript(path)

        def floor() -> None:
            for path in paths:
                with path.open("rb") as lines:
                    for line in lines:
                        orjson.loads(line)

        seconds, least = in_turns(ours, floor, 15, time.process_time)
        note = f"{size / 1e6:.1f} MB, {size / 1e6 / seconds:.0f} MB/s"
        yield Result("reading Claude Code JSONL", "`orjson.loads` of every line", seconds, least, 2.0, note)


def write_transcript(path: Path, number: int, size: float = 0) -> int:
    """A session with the mix of real ones: each kind of record is as frequent and, on average, as long as in theirs.

    It has ``PROMPTS`` prompts, or as many as ``size`` bytes take; gives back how many.
    """
    prompt = index = 0
    with path.open("w", encoding="utf-8") as out:
        while prompt < PROMPTS or out.tell() < size:
            for role, content in _bodies(prompt):
                line = json.dumps(_record(number, index, role, content), separators=(",", ":"), ensure_ascii=False)
                out.write(line + "\n")
                index += 1
            prompt += 1
    return prompt


def _bodies(prompt: int) -> Iterator[tuple[str, object]]:
    """One prompt, what the agent thinks, says and calls for it, what comes back, and its answer."""
    yield "user", f"step {prompt}: the totals are off by one in the summary, look at the reducer and fix it please"
    for call, size in enumerate(LINES):
        ident = f"toolu_{prompt}_{call}"
        file = f"src/part{call}/module{prompt}.ts"
        thought = f"The reducer of {file} starts at one, so the summary of step {prompt} may be off. " * 8
        yield "assistant", [{"type": "thinking", "thinking": thought, "signature": "Er8CCkYICxgCKkBmmwvsIQ" * 20}]
        if call % 2:
            yield "assistant", [{"type": "text", "text": f"I look at {file} and at the tests beside it. " * 3}]
        given = {
            "file_path": file,
            "old_string": f"compute({call}, total) + 1;\n" * 9,
            "new_string": "sum(total);\n" * 16,
        }
        yield "assistant", [{"type": "tool_use", "id": ident, "name": "Edit", "input": given}]
        if call % 3 == 0:
            yield "progress", {"type": "hook_progress", "hookEvent": "PreToolUse", "hookName": "PreToolUse:Edit"}
        lines = (f"{n:5d}\tconst value{n} = compute({n * call}, 'step {prompt}');" for n in range(size))
        yield "user", [{"tool_use_id": ident, "type": "tool_result", "content": "\n".join(lines)}]
    yield (
        "assistant",
        [{"type": "text", "text": f"The index starts at one in step {prompt}. Fixed, a test added. " * 6}],
    )


def _record(number: int, index: int, role: str, content: object) -> dict[str, object]:
    """The keys of a record, in the order in which the agent writes them."""
    record: dict[str, object] = {
        "parentUuid": f"{number:08d}-{index - 1:04d}-4000-8000-000000000000",
        "isSidechain": False,
        "userType": "external",
        "cwd": "/src/webapp",
        "sessionId": f"00000000-0000-4000-8000-{number:012d}",
        "version": "2.1.112",
        "gitBranch": "main",
    }
    if role == "progress":
        record |= {"type": role, "data": content, "toolUseID": f"toolu_{index}", "parentToolUseID": f"toolu_{index}"}
    elif role == "assistant":
        record["message"] = {
            "model": "model-1",
            "id": f"msg_{number}_{index}",
            "type": "message",
            "role": role,
            "content": content,
            "stop_reason": None,
            "stop_sequence": None,
            "usage": USAGE,
        }
        record["requestId"] = f"req_{number}_{index}"
        record["type"] = role
    else:
        record["type"] = role
        record["message"] = {"role": role, "content": content}
    record["uuid"] = f"{number:08d}-{index:04d}-4000-8000-000000000000"
    record["timestamp"] = f"2026-06-10T{index // 3600 % 24:02d}:{index // 60 % 60:02d}:{index % 60:02d}.000Z"
    if isinstance(content, list) and content[0]["type"] == "tool_result":
        text = content[0]["content"]
        record["toolUseResult"] = {"type": "text", "file": {"content": text, "numLines": text.count("\n")}}
    return record
