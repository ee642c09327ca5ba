"""Cutting typed text into sentences and clauses, with their places in the text.

Chat is written without capitals and full of paths, versions and commands, so a full stop ends a sentence only before
white space, and nothing between back-ticks is ever cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|nr|dr|mr|mrs|ms|st|jan|feb|aug|sept?|oct|nov|dec)\.$", re.I
)
ORDINAL = re.compile(r"^\s*\(?(?:\d{1,2}|[a-z])\.$", re.I)
ENDING = re.compile(r"[.!?…。！？]+[\"'”’)\]*_]*(?=\s|$)|[。！？]")
CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]+\1")
LONGEST = 800  # characters; what is longer without a full stop is cut between words, so that reading stays linear
BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•–]|\(?\d{1,2}[.)])\s)|\n(?=\s*[^\sa-z])|(?<=[:;,.!?])\n")
CLAUSE_END = re.compile(r"\s*(?:[;,:()](?=\s|$)|\s[-–—]{1,2}\s|\s(?:but|so|because|since|which|while|whereas)\s)", re.I)
LEAD = re.compile(r"^(?:\s|[-*•–>\"'“”‘’(]+\s*(?=\S)|\(?\d{1,2}[.)]\s)+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch ``text`` that starts at ``start`` in the text it was cut from."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends in the text it was cut from."""
        return self.start + len(self.text)


def sentences(text: str) -> list[Sentence]:
    """The sentences of ``text`` in order, without the white space and list marks around them."""
    found = []
    for start, end in _lines(text):
        begin = start
        code = [m.span() for m in CODE.finditer(text, start, end)]
        for mark in ENDING.finditer(text, start, end):
            if _inside(mark.start(), code) or _no_end(text, begin, mark.end()):
                continue
            found.append((begin, mark.end()))
            begin = mark.end()
        found.append((begin, end))
    bounded = [part for begin, end in found for part in _bounded(text, begin, end)]
    return [trimmed for begin, end in bounded if (trimmed := _trimmed(text, begin, end))]


def clause_start(sentence: str, position: int) -> int:
    """Where the clause around ``position`` starts: behind the last comma, colon, dash or conjunction before it."""
    code = [m.span() for m in CODE.finditer(sentence)]
    ends = [m.end() for m in CLAUSE_END.finditer(sentence, 0, position) if not _inside(m.start(), code)]
    return ends[-1] if ends else 0


def clause_end(sentence: str, position: int) -> int:
    """Where the clause around ``position`` ends."""
    code = [m.span() for m in CODE.finditer(sentence)]
    for mark in CLAUSE_END.finditer(sentence, position):
        if not _inside(mark.start(), code):
            return mark.start()
    return len(sentence.rstrip(" .!?…\"'”’"))


def _lines(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for gap in BREAK.finditer(text):
        spans.append((start, gap.start()))
        start = gap.end()
    spans.append((start, len(text)))
    return spans


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    """Whether ``position`` lies within one of ``spans``, which are in order and do not overlap."""
    at = bisect_left(spans, (position, 0)) - 1
    return at >= 0 and spans[at][0] < position < spans[at][1]


def _no_end(text: str, begin: int, end: int) -> bool:
    """Whether the full stop at ``end`` belongs to an abbreviation or a list number."""
    if text[end - 1] != ".":
        return False
    numbered = end - begin < 10 and ORDINAL.match(text[begin:end])
    return bool(numbered or ABBREVIATION.search(text[max(begin, end - 12) : end]))


def _bounded(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    while end - begin > LONGEST:
        space = max(text.rfind(" ", begin + 1, begin + LONGEST), text.rfind("\n", begin + 1, begin + LONGEST))
        cut = space if space > begin else begin + LONGEST
        yield begin, cut
        begin = cut
    yield begin, end


def _trimmed(text: str, begin: int, end: int) -> Sentence | None:
    if lead := LEAD.match(text[begin:end]):
        begin += lead.end()
    kept = text[begin:end].rstrip()
    return Sentence(begin, kept) if kept else None
