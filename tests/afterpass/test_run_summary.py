"""What ``afterpass run`` says of a pass."""

from __future__ import annotations

from typing import Any

import pytest

from afterpass.commands.run import _write
from flows.result import RunResult

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
