"""Pastes without a mark: runs of machine-looking lines, text that a sentence introduces, documents with headings."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from transcripts.machine import Kind, kind_of, own_voice, prompt, somebody_else, strong


class Line(NamedTuple):
    """One line of a text: its span without the newline, and what it looks like."""

    start: int
    end: int
    text: str
    kind: Kind


def pasted_spans(text: str, *, after_output: bool = False) -> list[tuple[int, int]]:
    """The stretches of unmarked text that look pasted, in order and without overlap.

    ``after_output`` says that a quoted line stands directly above, which may have been a shell's prompt.
    """
    lines = _lines(text)
    if len(lines) == 1:
        tail = _tail(lines[0])
        return [tail] if tail else []
    spans: list[tuple[int, int]] = []
    floor = -1
    document = _document(lines)
    at = 0
    if after_output and _machine_near(lines, 0):
        last = _end(lines, 0)
        spans.append((lines[0].start, lines[last].end))
        at = last + 1
    while at < len(lines):
        if document and at == document[0]:
            spans.append((lines[at].start, lines[document[1]].end))
            at = document[1] + 1
            continue
        region = _region(lines, at)
        if region is None:
            at += 1
            continue
        start, last = region
        while start == lines[at].start and at > 0 and lines[at - 1].end > floor and _belongs_above(lines[at - 1]):
            at -= 1
            start = lines[at].start
        spans.append((start, lines[last].end))
        floor = lines[last].end
        at = last + 1
    return spans


@cache
def _above() -> re.Pattern[str]:
    return re.compile(
        r"[\w.-]+:(?: [\w./@-]+)?\s*$"
        r"|(?:sudo |time )?(?:docker|npm|npx|pnpm|yarn|bun|git|gh|curl|make|kubectl|helm|terraform|python3?|node|go|cargo"
        r"|pip|uv|poetry|bash|sh|cd|ls|cat|ssh|psql|brew|aws|gcloud|mvn|gradle|\./\S+)(?: [^.?!]*)?$"
    )


def _belongs_above(line: Line) -> bool:
    """A line directly above a region that is part of it: the command that was run, the first keys of a file."""
    return line.kind is not Kind.BLANK and (line.kind is Kind.WEAK or bool(_above().match(line.text[:200])))


def _machine_near(lines: list[Line], at: int) -> bool:
    """Whether a machine line stands within three lines of the same paragraph."""
    for line in lines[at : at + 3]:
        if line.kind is Kind.BLANK or (line.kind is Kind.OTHER and own_voice(line.text)):
            return False
        if line.kind is Kind.STRONG or line.kind is Kind.WEAK:
            return True
    return False


def _lines(text: str) -> list[Line]:
    lines: list[Line] = []
    at = 0
    for part in text.split("\n"):
        lines.append(Line(at, at + len(part), part, kind_of(part)))
        at += len(part) + 1
    return lines


def _region(lines: list[Line], at: int) -> tuple[int, int] | None:
    """A pasted region that begins on this line: (first character, last line), or None."""
    line = lines[at]
    introduced = _introduced(lines, at)
    if introduced:
        return line.start, _last_of_theirs(lines, at) if introduced == "review" else _end(lines, at)
    if _is_mail(lines, at) or somebody_else().match(line.text[:200]):
        return line.start, _last_of_theirs(lines, at)
    if line.kind is Kind.STRONG or (line.kind is Kind.WEAK and _in_company(lines, at)):
        return line.start, _end(lines, at)
    if line.kind is Kind.OTHER or line.kind is Kind.WEAK:
        tail = _tail(line)
        if tail:
            return tail[0], _end(lines, at)
    return None


def _in_company(lines: list[Line], at: int, wanted: int = 3) -> bool:
    """A weak line counts beside a strong one, or as one of several weak ones in a row; blank lines do not part them."""
    run = 0
    for line in lines[at:]:
        if line.kind is Kind.BLANK:
            continue
        if line.kind is Kind.STRONG:
            return True
        if line.kind is Kind.OTHER:
            break
        run += 1
        if run >= wanted:
            return True
    return False


@cache
def _mail_header() -> re.Pattern[str]:
    return re.compile(r"(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To): \S")


def _is_mail(lines: list[Line], at: int) -> bool:
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


def _last_of_theirs(lines: list[Line], at: int) -> int:
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
        theirs = last - first > 2 or not own_voice(words) or _listed(words) or not _to_agent().match(words)
        if first <= at or theirs:
            return max(at, min(last, end))
        last = end = first - 1


def _end(lines: list[Line], at: int) -> int:
    """The last line of the region that begins at ``at``.

    Output is full of plain sentences, so other lines of the same paragraph belong to it until one sounds like a person;
    after a blank line they belong to it only when more machine lines follow.
    """
    last = at
    parted = False
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if line.kind is Kind.BLANK:
            parted = True
            continue
        if line.kind is Kind.STRONG or (line.kind is Kind.WEAK and (not parted or _in_company(lines, index, 2))):
            last, parted = index, False
            continue
        printed = index == last + 1 and prompt().match(lines[last].text) and not line.text.rstrip().endswith("?")
        if own_voice(line.text) and not _listed(line.text) and not printed:
            break
        if not parted:
            last, parted = index, False
            continue
        if not _machine_ahead(lines, index):
            break
        last, parted = index, False
    return last


def _machine_ahead(lines: list[Line], at: int) -> bool:
    """Whether strong lines follow before a person speaks."""
    for line in lines[at : at + 40]:
        if line.kind is Kind.STRONG:
            return True
        if line.kind is Kind.OTHER and own_voice(line.text) and not _listed(line.text):
            return False
    return False


def _listed(text: str) -> bool:
    return bool(re.match(r"\s*(?:[-*+\u2022]|\d+[.)])\s", text))


@cache
def _tail_start() -> re.Pattern[str]:
    return re.compile(r"(?<=[:\u2014\u2013>])\s+(?=\S)|(?=Traceback \(most recent call last\))")


def _tail(line: Line) -> tuple[int, int] | None:
    """The paste that begins inside a line of the developer's own: "why this: TypeError: x is not a function"."""
    if line.kind is Kind.STRONG:
        return (line.start, line.end) if not re.match(r"\s*\$ ", line.text) else None
    for match in _tail_start().finditer(line.text[:2000]):
        rest = line.text[match.end() : match.end() + 400]
        if rest and not rest.startswith("$ ") and strong().match(rest):
            return line.start + match.end(), line.end
    return None


