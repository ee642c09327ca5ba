"""Public bug reports about agents other than Claude Code and Codex, each by its number, with an input of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts.test_reported import words_of
from transcripts.registry import read_transcript
from transcripts.session import Session, Skipped

Record = dict[str, Any]
AT = 1_777_881_600_000  # 4 May 2026, 08:00 UTC, in milliseconds
NOISE = "always use yarn"


def opencode(*parts: Record, role: str = "user") -> Record:
    """An export with one prompt ``go`` and these further parts."""
    messages = [
        {
            "info": {"id": "m1", "role": role, "time": {"created": AT}},
            "parts": [{"type": "text", "text": "go"}, *parts],
        },
        {"info": {"id": "m2", "role": "assistant", "time": {"created": AT}}, "parts": [{"type": "text", "text": "ok"}]},
    ]
    return {
        "info": {"id": "s", "projectID": "global", "directory": "/home/dana/shop", "time": {}},
        "messages": messages,
    }


def gemini(ident: str, text: str, kind: str = "user", **more: Any) -> Record:
    return {"id": ident, "timestamp": "2026-05-04T08:00:00Z", "type": kind, "content": [{"text": text}]} | more


GEMINI = {"sessionId": "g", "projectHash": "x", "startTime": "2026-05-04T08:00:00Z", "kind": "main"}


def cursor(text: str, role: str = "user") -> Record:
    return {"role": role, "message": {"content": [{"type": "text", "text": text}]}}


def query(text: str) -> str:
    return f"<user_query>\n{text}\n</user_query>"


def vscode(*changes: Record) -> list[Record]:
    """A log of changes: a first state without requests, then these."""
    return [{"kind": 0, "v": {"version": 3, "sessionId": "v", "requests": []}}, *changes]


def asked(ident: str, text: str) -> Record:
    return {"requestId": ident, "timestamp": AT, "message": {"text": text}, "response": [{"value": "ok"}]}


def copilot(text: str, kind: str = "user.message", **more: Any) -> Record:
    return {"type": kind, "data": {"content": text} | more, "id": f"{kind}{text}", "timestamp": "2026-05-04T08:00:00Z"}


COPILOT = {"type": "session.start", "data": {"sessionId": "c"}, "id": "e0", "timestamp": "2026-05-04T08:00:00Z"}
APPEND = {"kind": 2, "k": ["requests"]}


def line(record: Record) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


REPORTS: dict[str, tuple[list[Record | bytes], list[str]]] = {
    "openducktor#736": ([opencode({"type": "text", "text": NOISE, "synthetic": True})], ["go"]),
    "opencode#13560": ([opencode({"type": "compaction", "text": NOISE})], ["go"]),
    "opencode#13654": ([opencode({"type": "text", "text": NOISE, "ignored": True})], ["go"]),
    "maestro#397": ([opencode({"type": "file", "filename": NOISE}, {"type": "step-start"})], ["go"]),
    "splitrail#171": ([GEMINI, gemini("a", f"<session_context>{NOISE}</session_context>"), gemini("b", "go")], ["go"]),
    "cc-switch#3145": ([GEMINI, {"$set": {"messages": [gemini("a", "go"), gemini("b", "ok", "gemini")]}}], ["go"]),
    "cc-switch#3938": ([GEMINI, gemini("a", "go"), {"$set": {"messages": [gemini("a", "go")]}}, gemini("b", "on")], ["go", "on"]),
    "ai-terminal-manager#27": ([GEMINI, gemini("a", NOISE, displayContent="go"), gemini("b", "ok", "gemini")], ["go"]),
    "agentsview#407": ([GEMINI, gemini("a", "go"), gemini("b", "o", "gemini"), gemini("b", "ok", "gemini"), gemini("a", "go")], ["go"]),
    "agentsview#409": ([GEMINI, gemini("a", "go"), gemini("a", "go on")], ["go on"]),
    "caura#612": ([cursor(f"<timestamp>2026</timestamp>\n{query('go')}"), cursor("ok", "assistant")], ["go"]),
    "code-insights#312": ([cursor(query("go")), cursor("ok", "assistant"), {"type": "turn_ended", "status": "success"}], ["go"]),
    "agentsview#1627": ([cursor(f"<attached_files>{NOISE}</attached_files>\n{query('go')}"), cursor("ok", "assistant")], ["go"]),
    "agentsview#1662": ([cursor(query("go")), {"type": "turn_ended"}, cursor(query("on")), cursor("ok", "assistant")], ["go", "on"]),
    "tokscale#1181": (vscode({**APPEND, "v": [asked("a", "go")]}, {**APPEND, "v": [asked("b", "on")]}), ["go", "on"]),
    "deja-vu#3061": (vscode({**APPEND, "v": [asked("a", "g")]}, {"kind": 1, "k": ["requests", 0, "message", "text"], "v": "go"}), ["go"]),
    "deja-vu#3088": (vscode({**APPEND, "v": [asked("a", "go"), asked("b", NOISE)]}, {**APPEND, "i": 1, "v": []}), ["go"]),
    "pew#36": ([{"version": 3, "sessionId": "v", "requests": [asked("a", "go")]}], ["go"]),
    "ai-engineering-fluency#748": (vscode({**APPEND, "v": [asked("a", "go")]}, {"kind": 1, "k": ["inputState", "text"], "v": NOISE}), ["go"]),
    "ctx#29": (vscode({"kind": 1, "k": ["requests"], "v": [asked("a", "go")]}), ["go"]),
    "copilot-cli#4098": ([COPILOT, b'{"type":"user.message","data":{"cont' + line(copilot("go")), copilot("ok", "assistant.message")], ["go"]),
    "copilot-cli#2649": ([COPILOT, line(copilot("go\non")).replace(rb"\n", b"\n"), copilot("ok", "assistant.message")], ["go\non"]),
    "copilot-cli#2217": ([COPILOT, copilot("go"), b"\0\0\0\0"], ["go"]),
    "copilot-cli#3593": ([COPILOT, b"\0\0" + line(copilot("go")), copilot("ok", "assistant.message")], ["go"]),
    "copilot-cli#2012": ([COPILOT, line(copilot("go\u2028on"))], ["go\u2028on"]),
    "copilot-cli#2490": ([COPILOT, line(copilot("go\u2029on"))], ["go\u2029on"]),
    "copilot-cli#2658": ([COPILOT, line(copilot("go\u0085on"))], ["go\u0085on"]),
    "oh-my-pi#3849": ([{"type": "session", "id": "p", "cwd": "/x"}, line({"type": "message", "message": {"role": "user", "content": "\u00fc" * 70_000}})], ["\u00fc" * 70_000]),
}  # fmt: skip
# ruff: noqa: E501 - a case stays on one line


def read(records: list[Record | bytes], place: Path) -> Session | Skipped:
    path = place / "x.jsonl"
    path.write_bytes(b"".join(record if isinstance(record, bytes) else line(record) for record in records))
    return read_transcript(path)


@pytest.mark.parametrize("number", REPORTS)
def test_the_words_are_found_and_nobody_elses(number: str, tmp_path: Path) -> None:
    records, expected = REPORTS[number]
    assert expected == words_of(read(records, tmp_path))


def test_agentsview_1236_the_place_of_a_global_project_is_the_sessions_own_folder(tmp_path: Path) -> None:
    found = read([opencode()], tmp_path)
    assert isinstance(found, Session)
    assert ("/home/dana/shop", "/home/dana/shop") == (found.cwd, found.repo)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.md", b"# aider chat started at 2026-05-04 08:00:00\n\n#### go  \n\nok\n"),
        (
            "x.jsonl",
            line(
                {
                    "id": "1",
                    "timestamp": "2026-05-04T08:00:00",
                    "kind": "MessageEvent",
                    "source": "user",
                    "llm_message": {"content": [{"type": "text", "text": "go"}]},
                }
            ),
        ),
    ],
)
def test_pi_9609_a_time_that_a_program_writes_in_this_machines_zone_is_read_in_it(
    name: str, content: bytes, tmp_path: Path, machine_in: Callable[[str], None]
) -> None:
    machine_in("PST8")
    (tmp_path / name).write_bytes(content)
    found = read_transcript(tmp_path / name)
    assert isinstance(found, Session)
    assert datetime(2026, 5, 4, 16, tzinfo=UTC) == found.turns[0].time


def test_pi_9609_a_time_without_a_zone_is_utc(tmp_path: Path) -> None:
    told = {"type": "message", "timestamp": "2026-05-04T08:00:00", "message": {"role": "user", "content": "go"}}
    found = read([{"type": "session", "id": "p", "cwd": "/x"}, told], tmp_path)
    assert isinstance(found, Session)
    assert "2026-05-04T08:00:00+00:00" == str(found.turns[0].time).replace(" ", "T")
