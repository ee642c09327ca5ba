"""Cursor's wrapper around what was typed, which other tools that read Cursor keep."""

from __future__ import annotations

import re
from functools import cache


@cache
def _tags() -> re.Pattern[str]:
    return re.compile(r"<(/?)user_query>")


def query_span(text: str) -> tuple[int, int] | None:
    """Where the words stand in a message; None where no query opens.

    The last closing tag ends them. Tags are paired from there backwards: a page that was attached before may hold a
    false query, and the words may hold one that was pasted.
    """
    depth, end, first = 0, -1, -1
    for tag in reversed(list(_tags().finditer(text))):
        if tag[1]:
            depth += 1
            end = tag.start() if end < 0 else end
            continue
        first = tag.end()
        if end < 0:
            return first, len(text)
        depth -= 1
        if depth == 0:
            return first, end
    return (first, end) if first >= 0 else None
