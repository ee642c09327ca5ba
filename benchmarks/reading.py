"""Reading Claude Code transcripts against parsing the same lines and throwing them away."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import orjson

from benchmarks.measure import Result, in_turns
from transcripts.registry import read_transcript

FILES, TURNS = 6, 300


def results() -> Iterator[Result]:
    """One line: the whole reader, segments and origins included."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [_transcript(Path(folder), number) for number in range(FILES)]
        size = sum(path.stat().st_size for path in paths)

        def ours() -> None:
            for path in paths:
                read_transcript(path)

        def floor() -> None:
            for path in paths:
                with path.open("rb") as lines:
                    for line in lines:
                        orjson.loads(line)

        seconds, least = in_turns(ours, floor, 15)
        note = f"{size / 1e6:.1f} MB, {size / 1e6 / seconds:.0f} MB/s"
        yield Result("reading Claude Code JSONL", "`orjson.loads` of every line", seconds, least, 2.0, note)


def _transcript(folder: Path, number: int) -> Path:
    """A session with the mix of real ones: most bytes are tool output and the agent's own work."""
    path = folder / f"00000000-0000-4000-8000-{number:012d}.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for turn in range(TURNS):
            for record in _records(number, turn):
                out.write(json.dumps(record) + "\n")
    return path


def _records(number: int, turn: int) -> list[dict[str, object]]:
    shared = {
        "isSidechain": False,
        "userType": "external",
        "cwd": "/src/webapp",
        "sessionId": f"00000000-0000-4000-8000-{number:012d}",
        "version": "2.1.112",
        "gitBranch": "main",
        "timestamp": f"2026-06-10T{turn // 60 % 24:02d}:{turn % 60:02d}:00.000Z",
    }
    call = f"toolu_{number}_{turn}"
    output = "\n".join(f"{n:5d}\tconst value{n} = compute({n}, 'step {turn}');" for n in range(60))
    bodies: list[tuple[str, object]] = [
        ("user", f"step {turn}: the totals are off by one in the summary, look at the reducer and fix it please"),
        ("assistant", [{"type": "text", "text": f"I look at the reducer of step {turn} and at its tests. " * 6}]),
        (
            "assistant",
            [{"type": "tool_use", "id": call, "name": "Read", "input": {"file_path": "/src/webapp/src/cart.ts"}}],
        ),
        ("user", [{"type": "tool_result", "tool_use_id": call, "content": output}]),
        ("assistant", [{"type": "text", "text": "The index starts at one there. Fixed, and a test added. " * 8}]),
    ]
    records: list[dict[str, object]] = []
    for index, (role, content) in enumerate(bodies):
        record: dict[str, object] = {"parentUuid": None, "type": role, "message": {"role": role, "content": content}}
        record |= {"uuid": f"{number:08d}-{turn:04d}-4000-8000-{index:012d}", **shared}
        if isinstance(content, list) and content[0]["type"] == "tool_result":
            record["toolUseResult"] = {"type": "text", "file": {"content": output, "numLines": 60}}
        records.append(record)
    return records
