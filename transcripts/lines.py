"""Lines of a text with what each looks like: what the rules for unmarked pastes are written in."""

from __future__ import annotations

import re
from typing import NamedTuple

from transcripts.machine import Kind, kind_of


class Line(NamedTuple):
    """One line of a text: its span without the newline, and what it looks like."""

    start: int
    end: int
    text: str
    kind: Kind


def lines_of(text: str) -> list[Line]:
    lines: list[Line] = []
    at = 0
    for part in text.split("\n"):
        lines.append(Line(at, at + len(part), part, kind_of(part)))
        at += len(part) + 1
    return lines


def listed(text: str) -> bool:
    return bool(re.match(r"\s*(?:[-*+\u2022]|\d+[.)])\s", text[:80]))
