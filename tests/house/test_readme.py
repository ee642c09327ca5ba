"""The README shows what the program does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from afterpass.cli import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def words(text: str) -> list[str]:
    """In no order: ids come from the clock, and ages decide where a cell is wrapped."""
    return sorted(re.sub(r"\b[frc]_\w+|\(\d+ (?:d|mo|y)\)|\(today\)|─+", "", text).split())


def test_the_demo_prints_what_the_readme_shows() -> None:
    """The first thing that a newcomer compares."""
    (shown,) = re.findall(r"<!-- demo -->\n```text\n(.*?)```", README, re.DOTALL)
    demo = [sys.executable, str(ROOT / "examples" / "demo.py")]
    done = subprocess.run(demo, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "132"})
    assert words(shown) == words(done.stdout)


def test_every_command_is_in_the_readme() -> None:
    """A command that nobody can find is not there."""
    assert set() == {name for name in COMMANDS if f"`afterpass {name}`" not in README}


def test_links_lead_somewhere() -> None:
    """Within the tree."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    broken = [
        (page.name, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert [] == broken


def test_the_example_of_reading_back_finds_what_it_asks_for(tmp_path: Path) -> None:
    """As written in the page, from the root of the checkout."""
    page = (ROOT / "docs" / "recall.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```sh\n(export AFTERPASS_HOME.*?)```", page, re.DOTALL)
    script = script.replace("$PWD/.venv/bin", str(Path(sys.executable).parent))
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    assert '"value": "staging"' in done.stdout
    assert 'deploy target (staging): "staging"' in done.stdout
