"""The pass itself: the second nightly one over a large tree, and many sessions against a slow model server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.measure import Result, in_turns
from flows.run import Order, carry_out
from policy.settings import Settings
from store.store import Store

FILES, FOLDERS = 10_000, 100
SESSIONS, WORKERS, ANSWER_SECONDS = 160, 8, 0.2
EVERY = 4  # of so many sessions, one holds something to keep; in real use fewer do

SERVER = """
import http.server, json, sys, time
def reply(candidates):
    content = json.dumps({"reasoning": "read", "candidates": candidates})
    return json.dumps({"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [{"index": 0,
        "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960}}).encode()
FACT = reply([{"turn": 1, "evidence": "we use pnpm here", "type": "package_manager", "subject": "", "value": "pnpm",
    "kind": "standing", "about": "this", "until": None, "importance": 8}])
NOTHING = reply([])
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        body = FACT if b"by the way, we use pnpm here" in asked else NOTHING
        time.sleep(float(sys.argv[1]))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args): pass
class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64
server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""

RECORD_SESSIONS = """
INSERT INTO sessions (team, key, agent, native_id, path, state, size, mtime_ns, fingerprint, turn_count, attempts,
    input_tokens, output_tokens, seconds, recorded_at, updated_at)
SELECT '', path, 'claude-code', path, path, 'done', size, mtime_ns, 'f', 1, 0, 0, 0, 0, now(), now()
FROM (SELECT unnest($paths) AS path, unnest($sizes) AS size, unnest($times) AS mtime_ns)
"""
RECORD_FILES = """
INSERT INTO files (team, path, session_key, size, mtime_ns, seen_at)
SELECT '', path, path, size, mtime_ns, now()
FROM (SELECT unnest($paths) AS path, unnest($sizes) AS size, unnest($times) AS mtime_ns)
"""


def results() -> Iterator[Result]:
    """Both."""
    with tempfile.TemporaryDirectory() as folder:
        yield nothing_new(Path(folder), FILES, [])
    with tempfile.TemporaryDirectory() as folder:
        yield _fan_out(Path(folder))


def nothing_new(place: Path, count: int, lines: list[dict[str, object]]) -> Result:
    """A pass over ``count`` files of these lines that an earlier pass has seen, against the walk of their tree."""
    root = place / "projects"
    for number in range(count):
        _write(root / f"-src-{number % FOLDERS}" / f"{number}.jsonl", lines)
    settings = Settings(home=place / "home", extractor="cues")
    _put_on_record(settings, root)
    environ = {"HOME": str(place / "nobody"), "CLAUDE_CONFIG_DIR": str(place)}
    order = Order(settings, kind="nightly", explicit=False, environ=environ)
    assert [carry_out(order).unchanged for _ in range(2)] == [count, count]
    ours, floor = in_turns(lambda: carry_out(order), lambda: _walk(root), 15)
    note = f"{count:,} files on record"
    return Result("second nightly pass, in process", "`os.scandir` and `stat` of the tree", ours, floor, 3, note)


def _put_on_record(settings: Settings, root: Path) -> None:
    """What a first pass would leave behind, at once: landing ten thousand sessions one by one takes minutes."""
    files = [(str(path), path.stat()) for path in root.rglob("*.jsonl")]
    columns = {
        "paths": [name for name, _ in files],
        "sizes": [status.st_size for _, status in files],
        "times": [status.st_mtime_ns for _, status in files],
    }
    with Store(settings.home).connect() as db:
        db.sql.raw.execute(RECORD_SESSIONS, columns)
        db.sql.raw.execute(RECORD_FILES, columns)


def _walk(folder: Path | str) -> int:
    size = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            size += _walk(entry.path) if entry.is_dir() else entry.stat().st_size
    return size


def _fan_out(place: Path) -> Result:
    command = [sys.executable, "-I", "-c", SERVER, str(ANSWER_SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
            settings = Settings(home=place / "warm", extractor="openai", model="m", base_url=url, workers=WORKERS)
            _sessions(place / "warm-up", WORKERS)
            carry_out(Order(settings, (place / "warm-up",)))
            _sessions(place / "sessions", SESSIONS)
            start = time.perf_counter()
            result = carry_out(Order(replace(settings, home=place / "home"), (place / "sessions",)))
            seconds = time.perf_counter() - start
        finally:
            server.terminate()
    assert result.sessions["done"] == SESSIONS, result
    ideal = SESSIONS * ANSWER_SECONDS / WORKERS
    note = f"{SESSIONS} sessions, one in {EVERY} with a fact, {WORKERS} workers, {ANSWER_SECONDS * 1e3:.0f} ms each"
    return Result("`pass_over` against a slow model", "sessions x answer / workers", seconds, ideal, 1.25, note)


def _sessions(folder: Path, count: int) -> None:
    ended = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(count):
        ended += timedelta(hours=3)
        text = "by the way, we use pnpm here" if number % EVERY == 0 else "fix the flaky checkout test, please"
        turn = {"id": "1", "speaker": "developer", "time": ended.isoformat(), "text": text}
        repo = f"github.com/acme/repo-{number % 20}"
        header = {"afterpass": 1, "session": f"s-{number}", "repo": repo, "ended": ended.isoformat()}
        _write(folder / f"{number}.jsonl", [header, turn])


def _write(path: Path, lines: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
