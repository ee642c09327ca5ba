"""Pastes without a mark: runs of machine-looking lines, and what stands around them."""

from __future__ import annotations

import re
from functools import cache

from transcripts.headed import headed_document
from transcripts.introduced import introduced
from transcripts.lines import Line, lines_of, listed
from transcripts.machine import Kind, looks_strong, own_voice, prompt, strong
from transcripts.quoted import is_mail, last_of_theirs, somebody_else, talk_until


def pasted_spans(text: str, *, after_output: bool = False) -> list[tuple[int, int]]:
    """The stretches of unmarked text that look pasted, in order and without overlap.

    ``after_output`` says that a quoted line stands directly above, which may have been a shell's prompt.
    """
    if "\n" not in text:
        kind = Kind.STRONG if text.strip() and looks_strong(text[:400]) else Kind.OTHER
        tail = _tail(Line(0, len(text), text, kind))
        return [tail] if tail else []
    lines = lines_of(text)
    spans: list[tuple[int, int]] = []
    floor = -1
    document = headed_document(lines)
    at = 0
    if after_output and _machine_near(lines, 0):
        last = _end(lines, 0)
        spans.append((lines[0].start, lines[last].end))
        at = last + 1
    while at < len(lines):
        if document and document[0] <= at <= document[1]:
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


def _region(lines: list[Line], at: int) -> tuple[int, int] | None:
    """A pasted region that begins on this line: (first character, last line), or None."""
    line = lines[at]
    talk = talk_until(lines, at)
    if talk >= 0 or is_mail(lines, at) or somebody_else().match(line.text[:200]):
        return line.start, last_of_theirs(lines, max(at, talk))
    announced = introduced(lines, at)
    if announced:
        return line.start, last_of_theirs(lines, at) if announced == "review" else _end(lines, at)
    recipe = at + 1 < len(lines) and lines[at + 1].text.startswith("\t") and _belongs_above(line)
    if line.kind is Kind.STRONG or recipe or (line.kind is Kind.WEAK and _in_company(lines, at)):
        return line.start, _end(lines, at)
    if line.kind is Kind.OTHER or line.kind is Kind.WEAK:
        tail = _tail(line)
        if tail:
            return tail[0], _end(lines, at)
    return None


def _indented(text: str) -> bool:
    """Output is, speech is not."""
    return text.startswith(("    ", "\t"))


def _like_the_first(text: str, first: str) -> bool:
    """A screen's bullet, as the region began with one: nobody types those."""
    return not text[:1].isascii() and text[:2] == first[:2] and text[1:2] == " "


@cache
def _bare_key() -> re.Pattern[str]:
    """A key of YAML with its value below; also how a person heads a list, so that it proves nothing."""
    return re.compile(r"[a-z][\w.-]*:\s*$")


def _in_company(lines: list[Line], at: int, wanted: int = 3) -> bool:
    """A weak line counts beside a strong one, or as one of several weak ones in a row; blank lines do not part them."""
    run = 0
    for line in lines[at:]:
        if line.kind is Kind.BLANK:
            continue
        if line.kind is Kind.STRONG:
            return True
        if line.kind is Kind.OTHER and (not _indented(line.text) or listed(line.text)):
            if _bare_key().match(line.text):
                continue
            break
        run += 1
        if run >= wanted:
            return True
    return False


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
        if (
            line.kind is Kind.STRONG
            or _indented(line.text)
            or _like_the_first(line.text, lines[at].text)
            or (line.kind is Kind.WEAK and (not parted or _in_company(lines, index, 2)))
        ):
            last, parted = index, False
            continue
        printed = index == last + 1 and prompt().match(lines[last].text) and not line.text.rstrip().endswith("?")
        if own_voice(line.text) and not listed(line.text) and not printed:
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
        if line.kind is Kind.OTHER and own_voice(line.text) and not listed(line.text):
            return False
    return False


def _machine_near(lines: list[Line], at: int) -> bool:
    """Whether a machine line stands within three lines of the same paragraph."""
    for line in lines[at : at + 3]:
        if line.kind is Kind.BLANK or (line.kind is Kind.OTHER and own_voice(line.text)):
            return False
        if line.kind is Kind.STRONG or line.kind is Kind.WEAK:
            return True
    return False


@cache
def _above() -> re.Pattern[str]:
    return re.compile(
        r"[\w.-]+:(?: (?:[\w./@-]+|\[[\w, ./*-]*\]))?\s*$|(?:\.{0,2}/|[A-Z]:\\)\S+\.\w{1,5}\s*$"
        r"|(?:sudo |time )?(?:docker|npm|npx|pnpm|yarn|bun|git|gh|curl|make|kubectl|helm|terraform|python3?|node|go"
        r"|cargo|pip|uv|poetry|bash|sh|cd|ls|cat|ssh|psql|brew|aws|gcloud|mvn|gradle|\./\S+)(?: [^.?!]*)?$"
    )


def _belongs_above(line: Line) -> bool:
    """A line directly above a region that is part of it: the command that was run, the first keys of a file."""
    return line.kind is not Kind.BLANK and (line.kind is Kind.WEAK or bool(_above().match(line.text[:200])))


@cache
def _tail_start() -> re.Pattern[str]:
    return re.compile(r"[:\u2014\u2013>]\s+(?=\S)|T(?=raceback \(most recent call last\))")


def _tail(line: Line) -> tuple[int, int] | None:
    """The paste that begins inside a line of the developer's own: "why this: TypeError: x is not a function"."""
    if line.kind is Kind.STRONG:
        return (line.start, line.end) if not re.match(r"\s*\$ ", line.text) else None
    for match in _tail_start().finditer(line.text[:2000]):
        begins = match.start() if match[0] == "T" else match.end()
        rest = line.text[begins : begins + 400]
        if rest and not rest.startswith("$ ") and strong().match(rest):
            return line.start + begins, line.end
    return None
