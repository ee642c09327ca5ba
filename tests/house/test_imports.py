"""A waiting person pays for no library that their command does not use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "prefect",
    "duckdb",
    "psycopg",
    "ollama",
    "openai",
    "pandas",
    "pydantic",
    "rich",
    "dateparser",
    "detect_secrets",
)
SESSION = {"afterpass": 1, "session": "s-1", "repo": "github.com/acme/webapp", "ended": "2026-06-10T09:40:00Z"}
TURN = {"id": "1", "speaker": "developer", "time": "2026-06-10T09:30:00Z", "text": "we use pnpm here"}
CANDIDATE = {
    "turn": "1",
    "evidence": "we use pnpm here",
    "type": "package_manager",
    "value": "pnpm",
    "kind": "standing",
}


def loaded_by(arguments: list[str], tmp_path: Path, stdin: str = "") -> set[str]:
    """The heavy modules that a command loads, asked of a fresh interpreter."""
    code = (
        "import sys, json, contextlib, io\n"
        f"sys.argv = ['afterpass', *{arguments!r}]\n"
        "from afterpass.__main__ import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main()\n"
        f"print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        input=stdin,
        env={"AFTERPASS_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session of one statement, in the neutral format."""
    path = tmp_path / "session.jsonl"
    path.write_text(json.dumps(SESSION) + "\n" + json.dumps(TURN) + "\n", encoding="utf-8")
    (tmp_path / "candidates.json").write_text(json.dumps([CANDIDATE]), encoding="utf-8")
    return path


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    """``--help`` answers at once."""
    assert set() == loaded_by(["--help"], tmp_path)


def test_judge_loads_nothing_heavy(tmp_path: Path, session: Path) -> None:
    """The checks are pure code: no database, no model, no schedule."""
    candidates = str(session.parent / "candidates.json")
    assert set() == loaded_by(["judge", str(session), "--candidates", candidates, "--json"], tmp_path)


def test_hook_loads_nothing_heavy(tmp_path: Path) -> None:
    """The hook is inside an agent's shutdown and may be killed."""
    payload = json.dumps({"session_id": "s-1", "transcript_path": str(tmp_path / "none.jsonl"), "cwd": str(tmp_path)})
    assert set() == loaded_by(["hook", "--record-only"], tmp_path, stdin=payload)


def test_recall_of_one_question_loads_only_the_store(tmp_path: Path) -> None:
    """Reading back opens the database and nothing else."""
    arguments = ["recall", "--repo", "github.com/acme/webapp", "--type", "package_manager", "--json"]
    assert {"duckdb"} >= loaded_by(arguments, tmp_path)
