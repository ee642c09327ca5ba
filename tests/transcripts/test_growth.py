"""Cutting a message costs what its length costs: ten times the text, at most about ten times the steps.

A step is a line that is run. What a search does inside itself is none; at 400,000 characters one that goes back and
forth would not end.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from transcripts.segments import segment
from transcripts.session import Origin

SHORT, LONG = 2_000, 20_000  # characters
FIXED = 500  # steps that a message may take whatever its length
SHAPES = {
    "escaped quotes": '\\"',
    "quotes": '"',
    "curly quotes": "“",
    "lines of a block": '"a" (said 2026-01-01); \n',
    "alternatives": '"a" or ',
    "mentions of our tag": "x <afterpass-memory ",
    "mentions of our tag in code": "`<afterpass-memory ` ",
    "our blocks": "x <afterpass-memory></afterpass-memory",
    "other blocks": "<system-reminder></system-reminder>",
    "fences": "```\n",
    "quoted lines": "> a\n",
    "lines": "a\n",
    "labels of one speaker": "User: a\n",
    "keys": "a:\n  b: c\n",
}


def steps(text: str) -> int:
    """The lines that are run to cut this text."""
    taken = 0

    def on_event(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal taken
        taken += event == "line"
        return on_event

    before = sys.gettrace()
    sys.settrace(on_event)
    try:
        segment(text)
    finally:
        sys.settrace(before)
    return taken


@pytest.mark.parametrize("shape", SHAPES)
def test_ten_times_the_text_takes_about_ten_times_the_steps(shape: str) -> None:
    def text(size: int) -> str:
        return "why is this (said here " + SHAPES[shape] * (size // len(SHAPES[shape]))

    segment(text(100))  # patterns are compiled once
    assert steps(text(LONG)) <= 12 * steps(text(SHORT)) + FIXED


@pytest.mark.parametrize("shape", SHAPES)
def test_long_hostile_messages_are_cut(shape: str) -> None:
    text = "(said here)\n" + SHAPES[shape] * (400_000 // len(SHAPES[shape]))
    assert text == "".join(part.text for part in segment(text))


@pytest.mark.parametrize(
    "line", ['\\"pnpm\\" (said 2026-01-01)', '\\"pnpm" (said 2026-01-01)', '"a \\"b\\"" (said 2026-01-01)']
)
def test_a_line_of_ours_is_known_however_its_quotes_are_escaped(line: str) -> None:
    assert [Origin.TYPED, Origin.INJECTED] == [part.origin for part in segment(f"it told me {line}")]
