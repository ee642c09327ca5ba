"""Mail, chat and review pages: prose of another person, in which no line looks like a machine's."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from transcripts.lines import listed
from transcripts.machine import Kind, own_voice

if TYPE_CHECKING:
    from transcripts.lines import Line


@cache
def _mail_header() -> re.Pattern[str]:
    return re.compile(
        r"(?:From|To|Cc|Bcc|Reply-To): .*[@<]|(?:From|To): [A-Z]\w+ [A-Z]\w+\s*$|Subject: \S|(?:Date|Sent): .*\d"
    )


def is_mail(lines: list[Line], at: int) -> bool:
    """Two header lines within four."""
    header = _mail_header()
    if not header.match(lines[at].text):
        return False
    if at == 0 and lines[0].text.startswith("Subject: ") and len(lines) > 1 and lines[1].kind is Kind.BLANK:
        return True
    return any(header.match(line.text) for line in lines[at + 1 : at + 4])


@cache
def _to_agent() -> re.Pattern[str]:
    return re.compile(
        r"[a-z]|(?:Can|Could) you|Please (?:fix|address|apply|handle|look|check|reply)\b[^\n]{0,30}"
        r"\b(?:this|these|that|it|above)\b"
        r"|What do you think|Fix (?:this|these|that|it)\b|Address (?:this|these|that)\b|Is (?:this|that) "
    )


def last_of_theirs(lines: list[Line], at: int) -> int:
    """The last line of another person's words: all that follows, but for closing paragraphs that speak to the agent."""
    last = len(lines) - 1
    end = last
    while True:
        while last > at and lines[last].kind is Kind.BLANK:
            last -= 1
        first = last
        while first > at and lines[first - 1].kind is not Kind.BLANK:
            first -= 1
        words = lines[first].text
        theirs = last - first > 2 or not own_voice(words) or listed(words) or not _to_agent().match(words)
        if first <= at or theirs:
            return max(at, min(last, end))
        last = end = first - 1
