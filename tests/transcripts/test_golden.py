"""Whole files of every agent, and beside each what a person would say about who spoke in it.

After a wanted change: ``AFTERPASS_WRITE_GOLDEN=1 pytest tests/transcripts/test_golden.py``, then read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from transcripts.registry import read_transcript
from transcripts.session import Session, Skipped, Speaker

GOLDEN = Path(__file__).parent / "golden"
INPUTS = sorted(path for path in GOLDEN.rglob("*") if path.is_file() and not path.name.endswith(".golden.txt"))


@pytest.fixture(autouse=True)
def in_utc(machine_in: Callable[[str], None]) -> None:
    """Two agents write this machine's time without a zone."""
    machine_in("UTC")


def rendered(read: Session | Skipped) -> str:
    """The header, then each turn with its segments; text is quoted so that white space shows."""
    if isinstance(read, Skipped):
        return f"skipped {read.code}: {read.reason}\n"
    lines = [
        f"{read.agent} {read.id}",
        f"repo {read.repo} developer {read.developer} cwd {read.cwd} branch {read.branch}",
    ]
    lines.append(f"from {read.started} to {read.ended} parent {read.parent}")
    lines += [f"flag {flag}" for flag in ("automation", "incomplete") if getattr(read, flag)]
    lines += [f"bad line {bad.line}: {bad.reason}" for bad in read.bad_lines]
    for turn in read.turns:
        mark = " withdrawn" if turn.withdrawn else ""
        if turn.speaker is not Speaker.DEVELOPER:
            lines.append(f"\n{turn.speaker} {turn.id}\n  {turn.text[:200]!r}")
            continue
        lines.append(
            f"\ndeveloper {turn.id} {turn.channel}{mark} {turn.time} {turn.developer} {turn.cwd} {turn.branch}"
        )
        lines += [f"  {part.origin:<8} {part.text!r}" for part in turn.segments]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_a_transcript_reads_as_it_is_written_beside_it(path: Path) -> None:
    expected = path.with_name(f"{path.name}.golden.txt")
    found = rendered(read_transcript(path))
    if os.environ.get("AFTERPASS_WRITE_GOLDEN"):
        expected.write_text(found, encoding="utf-8")
    assert expected.read_text(encoding="utf-8") == found


SESSIONS = [path for path in INPUTS if path.parent.name != "side_files"]


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_a_name_proves_nothing(path: Path, tmp_path: Path) -> None:
    renamed = tmp_path / "x.bin"
    renamed.write_bytes(path.read_bytes())
    before, after = read_transcript(path), read_transcript(renamed)
    assert rendered(before) == rendered(after)
