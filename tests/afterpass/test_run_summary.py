"""What ``afterpass run`` says of a pass."""

from __future__ import annotations

from typing import Any

import pytest

from afterpass.commands.run import _write
from flows.result import RunResult, Skip

NONE = {"done": 0, "skipped": 0, "pending": 0, "failed": 0}


@pytest.mark.parametrize(
    ("counts", "first"),
    [
        ({}, "sessions    nothing new  (cues)"),
        ({"busy": 2}, "sessions    none taken, another pass has them  (cues)"),
        ({"sessions": NONE | {"done": 3}, "busy": 2}, "sessions    3 done  (cues)"),
    ],
)
def test_what_another_pass_has_is_not_called_nothing_new(
    capsys: pytest.CaptureFixture[str], counts: dict[str, Any], first: str
) -> None:
    _write(RunResult(**({"sessions": NONE, "decisions": {}, "codes": {}, "extractor": "cues"} | counts)), verbose=False)
    shown = capsys.readouterr().out.splitlines()
    assert first == shown[0]
    assert ("busy        2 being read by another pass right now" in shown) == bool(counts.get("busy"))


@pytest.mark.parametrize(("count", "verbose", "named"), [(1, False, True), (4, False, False), (4, True, True)])
def test_a_few_files_without_a_session_are_named_with_their_reason(
    capsys: pytest.CaptureFixture[str], count: int, verbose: bool, named: bool
) -> None:
    """Who gave one file wants to know what is wrong with it; a folder of many is counted."""
    skips = tuple(Skip(f"/s/{number}.jsonl", "empty", "no line in it") for number in range(count))
    _write(RunResult(NONE | {"skipped": count}, {}, {}, skips=skips, extractor="cues"), verbose=verbose)
    shown = capsys.readouterr()
    assert f"skipped     {count} empty" in shown.out
    assert named == ("/s/0.jsonl: empty: no line in it" in shown.out)
    assert named == ("each file is named by -v" not in shown.err)
