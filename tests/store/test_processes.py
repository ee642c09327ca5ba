"""Several processes on one store: nothing is lost, nobody is told that it is locked, and a kill leaves it clean.

Short runs of what ``life.py`` does for as long as one likes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LIFE = Path(__file__).parent / "life.py"


def live(*args: str) -> dict[str, object]:
    done = subprocess.run([sys.executable, str(LIFE), *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    report: dict[str, object] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize("kind", ["duckdb", "postgres"])
def test_six_processes_lose_nothing(kind: str, home: Path, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("server_url") if kind == "postgres" else ""
    report = live("together", "--home", str(home), "--url", url, "--count", "6")
    assert 18 == report["landed"] == report["done"]


@pytest.mark.parametrize("kind", ["duckdb", "postgres"])
def test_killed_processes_leave_a_clean_store(kind: str, home: Path, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("server_url") if kind == "postgres" else ""
    report = live("kills", "--home", str(home), "--url", url, "--count", "4", "--seed", "7")
    assert 4 == report["kills"]
