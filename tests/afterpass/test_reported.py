"""Public bug reports about what a hook is given and when it is killed, each by its number."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.afterpass.test_hook import CLAUDE_END, call, log, markers

TRANSCRIPT = b"".join(
    json.dumps(record).encode() + b"\n"
    for record in (
        {"type": "user", "uuid": "u", "sessionId": "s", "cwd": "/src/webapp", "message": {"content": "use pnpm"}},
        {"type": "assistant", "uuid": "a", "sessionId": "s", "message": {"content": '{"session_id": "not-this"}'}},
    )
)
ROLLOUT = b"".join(
    json.dumps({"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}).encode() + b"\n"
    for kind, payload in (
        ("session_meta", {"id": "s", "cwd": "/src/webapp"}),
        ("event_msg", {"type": "user_message", "message": "use pnpm"}),
    )
)


@pytest.mark.parametrize(
    ("number", "given"),
    [
        ("ecc#331", TRANSCRIPT),
        ("ecc#331", ROLLOUT),
        ("second-brain-cloudflare#327", b'{"hook_event_name": "SessionEnd", "messages": [{"role": "user"}]}'),
        ("second-brain-cloudflare#327", b'{"transcript": "user: use pnpm", "cwd": "/src/webapp"}'),
    ],
)
def test_a_hook_that_is_given_something_else_than_it_expects_says_so_once(
    number: str, given: bytes, tmp_path: Path
) -> None:
    done = call(tmp_path, given)
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert ([], 1) == (markers(tmp_path), len(log(tmp_path)))
    assert "the payload" in log(tmp_path)[0]


def test_coding_harness_tracing_130_a_payload_is_utf_8_whatever_the_machine_speaks(tmp_path: Path) -> None:
    path = "/home/jörg/größe/项目.jsonl"
    payload = json.dumps(CLAUDE_END | {"transcript_path": path}, ensure_ascii=False).encode()
    env = os.environ | {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-I", "-m", "afterpass", "hook", "--home", str(tmp_path), "--record-only"]
    done = subprocess.run(command, input=payload, capture_output=True, env=env, check=False)
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert [path] == [marker["path"] for marker in markers(tmp_path)]


def ignored_signals(pid: int) -> int:
    """The signals that a process ignores, as the kernel's mask."""
    told = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(next(line.split()[1] for line in told.splitlines() if line.startswith("SigIgn:")), 16)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_claude_code_32712_a_hook_that_is_cancelled_while_it_reads_still_records(
    sent: signal.Signals, tmp_path: Path
) -> None:
    command = [sys.executable, "-I", "-m", "afterpass", "hook", "--home", str(tmp_path), "--record-only"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        while not ignored_signals(process.pid) >> (signal.SIGTERM - 1) & 1:
            assert process.poll() is None
        process.send_signal(sent)
        process.communicate(json.dumps(CLAUDE_END).encode())
    assert 0 == process.returncode
    assert [CLAUDE_END["session_id"]] == [marker["session"] for marker in markers(tmp_path)]
