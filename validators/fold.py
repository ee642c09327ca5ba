"""The fold under which a quote and a text are compared, with the way back to the verbatim characters.

Unicode NFKC and case folding, one form for quotes and for dashes, collapsed white space, no Markdown emphasis, no
back-ticks, no invisible characters. What is cut off at a quote's ends (a speaker label, outer punctuation) is decided
by :func:`trim`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

QUOTES = dict.fromkeys("\"'`´‘’‚‛“”„‟«»‹›′″「」『』＂＇", "'")
DASHES = dict.fromkeys("-‐‑‒–—―−﹘﹣－", "-")
MARKS = (  # combining characters: they belong to the letter before them
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u064b-\u065f\u1160-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\u3099\u309a\ufe20-\ufe2f"
)
INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufe00-\ufe0f"
PIECE = re.compile(
    rf"(?P<space>\s+)"
    rf"|(?P<drop>[`*{INVISIBLE}]+|~~|(?<![A-Za-z0-9_])_{{1,3}}(?=\S)|(?<=\S)_{{1,3}}(?![A-Za-z0-9_]))"
    rf"|(?P<dash>[-‐-―−]+)"
    rf"|(?P<plain>[^\s`*_~\"\-\x7f-\U0010ffff]+(?![{MARKS}]))"
    rf"|(?P<cluster>.[{MARKS}]*)",
    re.DOTALL,
)
OUTER = " .,;:!?'\"()[]{}<>-–—…·•#|\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b"
LABEL = re.compile(r"\s*(?:\[?(?:developer|dev|user|human|me)\]?|\[?(?:turn\s?)?#?\d{1,4}\]?)\s?[:>]\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Folded:
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
        piece = " " if kind == "space" else "-" if kind == "dash" else _cluster(match.group())
        out.append(piece)
        starts.extend([start] * len(piece))
        ends.extend([end] * len(piece))
    return Folded("".join(out), starts, ends)


def fold_text(text: str) -> str:
    """A text folded, where nobody needs the way back."""
    return fold(text).text


@lru_cache(maxsize=4096)
def _cluster(cluster: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster).casefold())
    return "".join(QUOTES.get(c) or DASHES.get(c) or (" " if c.isspace() else c) for c in folded)


def strip_label(quote: str) -> str:
    """A quote without the speaker label that an extractor may have copied in front of it."""
    match = LABEL.match(quote)
    return quote[match.end() :] if match else quote


def trim(folded: str) -> str:
    """A folded quote without its outer punctuation; one of nothing else keeps it."""
    return folded.strip(OUTER) or folded.strip()


DASH_IN_WORDS = re.compile(r"(?<=\s)[–—―](?=\w)|[—―]")
EMPHASIS = re.compile(r"(?<![A-Za-z0-9_*])(\*{1,3}|_{1,3})(?=[^\s*_])([^\n*_]{1,300}?)(?<=[^\s*_])\1(?![A-Za-z0-9_*])")
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
