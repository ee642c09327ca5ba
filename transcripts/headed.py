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
def _file_name() -> re.Pattern[str]:
    """A heading that is the name of a file: the file itself stands below it."""
    return re.compile(r"# (?:[\w.-]+\.md|AGENTS|CLAUDE|GEMINI)\s*$")


@cache
def _underline() -> re.Pattern[str]:
    return re.compile(r"(?:={4,}|-{4,})\s*$")


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
        r"|Goals?|Breaking [Cc]hanges|Bug [Ff]ixes|Features"
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


_NEAR_TOP = 8  # lines: a person may introduce a brief
_LONG_BRIEF = 400  # characters: a person's own note under such labels is shorter


def _brief(lines: list[Line]) -> int | None:
    """Where a brief for an agent begins, as agents write them: a role and labels, or many of a brief's usual labels."""
    labels = [index for index, line in enumerate(lines) if len(line.text) < 60 and _label().match(line.text)]
    parts = (
        labels if len(labels) >= 2 else [index for index, line in enumerate(lines) if _heading().match(line.text[:20])]
    )
    role = next((index for index, line in enumerate(lines[:_NEAR_TOP]) if _role().match(line.text[:200])), None)
    if role is not None and sum(index > role for index in parts) >= 2:
        return role
    usual = [index for index in labels if _part_of_a_brief().match(lines[index].text)]
    return usual[0] if len(usual) >= 3 and lines[-1].end >= _LONG_BRIEF else None


def _alone(lines: list[Line], index: int) -> bool:
    """A title of a rendered page: nothing above it, a paragraph below it."""
    above = index == 0 or lines[index - 1].kind is Kind.BLANK
    return above and index + 1 < len(lines)


@cache
def _about_it() -> re.Pattern[str]:
    """What a person says below a document: it goes on from what stands above, where a document's last line ends it."""
    return re.compile(
        r"^[a-z]|\?\s*$|\b(?:this|that|these|those|it|them|above|the (?:plan|issue|ticket|file|document|review|spec))\b"
        r"|^(?:Can|Could) you|\b(?:[Pp]lease|I|we|my|our)\b"
    )


def _underlined(lines: list[Line], index: int) -> bool:
    """A heading with a rule of its own length below it."""
    text, rule = lines[index].text.rstrip(), lines[index + 1].text
    return bool(text and rule[:4] in ("====", "----") and _underline().match(rule)) and abs(len(text) - len(rule)) < 4


def _levels(lines: list[Line], headings: list[int]) -> set[str]:
    return {lines[index].text.partition(" ")[0] for index in headings}


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
    underlined = [index for index in range(len(lines) - 1) if _underlined(lines, index)]
    headings = sorted({*headings, *underlined})
    deep = sum(lines[index].text.startswith("###") for index in headings) >= 2 or len(underlined) >= 2
    named = bool(headings) and filled > 1 and bool(_file_name().match(lines[headings[0]].text[:60]))
    nested = len(headings) >= 3 and lines[headings[0]].text.startswith("# ") and len(_levels(lines, headings)) > 1
    brief = _brief(lines)
    if front and filled > 3:
        first = 0
    elif brief is not None:
        first = brief
    elif (len(headings) >= 2 and (filled >= 12 or size >= 700 or bold or deep or nested)) or named:
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
    if alone and own_voice(words[0]) and _about_it().search(words[0]):
        last = closing - 1
        while last > first and lines[last].kind is Kind.BLANK:
            last -= 1
    return first, last