@cache
def _output_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:\b(?:logs?|outputs?|stack ?traces?|tracebacks?|stderr|stdout|console|terminal|dump|exception|responses?"
        r"|payload|screen|error messages?|errors?|warnings?|message)\b"
        r"|\b(?:throws?|throwing|prints?|printed|printing|shows?|showing|returns?|outputs?|logs?|fails with"
        r"|failing with|i get|i got|getting|i see|gives?(?: me)?|says?|saying|said|wrote|writes)\b)[^.!?\n]{0,60}:\s*$",
        re.IGNORECASE,
    )


@cache
def _review_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:\b(?:here'?s|here is|here are|this is|these are|below (?:is|are)|see|following|got|received|from|left"
        r"|posted)\b[^\n]{0,60}"
        r"\b(?:reviews?|feedback|comments?|findings|report|suggestions|e-?mail|ticket|message|reply)\b"
        r"|\b(?:reviewer|copilot|coderabbit|codex|gemini|gpt|chatgpt|claude|bugbot|greptile|sonar\w*|bot|docs?|readme"
        r"|article|colleague|customer|client)\b[^\n]{0,30}"
        r"\b(?:says?|said|wrote|writes|commented|reported|suggests?|suggested|found|flagged|replied|answered)\b)"
        r"[^.!?\n]{0,60}:\s*$",
        re.IGNORECASE,
    )


@cache
def _their_words() -> re.Pattern[str]:
    """Words of another: "PR 154's comments:", "what the reviewer's findings were:"."""
    return re.compile(
        r"\b(?:PR|MR|pull request|review(?:er)?|copilot|codex|coderabbit|bugbot|bot|colleague|customer|client"
        r"|his|her|their|\w+'s)\b[^\n:]{0,24}\b(?:comments?|feedback|reviews?|findings|suggestions|report)\b[^.!?\n:]{0,40}:$",
        re.IGNORECASE,
    )


@cache
def _possession() -> re.Pattern[str]:
    return re.compile(r"\b(?:my|mine|our|ours)\b", re.IGNORECASE)


@cache
def _error_word() -> re.Pattern[str]:
    return re.compile(r"\b(?:errors?|output|log|says|this|is|gets?|got|with)\s*$", re.IGNORECASE)


@cache
def _mine() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:my|mine|our|should|must|want|need|rules?|requirements?|tasks?|todo|steps?|plan|fix|address)\b", re.I
    )


def _introduced(lines: list[Line], at: int) -> str:
    """Whether the line before says that what follows was brought in: "output", "review", or "" for no."""
    if lines[at].kind is Kind.BLANK:
        return ""
    before = at - 1
    while before >= 0 and lines[before].kind is Kind.BLANK and at - before <= 3:
        before -= 1
    if before < 0 or lines[before].kind is not Kind.OTHER:
        return ""
    said = lines[before].text.rstrip()[-160:]
    first = lines[at].text
    if not said.endswith(":"):
        named = lines[at].kind is Kind.WEAK and at - before == 1 and _error_word().search(said)
        return "output" if named and first.lower().startswith(("error", "warning", "fail", "exception")) else ""
    if _their_words().search(said) and not _possession().search(said):
        return "review"
    if _mine().search(said) or _listed(first):
        return ""
    if _review_words().search(said):
        return "review"
    if not _output_words().search(said):
        return ""
    near = any(line.kind is Kind.STRONG for line in lines[at : at + 6]) and not first[:1].islower()
    return "output" if near or not own_voice(first) else ""


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


def _alone(lines: list[Line], index: int) -> bool:
    """A title of a rendered page: nothing above it, a paragraph below it."""
    above = index == 0 or lines[index - 1].kind is Kind.BLANK
    return above and index + 1 < len(lines)


def _document(lines: list[Line]) -> tuple[int, int] | None:
    """A headed Markdown document (first line, last line): a plan, an issue, a README, a brief that an agent wrote.

    A person's own closing line after it stays out.
    """
    headings = [index for index, line in enumerate(lines) if _heading().match(line.text)]
    bold = [index for index, line in enumerate(lines) if _bold().match(line.text)]
    titles = [index for index, line in enumerate(lines) if _title().match(line.text) and _alone(lines, index)]
    filled = sum(line.kind is not Kind.BLANK for line in lines)
    size = lines[-1].end
    front = lines[0].text.strip() == "---" and any(line.text.strip() == "---" for line in lines[1:40])
    if front and filled > 3:
        first = 0
    elif len(headings) >= 2 and (filled >= 12 or size >= 700 or bold):
        first = headings[0]
    elif len(bold) >= 4 and size >= 600:
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
    alone = closing > first and len(words) <= 3 and not any(_heading().match(word) or _listed(word) for word in words)
    if alone and own_voice(words[0]):
        last = closing - 1
        while last > first and lines[last].kind is Kind.BLANK:
            last -= 1
    return first, last
