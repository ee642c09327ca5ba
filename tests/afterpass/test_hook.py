"""The hook, as agents call it: a process that records the session durably, says nothing and returns 0."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

CLAUDE_END = {
    "session_id": "5c0375b4-57a5-4f26-b12d-d022ee4e51b7",
    "prompt_id": "p-1",
    "transcript_path": "/home/dana/.claude/projects/-src-webapp/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl",
    "cwd": "/src/webapp",
    "permission_mode": "default",
    "hook_event_name": "SessionEnd",
    "reason": "prompt_input_exit",
}
CODEX_STOP = {
    "session_id": "0199a213-81c0-7800-8aa1-bbab2a035a53",
    "turn_id": "7",
    "transcript_path": None,
    "cwd": "/src/webapp",
    "hook_event_name": "Stop",
    "model": "gpt-5-codex",
    "permission_mode": "on-request",
    "stop_hook_active": False,
    "last_assistant_message": 'Said "session_id": "not-this-one"',
}
CODEX_NOTIFY = {
    "type": "agent-turn-complete",
    "thread-id": "0199a213-81c0-7800-8aa1-bbab2a035a53",
    "turn-id": "7",
    "cwd": "/src/webapp",
    "client": "codex-tui",
    "input-messages": ["staging moved to preview"],
    "last-assistant-message": "Noted.",
}


def call(home: Path, payload: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-I", "-m", "afterpass", "hook", "--home", str(home), "--record-only", *arguments]
    return subprocess.run(command, input=payload, capture_output=True, timeout=20, check=False)


def markers(home: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("ascii")) for path in sorted((home / "inbox").glob("*.json"))]


def log(home: Path) -> list[str]:
    path = home / "hook.log"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def record(home: Path, payload: object, *arguments: str) -> dict[str, Any]:
    """What the hook recorded for a payload, without the time."""
    done = call(home, json.dumps(payload).encode(), *arguments)
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    (marker,) = markers(home)
    assert abs(time.time() - marker.pop("at")) < 60
    return marker


def test_claude_codes_session_end_is_recorded(tmp_path: Path) -> None:
    expected = {
        "marker": 1,
        "event": "SessionEnd",
        "session": CLAUDE_END["session_id"],
        "path": CLAUDE_END["transcript_path"],
        "cwd": "/src/webapp",
    }
    assert expected == record(tmp_path, CLAUDE_END)


def test_codex_stop_without_a_transcript_path_is_recorded(tmp_path: Path) -> None:
    expected = {
        "marker": 1,
        "event": "Stop",
        "session": CODEX_STOP["session_id"],
        "path": None,
        "cwd": "/src/webapp",
    }
    assert expected == record(tmp_path, CODEX_STOP)


def test_codex_notify_gives_its_payload_as_an_argument(tmp_path: Path) -> None:
    done = call(tmp_path, b"", json.dumps(CODEX_NOTIFY))
    assert (0, b"") == (done.returncode, done.stdout)
    (marker,) = markers(tmp_path)
    assert ("agent-turn-complete", CODEX_NOTIFY["thread-id"], None) == (
        marker["event"],
        marker["session"],
        marker["path"],
    )


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"unheard_of": {"deep": [1]}}, CLAUDE_END["transcript_path"]),
        ({"transcript_path": ""}, None),
        ({"transcript_path": 7}, None),
        ({"transcript_path": "a\0b"}, None),
        ({"transcript_path": "sub/t.jsonl"}, "/src/webapp/sub/t.jsonl"),
        ({"transcript_path": "/tmp/größe \ud83d.jsonl"}, "/tmp/größe \ud83d.jsonl"),
        ({"hook_event_name": None}, CLAUDE_END["transcript_path"]),
    ],
)
def test_odd_payloads_are_recorded_too(tmp_path: Path, changed: dict[str, object], path: str | None) -> None:
    assert path == record(tmp_path, CLAUDE_END | changed)["path"]


def test_a_byte_order_mark_and_bytes_that_are_no_text_cost_nothing(tmp_path: Path) -> None:
    payload = b'\xef\xbb\xbf{"session_id": "s", "transcript_path": "/t.jsonl", "note": "\xff"}\n'
    assert 0 == call(tmp_path, payload).returncode
    assert ["/t.jsonl"] == [marker["path"] for marker in markers(tmp_path)]


def test_a_payload_over_the_size_limit_still_gives_its_session(tmp_path: Path) -> None:
    payload = json.dumps(CLAUDE_END | {"last_assistant_message": "x" * (5 << 20)}).encode()
    assert 0 == call(tmp_path, payload).returncode
    assert [CLAUDE_END["session_id"]] == [marker["session"] for marker in markers(tmp_path)]


def test_a_pipe_that_stays_open_is_not_waited_for(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-m", "afterpass", "hook", "--home", str(tmp_path), "--record-only"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(CLAUDE_END).encode())
        process.stdin.flush()
        assert 0 == process.wait(timeout=20)
    assert 1 == len(markers(tmp_path))


def test_a_silent_pipe_is_given_up_and_logged(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-m", "afterpass", "hook", "--home", str(tmp_path), "--record-only"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert 0 == process.wait(timeout=20)
    assert 1 == len(log(tmp_path))
    assert "no payload on standard input" in log(tmp_path)[0]


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"", "no payload on standard input"),
        (b"not json", "the payload is not JSON"),
        (b"[1, 2]", "the payload is not a JSON object"),
        (b"{}", "the payload names neither session_id nor transcript_path"),
        (b'{"hook_event_name": "PostToolUse", "session_id": "s"}', "ignored the event 'PostToolUse'"),
    ],
)
def test_what_cannot_be_recorded_is_one_line_in_the_log(tmp_path: Path, payload: bytes, said: str) -> None:
    done = call(tmp_path, payload)
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == len(log(tmp_path))
    assert said in log(tmp_path)[0]


@pytest.mark.parametrize("event", ["SessionStart", "SubagentStop"])
def test_events_that_end_nothing_leave_no_marker(tmp_path: Path, event: str) -> None:
    assert 0 == call(tmp_path, json.dumps(CLAUDE_END | {"hook_event_name": event}).encode()).returncode
    assert [] == markers(tmp_path)


def test_a_sub_agents_turn_leaves_no_marker(tmp_path: Path) -> None:
    assert 0 == call(tmp_path, json.dumps(CODEX_STOP | {"agent_id": "a-1"}).encode()).returncode
    assert [] == markers(tmp_path)


def test_a_home_that_cannot_be_made_is_said_on_standard_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = call(tmp_path / "file" / "home", json.dumps(CLAUDE_END).encode())
    assert (0, b"") == (done.returncode, done.stdout)
    assert b"NotADirectoryError" in done.stderr
    assert 1 == done.stderr.count(b"\n")


def test_what_the_hook_writes_is_private(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    call(home, json.dumps(CLAUDE_END).encode())
    (marker,) = (home / "inbox").iterdir()
    assert [0o700, 0o700, 0o600] == [stat.S_IMODE(path.stat().st_mode) for path in (home, home / "inbox", marker)]


def test_the_home_may_stand_before_the_command_or_in_the_environment(tmp_path: Path) -> None:
    payload = json.dumps(CLAUDE_END).encode()
    base = [sys.executable, "-I", "-m", "afterpass"]
    subprocess.run([*base, "--home", str(tmp_path / "a"), "hook", "--record-only"], input=payload, check=True)
    environ = os.environ | {"AFTERPASS_HOME": str(tmp_path / "b")}
    subprocess.run([*base, "hook", "--record-only"], input=payload, env=environ, check=True)
    assert [1, 1] == [len(markers(tmp_path / name)) for name in ("a", "b")]


def test_the_log_is_set_aside_before_it_grows_without_end(tmp_path: Path) -> None:
    (tmp_path / "hook.log").write_bytes(b"x" * ((1 << 20) + 1))
    call(tmp_path, b"")
    assert 1 == len(log(tmp_path))
    assert (1 << 20) + 1 == (tmp_path / "hook.log.1").stat().st_size


def test_only_light_modules_are_loaded(tmp_path: Path) -> None:
    heavy = ["dataclasses", "inspect", "subprocess", "argparse", "logging", "pathlib", "typing", "tempfile"]
    code = (
        "import sys; from afterpass.hook import run_if_called;"
        f"run_if_called(['hook', '--record-only', '--home', {str(tmp_path)!r}]);"
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-I", "-c", code], input=json.dumps(CLAUDE_END), capture_output=True, text=True, check=True
    )
    assert "[]" == shown.stdout.strip()
    assert 1 == len(markers(tmp_path))
