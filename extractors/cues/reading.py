"""A sentence as the rules read it, and what its words say about who, when and how seriously."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from extractors.candidate import Kind
from extractors.cues.dates import StatedEnd, stated_end
from extractors.cues.sentences import Sentence, clause_end, clause_start

Guards = Mapping[str, re.Pattern[str]]

# One character for one character, so that places in the folded text are places in the text as it was said.
PLAIN = {ord(a): b for a, b in zip("‘’‚“”„–—‑\u00a0\u202f", "'''\"\"\"---  ", strict=True)}
PLAIN |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
HARD_BREAK = re.compile(r";|:(?=\s)|\s-{1,2}\s|\bbut\b|\band\s+(?=we\b|i\b|you\b)", re.I)
MORE = re.compile(r"[,;:]\s")
HERE = re.compile(r"\bhere\b|\b(?:this|our)\s+(?:repo|repository|project|codebase)\b", re.I)


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with plain quotes and dashes, its neighbours in the turn, its stated end, and in which repository.

    In ``text`` a stated end is blotted out ("until," and blanks), so that no rule takes a date for a part of its match.
    ``repo_words`` are the words of the repository's own name: "in the docs repo" said in docs-site is this one.
    """

    sentence: Sentence
    text: str
    before: str
    after: tuple[str, ...]
    ending: StatedEnd | None
    repo_words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Label:
    """What the words around a match say about it.

    ``doubtful`` where they ask, suppose, report or negate: it is proposed all the same, so that the check which
    refuses it can say why.
    """

    kind: Kind
    about: str
    until: date | None
    doubtful: bool = False


def plain(text: str) -> str:
    """``text`` with one form for quotes, dashes, blanks and full-width letters, and of the same length."""
    return text.translate(PLAIN)


def reading(
    sentence: Sentence, text: str, said: datetime | None, repo_words: frozenset[str], around: tuple[str, ...] = ("",)
) -> Reading:
    """``text``, the plain form of ``sentence``, with the sentence before it and those after it in ``around``."""
    ending = stated_end(text, said)
    if ending is not None and ending.day is not None:
        blot = "until,".ljust(ending.end - ending.start)
        text = text[: ending.start] + blot + text[ending.end :]
    return Reading(sentence, text, around[0], around[1:], ending, repo_words)


def states(text: str, start: int, end: int, guards: Guards) -> bool:
    """Whether the clause around ``[start, end)`` states something: no question, no supposition, no reported speech."""
    begin, close = clause_start(text, start), clause_end(text, end)
    polite = guards["request"].search(text[begin:]) and guards["always"].search(text)
    asks = bool(guards["asks"].search(text))
    if not polite:
        if guards["question"].search(text[begin:close]) or (asks and guards["question"].search(text)):
            return False
        if asks and (not MORE.search(text[close:]) or guards["tag"].search(text)):
            return False
    hard = _hard_start(text, start)
    segment = text[hard:close]
    return not guards["supposes"].search(segment) and not guards["reported"].search(segment)


def label(
    reading: Reading, start: int, end: int, value_at: int, kind: Kind, *, negatable: bool, guards: Guards
) -> Label:
    """How the match ``[start, end)`` is meant.

    A statement that its own words limit to one occasion, ask or take back keeps the label of a rule: the check of
    those words refuses it, with the words as its reason.
    """
    text = reading.text
    doubtful = not states(text, start, end, guards)
    if negatable and guards["negated"].search(text[clause_start(text, start) : value_at]):
        doubtful = True
    ending = reading.ending
    until = ending.day if ending else None
    about = _about(reading, start, end, guards)
    if kind is Kind.STANDING and not doubtful:
        if guards["forget_that"].search(text[:start]):
            return Label(Kind.FORGET, "this", None)
        if guards["correction"].search(text) or guards["mistake"].search(reading.before):
            kind = Kind.CORRECTION
    return Label(kind, about, until, doubtful)


def _hard_start(text: str, position: int) -> int:
    ends = [found.end() for found in HARD_BREAK.finditer(text, 0, position)]
    return ends[-1] if ends else 0


def _about(reading: Reading, start: int, end: int, guards: Guards) -> str:
    """The other repository, job or team that the statement names as its own, else ``this``."""
    text = reading.text
    segment = text[_hard_start(text, start) : clause_end(text, end)]
    found = guards["elsewhere"].search(segment)
    if found is None or HERE.search(text[start:end]):
        return "this"
    named = next(group for group in found.groups() if group is not None)
    words = {word for word in re.split(r"[^a-z0-9]+", named.casefold()) if word}
    return "this" if words <= reading.repo_words | {"s", "team"} else named
