"""What a person or an agent waits for: whole processes against the interpreter's own start."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result, in_turns, process

PYTHON = sys.executable
AFTERPASS = (PYTHON, "-I", "-m", "afterpass")


def results() -> Iterator[Result]:
    """The hook, ``--help`` and ``judge``."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        transcript = home / "session.jsonl"
        transcript.write_text(_session(), encoding="utf-8")
        payload = {
            "session_id": "s-1",
            "transcript_path": str(transcript),
            "cwd": folder,
            "hook_event_name": "SessionEnd",
        }
        hook = process((*AFTERPASS, "hook", "--record-only"), json.dumps(payload).encode(), AFTERPASS_HOME=folder)
        ours, floor = in_turns(hook, process((PYTHON, "-I", "-c", "import json")), 41)
        yield Result("`afterpass hook`, whole process, p50", '`python -I -c "import json"`', ours, floor, 1.6)

        bare = process((PYTHON, "-c", "pass"))
        ours, floor = in_turns(process((*AFTERPASS, "--help")), bare, 21)
        yield Result("`afterpass --help`", "`python -c pass`", ours, floor, 6)

        candidates = home / "candidates.json"
        candidates.write_text(json.dumps([_candidate()]), encoding="utf-8")
        judge = process((*AFTERPASS, "judge", str(transcript), "--candidates", str(candidates), "--json"))
        ours, floor = in_turns(judge, bare, 21)
        yield Result("`afterpass judge`, one candidate", "`python -c pass`", ours, floor, 12)


def _session() -> str:
    header = {"afterpass": 1, "session": "s-1", "repo": "github.com/acme/webapp", "ended": "2026-06-10T09:40:00Z"}
    turn = {"id": "1", "speaker": "developer", "time": "2026-06-10T09:30:00Z", "text": "we use pnpm here, not npm"}
    return json.dumps(header) + "\n" + json.dumps(turn) + "\n"


def _candidate() -> dict[str, object]:
    return {"turn": "1", "evidence": "we use pnpm here", "type": "package_manager", "value": "pnpm", "kind": "standing"}
