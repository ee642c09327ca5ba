"""A sentence as words: folded, contractions written out, sloppy spellings replaced, separators kept apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

CJK = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆"
_SEP = ".!?;:,()…—–。！？；：，、（）"
_QUOTES = '"“”„«»「」『』¿¡'
# One pass, no nested repetition: a code span, a URL, one CJK character, a line end, a word, or separators. Nearly all
# text is ASCII, for which a smaller pattern does, and pays less at the start.
_ASCII = re.compile(
    r"`+[^`\n]{1,400}`+"
    r"|https?://[^\s\"`)>]*[^\s\"`)>.,;:!?]"
    r"|\n"
    r"|(?:[^\s`.!?;:,()\"]|\.{1,2}(?=[\w/*-])|:(?=[\w/])|(?<=/)\.\.\.)+"
    r"|[.!?;:,()]+"
)
_WIDE = (
    rf"`+[^`\n]{{1,400}}`+"
    rf"|https?://[^\s{_QUOTES}`)>]*[^\s{_QUOTES}`)>.,;:!?。，]"
    rf"|[{CJK}]"
    rf"|\n"
    rf"|(?:[^\s`{_SEP}{_QUOTES}{CJK}]|\.{{1,2}}(?=[\w/*-])|:(?=[\w/])|(?<=/)\.\.\.)+"
    rf"|[{_SEP}]+"
)
_ONLY_WIDE = frozenset(c for c in _SEP + _QUOTES if not c.isascii())  # beside CJK: what the two tell apart
_EDGES = "'*_[]{}<>|~=+\\"
_ITEM = re.compile(r"[ \t]*(?:\n|[-*•>#]|\d{1,2}[.)]\s|$)")
_SENTENCE_ENDS = frozenset(".!?\n")
SEPARATORS = frozenset({".", "!", "?", "\n", ",", ";", ":", "—", "…", "(", ")"})
_NO_SENTENCE_END = frozenset({"e.g", "i.e", "z.b", "p.ej", "vs", "etc", "approx", "resp", "bzw", "incl", "no", "nr"})
_IS = frozenset("it that what who where how here there he she when why this which everything something nothing".split())
_ENDINGS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_NOT = {"won't": "will", "can't": "can", "shan't": "shall", "ain't": "is"}
_ELISION = re.compile(r"(l|d|n|c|j|s|m|t|qu|jusqu|lorsqu|puisqu)'(\w.*)", re.DOTALL)


class Tokens(NamedTuple):
    """Parallel lists: the folded word or separator, and its span in the text.

    A contraction gives several words with one span. A code span is one opaque word that no phrase can match.
    """

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]

    def capital(self, at: int) -> bool:
        """Whether the word begins with a capital letter in the text."""
        return self.text[self.starts[at]].isupper()


def tokenise(text: str, spelling: Mapping[str, tuple[str, ...]]) -> Tokens:
    """The text's words and separators. ``spelling`` says which words stand for which others."""
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for found in _pattern(text).finditer(text):
        raw = found.group()
        start = found.start()
        end = start + len(raw)
        if raw.isalpha() and raw.isascii():  # nearly every word
            word = raw.lower()
            if word not in spelling:
                words.append(word)
                starts.append(start)
                ends.append(end)
                continue
        first = raw[0]
        if first == "`":
            forms: tuple[str, ...] = ("`" + raw.strip("`"),)
        elif first == "\n":
            if (words and words[-1] == ":") or not _ITEM.match(text, end):
                continue
            forms = ("\n",)
        elif raw == "." and text[start - 1 : start].isspace():
            forms = ("./",)  # "docker build . is slow": a folder, not a full stop
        elif first in _SEP and all(c in _SEP for c in raw):
            forms = (_separator(raw, words),)
        else:
            forms = _forms(raw, spelling)
        for form in forms:
            words.append(form)
            starts.append(start)
            ends.append(end)
    return Tokens(text, words, starts, ends)


def _pattern(text: str) -> re.Pattern[str]:
    if text.isascii() or not any(c in _ONLY_WIDE or "\u3000" < c < "\ufb00" for c in text):
        return _ASCII
    return _wide()


@cache
def _wide() -> re.Pattern[str]:
    return re.compile(_WIDE)


def ends_sentence(word: str) -> bool:
    """Whether a separator closes a sentence."""
    return word in _SENTENCE_ENDS


def _separator(raw: str, words: list[str]) -> str:
    """The strongest separator of a run of punctuation, in one form for all scripts."""
    if "?" in raw or "？" in raw:
        return "?"
    if "!" in raw or "！" in raw:
        return "!"
    if "。" in raw:
        return "."
    if "…" in raw or ".." in raw:
        return "…"
    if "." in raw:
        last = words[-1] if words else ""
        numbered = last.isdecimal() and (len(words) < 2 or words[-2] in SEPARATORS)
        return "," if last in _NO_SENTENCE_END or numbered else "."
    for separator, forms in ((";", ";；"), (":", ":："), ("—", "—–"), ("(", "(（"), (")", ")）")):
        if any(form in raw for form in forms):
            return separator
    return ","


def _forms(raw: str, spelling: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    word = raw if raw.isascii() else normalize("NFKC", raw).replace("’", "'")
    word = word.casefold().strip(_EDGES) or raw
    if word in spelling:
        return spelling[word]
    if word in ("-", "--"):
        return ("—",)
    if "'" not in word:
        return (word,)
    if word.endswith("n't"):
        return (_NOT.get(word, word[:-3]), "not")
    head, _, tail = word.rpartition("'")
    if tail == "s":
        return (head, "us") if head == "let" else (head, "is") if head in _IS else (head, "'s")
    ending = _ENDINGS.get("'" + tail)
    if ending:
        return (head, ending)
    elided = _ELISION.fullmatch(word)
    return (elided[1] + "'", *_forms(elided[2], spelling)) if elided else (word,)
