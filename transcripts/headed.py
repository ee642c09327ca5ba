"""Documents: text with headings, bold labels or the titles of a rendered page, which people paste and do not type."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from transcripts.lines import listed
from transcripts.machine import Kind, own_voice

if TYPE_CHECKING:
    from transcripts.lines import Line


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(r"#{1,6} \S")


@cache
def _bold() -> re.Pattern[str]:
    return re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*\*\*[^*\n]+\*\*")


@cache
def _title() -> re.Pattern[str]:
    return re.compile(
        r"(?:Summary(?: of \w+)?|Overview|Background|Context|Description|Environment|Problem(?: statement)?"
        r"|Root cause(?: analysis)?|Solution|Proposed (?:fix|solution|changes)|Potential issues?|Issues(?: found)?"
        r"|Findings|Recommendations?|Suggestions?|Impact|Steps to [Rr]eproduce"
        r"|(?:Expected|Actual)(?: [Bb]ehaviou?r| [Rr]esults?)?|Acceptance [Cc]riteria|Conclusion"
        r"|Next steps|Key (?:changes|points|findings)|Test plan|Verification|Files (?:changed|to modify)|Changes"
        r"|Goals?"
        r"|Additional [Cc]ontext|Code [Rr]eview|Strengths|Weaknesses|Positives|Concerns)\s*$"
    )


@cache
def _role() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:You are|Act as|You will act as) (?:(?:an?|the|our) (?:[\w/+#.-]+ ){0,6}"
        r"(?:engineer|developer|architect|expert|assistant|agent|reviewer|specialist|analyst|programmer|designer|auditor"
        r"|maintainer|consultant)\b"
        r"|(?:now )?(?:auditing|reviewing|acting|building|implementing|helping|migrating|refactoring|assisting"
        r"|designing|debugging|tasked|responsible)\b)"
    )


@cache
def _label() -> re.Pattern[str]:
    return re.compile(r"[A-Z][\w /&-]{2,40}:\s*$")


@cache
def _part_of_a_brief() -> re.Pattern[str]:
    return re.compile(
        r"(?:Context|Background|Tasks?|Objectives?|Goals?|Scope|Out of scope|Non-goals|Constraints|Requirements"
        r"|Instructions|Steps|Inputs?|Outputs?|Output format|Expected output|Deliverables|Provide"
        r"|Acceptance criteria|Success criteria|Definition of done|Verification|Validation|Guidelines):"
    )


_LONG_BRIEF = 400  # characters: a person's own note under such labels is shorter


def _brief(lines: list[Line]) -> int | None:
    """Where a brief for an agent begins, as agents write them: a role and labels, or many of a brief's usual labels."""
    labels = [index for index, line in enumerate(lines) if len(line.text) < 60 and _label().match(line.text)]
    first = next((index for index, line in enumerate(lines) if line.kind is not Kind.BLANK), 0)
    if len(labels) >= 2 and _role().match(lines[first].text[:200]):
        return first
    usual = [index for index in labels if _part_of_a_brief().match(lines[index].text)]
    return usual[0] if len(usual) >= 3 and lines[-1].end >= _LONG_BRIEF else None


def _alone(lines: list[Line], index: int) -> bool:
    """A title of a rendered page: nothing above it, a paragraph below it."""
    above = index == 0 or lines[index - 1].kind is Kind.BLANK
    return above and index + 1 < len(lines)


def headed_document(lines: list[Line]) -> tuple[int, int] | None:
    """A headed Markdown document (first line, last line): a plan, an issue, a README, a brief that an agent wrote.

    A person's own closing line after it stays out.
    """
    headings = [index for index, line in enumerate(lines) if _heading().match(line.text[:20])]
    bold = [index for index, line in enumerate(lines) if _bold().match(line.text[:400])]
    titles = [
        index
        for index, line in enumerate(lines)
        if len(line.text) < 60 and _title().match(line.text) and _alone(lines, index)
    ]
    filled = sum(line.kind is not Kind.BLANK for line in lines)
    size = lines[-1].end
    front = lines[0].text.strip() == "---" and any(line.text.strip() == "---" for line in lines[1:40])
    deep = sum(lines[index].text.startswith("###") for index in headings) >= 2
    brief = _brief(lines)
    if front and filled > 3:
        first = 0
    elif brief is not None:
        first = brief
    elif len(headings) >= 2 and (filled >= 12 or size >= 700 or bold or deep):
        first = headings[0]
    elif len(bold) >= 3 and size >= 300:
        first = bold[0]
    elif len(titles) >= 2 and size >= 200:
        first = titles[0]
    else:
        return None
    last = len(lines) - 1
    while last > first and lines[last].kind is Kind.BLANK:
        last -= 1
    closing = last
    while closing > first and lines[closing - 1].kind is not Kind.BLANK:
        closing -= 1
    words = [line.text for line in lines[closing : last + 1]]
    alone = closing > first and len(words) <= 3 and not any(_heading().match(word) or listed(word) for word in words)
    if alone and own_voice(words[0]):
        last = closing - 1
        while last > first and lines[last].kind is Kind.BLANK:
            last -= 1
    return first, last
