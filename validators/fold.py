"""The fold under which a quote and a text are compared, with the way back to the verbatim characters.

Unicode NFKC and case folding, one form for quotes and for dashes, collapsed white space, no Markdown emphasis, no
back-ticks, no invisible characters. What is cut off at a quote's ends (a speaker label, outer punctuation) is decided
by :func:`trim`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from transcripts.lazy import lazy

QUOTES = dict.fromkeys("\"'`´‘’‚‛“”„‟«»‹›′″「」『』＂＇", "'")
DASHES = dict.fromkeys("-‐‑‒–—―−﹘﹣－", "-")
PIECE = lazy(
    r"(?P<space>\s+)"
    r"|(?P<drop>[`*]+|~~|(?<![A-Za-z0-9_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![A-Za-z0-9_]))"
    r"|(?P<dash>-+)"
    r"|(?P<plain>[!#-),./0-9:;<=>?@A-Z\[\\\]^a-z{|}]+(?: [!#-),./0-9:;<=>?@A-Z\[\\\]^a-z{|}]+)*)"
    r"|(?P<other>.)",
    re.DOTALL,
)
MOST_MARKS = 12  # characters that make one letter; what is stacked higher stands for itself
OUTER = " .,;:!?'\"()[]{}<>-–—…·•#|\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b"
LABEL = lazy(
    r"[\s*_]*(?:\[?(?:turn\s?)?#?\d{1,4}[\].)]{0,2}\s?)?\[?(?:developer|dev|user|human|me)(?:\s?\([^()\n]{1,20}\))?\]?\s?[:>][\s*_]+"
    r"|[\s*_]*\[?turn\s?#?\d{1,4}\]?\s?[:>][\s*_]+",
    re.IGNORECASE,
)


class Folded(NamedTuple):
    """A folded text; character ``i`` of it comes from ``[starts[i], ends[i])`` of the verbatim one."""

    text: str
    starts: list[int]
    ends: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The verbatim span of the folded span [start, end), which is not empty."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str, at: int = 0) -> Folded:
    """A text folded, with offsets that count from ``at``."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in PIECE.finditer(text):
        kind = match.lastgroup
        if kind == "drop":
            continue
        start, end = match.start() + at, match.end() + at
        if kind == "plain":
            out.append(match.group().lower())
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
            continue
        piece = " " if kind == "space" else "-" if kind == "dash" else match.group()
        if kind == "other":
            if starts and _combines(piece) and end - starts[-1] <= MOST_MARKS:
                start = _uncombined(out, starts, ends)
                piece = text[start - at : end - at]
            piece = _form(piece)
        if piece == "-" and ends and out[-1].endswith("-") and ends[-1] == start:
            ends[-1] = end  # a run of dashes is one
            continue
        if piece:
            out.append(piece)
            starts.extend([start] * len(piece))
            ends.extend([end] * len(piece))
    return Folded("".join(out), starts, ends)


def _combines(char: str) -> bool:
    """Whether a character belongs to the letter before it: a combining mark, a Hangul vowel or final."""
    return bool(unicodedata.combining(char)) or "\u1160" <= char <= "\u11ff" or "\u3099" <= char <= "\u309a"


def _uncombined(out: list[str], starts: list[int], ends: list[int]) -> int:
    """Take back the last letter, to be folded again together with its mark; gives its start."""
    start = starts[-1]
    while starts and starts[-1] == start:
        starts.pop()
        ends.pop()
        out[-1] = out[-1][:-1]
        if not out[-1]:
            out.pop()
    return start


def fold_text(text: str) -> str:
    """A text folded, where nobody needs the way back."""
    return fold(text).text


@lru_cache(maxsize=4096)
def _form(letter: str) -> str:
    """One letter, with its marks, under the fold; empty for what cannot be seen."""
    if len(letter) == 1 and (unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f"):
        return ""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", letter).casefold())
    return "".join(QUOTES.get(c) or DASHES.get(c) or (" " if c.isspace() else c) for c in folded)


def strip_label(quote: str) -> str:
    """A quote without the speaker label that an extractor may have copied in front of it."""
    match = LABEL.match(quote)
    return quote[match.end() :] if match else quote


def trim(folded: str) -> str:
    """A folded quote without its outer punctuation; one of nothing else keeps it."""
    return folded.strip(OUTER) or folded.strip()


DASH_IN_WORDS = lazy(r"(?<=\s)[–—―](?=\w)|[—―]")
EMPHASIS = lazy(r"(?<![A-Za-z0-9_*])(\*{1,3}|_{1,3})(?=[^\s*_])([^\n*_]{1,300}?)(?<=[^\s*_])\1(?![A-Za-z0-9_*])")
VALUE_FORMS = str.maketrans({**QUOTES, **DASHES, "`": " ", **dict.fromkeys("\u200b\u200c\u200d\ufeff\u2060\u00ad", "")})


@lru_cache(maxsize=512)
def fold_value(text: str) -> str:
    """The fold under which values are looked for: names, paths and globs keep ``_``, ``*`` and their hyphens.

    An em dash between words separates them; in front of a word it stands for the hyphens of an option.
    """
    folded = text if text.isascii() else unicodedata.normalize("NFKC", DASH_IN_WORDS.sub(_dash, text))
    folded = EMPHASIS.sub(r"\2", folded) if "*" in folded or "_" in folded else folded
    return " ".join(folded.casefold().translate(VALUE_FORMS).split())


def _dash(match: re.Match[str]) -> str:
    text = match.string
    before, after = match.start() - 1, match.end()
    option = before >= 0 and text[before].isspace() and after < len(text) and not text[after].isspace()
    if not option:
        return " - "
    return "-" if match.group() == "–" else "--"
