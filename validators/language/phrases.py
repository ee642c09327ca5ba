"""The phrases of a lexicon, and whether one of them stands at a word of a text.

A phrase is a line of words. ``a|b`` is one of several words, ``{class}`` one of a word list, a trailing ``?`` makes an
element optional, ``..`` stands for up to four words, ``^`` and ``$`` for a clause's start and end, ``^^`` for a
sentence's start. ``{ing}``, ``{name}``, ``{num}``, ``{any}``, ``{time}`` and ``{date}`` are
built in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from policy.files import PolicyError
from validators.language.dates import date_end
from validators.language.tokens import SEPARATORS, Tokens, tokenise

if TYPE_CHECKING:
    from policy.lexicon import Lexicon, Rule

GAP = 4
ANY = ""  # the first word of a phrase that begins with a built-in
_NONE: frozenset[str] = frozenset()


class Match(NamedTuple):
    """A rule found at the words [start, end); ``gap`` is the stretch within that any words may fill."""

    group: str
    name: str
    start: int
    end: int
    gap: tuple[int, int] | None = None

    def covers(self, other: Match) -> bool:
        """Whether the other match lies wholly inside this longer one, outside its gap; a shield hides its gap too."""
        inside = self.start <= other.start and other.end <= self.end and self.end - self.start > other.end - other.start
        if self.gap is None or self.group == "shield":
            return inside
        return inside and (other.end <= self.gap[0] or other.start >= self.gap[1])


class Element(NamedTuple):
    """One place of a phrase: single words, stretches of several words, a built-in, or a gap."""

    words: frozenset[str] = _NONE
    longer: tuple[tuple[str, ...], ...] = ()
    builtin: Callable[[Tokens, int], int] | None = None
    optional: bool = False
    gap: bool = False


class Phrase:
    """One phrase of a rule; its elements are read when its first word is first seen."""

    __slots__ = ("_behind_gap", "_elements", "_plain", "anchor", "at_end", "lexicon", "rule", "text")

    def __init__(self, lexicon: Words, rule: Rule, text: str) -> None:
        self.lexicon, self.rule = lexicon, rule
        self.anchor = "^^" if text.startswith("^^ ") else "^" if text.startswith("^ ") else ""
        self.at_end = text.endswith(" $")
        self.text = text.removeprefix(self.anchor).removesuffix("$").strip()
        self._elements: tuple[Element, ...] | None = None
        self._plain: tuple[frozenset[str], ...] = ()
        self._behind_gap: tuple[frozenset[str], int] | None = None  # words behind a gap, and how far away they stand

    @property
    def elements(self) -> tuple[Element, ...]:
        """The phrase's elements."""
        if self._elements is None:
            self._elements = tuple(e for piece in self.text.split() for e in self.lexicon.element(piece))
            if not any(e.gap or e.optional or e.builtin or e.longer for e in self._elements):
                self._plain = tuple(e.words for e in self._elements)
            elif self._elements[1:2] and self._elements[1].gap and (behind := _openings(self._elements[2:])):
                head = self._elements[0]
                longest = max(map(len, head.longer), default=1)
                self._behind_gap = None if head.optional or head.builtin else (behind, longest + GAP + 1)
        return self._elements

    def first_words(self) -> set[str]:
        """The words that the phrase can begin with."""
        head = self.text.split(None, 1)[0]
        if head.isascii() and head.replace("|", "").isalpha():  # nearly every phrase
            return set(head.lower().split("|"))
        words: set[str] = set()
        for piece in self.text.split():
            first = self.lexicon.element(piece)[0]
            if first.gap:
                break
            if first.builtin:
                return {ANY}
            words |= first.words
            words.update(longer[0] for longer in first.longer)
            if not first.optional:
                return words
        problem = f"the phrase {self.text!r} begins with what may be any word"
        raise PolicyError(self.lexicon.lexicon.path, f"{self.rule.group}.{self.rule.name}", problem)

    def words_behind(self) -> frozenset[str] | None:
        """The words that follow a leading built-in, or None where they are not known."""
        if len(self.elements) < 2:
            return None
        first, second = self.elements[:2]
        plain = not (first.optional or second.optional or second.longer)
        return second.words if plain and first.builtin in _SINGLE and second.words else None

    def second_words(self, first: str) -> frozenset[str] | None:
        """The words that can follow ``first`` at the phrase's start, or None where that cannot be said."""
        head = self.elements[0]
        words = {longer[1] for longer in head.longer if longer[0] == first}
        if first not in head.words and not head.optional:
            return frozenset(words)
        following = _openings(self.elements[1:])
        return None if head.optional or following is None else following | words

    def match(self, tokens: Tokens, at: int, clause_end: int) -> Match | None:
        """The phrase at this word, or None."""
        elements, words = self._elements if self._elements is not None else self.elements, tokens.words
        plain = self._plain
        gaps: list[tuple[int, int]] = []
        if plain:  # nearly every phrase: one word of each set after the other, the first two of which are known to fit
            end = at + len(plain)
            if end > len(words) or any(words[at + k] not in plain[k] for k in range(len(plain) - 1, 0, -1)):
                return None
        elif self._behind_gap and self._behind_gap[0].isdisjoint(words[at + 1 : at + self._behind_gap[1]]):
            return None
        else:
            end = _match(elements, 0, tokens, at, gaps)
        if end < 0:
            return None
        if self.at_end and elements[-1].gap and end <= clause_end <= end + GAP:
            end = clause_end
        if self.at_end and clause_end != end < len(words) and words[end] not in SEPARATORS:
            return None
        return Match(self.rule.group, self.rule.name, at, end, gaps[-1] if gaps else None)


def _openings(elements: Sequence[Element]) -> frozenset[str] | None:
    """The words of which one stands first where the elements match; None where that may be any word, or none."""
    words: set[str] = set()
    for element in elements:
        if element.gap or element.builtin:
            return None
        words |= element.words
        words.update(longer[0] for longer in element.longer)
        if not element.optional:
            return frozenset(words)
    return None


def _match(elements: Sequence[Element], k: int, tokens: Tokens, at: int, gaps: list[tuple[int, int]]) -> int:
    """Where elements k.. end when they start at ``at``, or -1. Backtracks over optional elements and one short gap."""
    words = tokens.words
    size, last_word = len(elements), len(words)
    while k < size:
        element = elements[k]
        wanted, longer, builtin, optional, gap = element
        if not (longer or builtin or optional or gap):  # nearly every element: one word of a set
            if at >= last_word or words[at] not in wanted:
                return -1
            at += 1
            k += 1
            continue
        if builtin and not optional:
            end = builtin(tokens, at) if at < last_word else at
            if end <= at:
                return -1
            at = end
            k += 1
            continue
        if gap:
            for end in range(at, min(at + GAP, len(words)) + 1):
                if end > at and words[end - 1] in SEPARATORS:
                    return -1
                last = _match(elements, k + 1, tokens, end, gaps)
                if last >= 0:
                    gaps.append((at, end))
                    return last
            return -1
        for end in _ends(element, tokens, at):
            if k + 1 == len(elements):
                return end
            last = _match(elements, k + 1, tokens, end, gaps)
            if last >= 0:
                return last
        if not element.optional:
            return -1
        k += 1
    return at


def _ends(element: Element, tokens: Tokens, at: int) -> list[int]:
    """Where this one element can end when it starts at ``at``, the longest first."""
    words = tokens.words
    if at >= len(words):
        return []
    if element.builtin:
        end = element.builtin(tokens, at)
        return [end] if end > at else []
    ends = [at + len(e) for e in element.longer if words[at] == e[0] and tuple(words[at : at + len(e)]) == e]
    if words[at] in element.words:
        ends.append(at + 1)
    return ends


class Words:
    """One language's lexicon made ready: spellings, word classes on demand, phrases by first word."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.spelling = {short: tuple(full.split()) for short, full in lexicon.spelling}
        self._classes: dict[str, Element] = {}

    def phrases(self) -> list[Phrase]:
        """Every phrase of every rule."""
        return [
            Phrase(self, rule, text)
            for rule in self.lexicon.rules
            for line in rule.phrases.splitlines()
            if (text := line.strip())
        ]

    def words(self, name: str) -> frozenset[str]:
        """The single words of a class; empty where this language has no such class."""
        return self._class(name).words if name in self.lexicon.classes else _NONE

    def _class(self, name: str) -> Element:
        known = self._classes.get(name)
        if known is None:
            if name not in self.lexicon.classes:
                raise PolicyError(self.lexicon.path, f"classes.{name}", "is used by a phrase but not defined")
            items = self.lexicon.classes[name].split()
            included = [i for item in items if item[0] == "@" for i in self.lexicon.classes[item[1:]].split()]
            known = self._classes[name] = self._alternatives(
                [*included, *(i for i in items if i[0] != "@")], optional=False
            )
        return known

    def element(self, piece: str) -> tuple[Element, ...]:
        """The elements that one blank-separated piece of a phrase stands for."""
        if piece == "..":
            return (Element(gap=True),)
        optional = len(piece) > 1 and piece[-1] == "?"
        body = piece[:-1] if optional else piece
        if body[0] == "{" and body[-1] == "}":
            name = body[1:-1]
            if name in BUILTINS:
                return (Element(builtin=BUILTINS[name], optional=optional),)
            known = self._class(name)
            return (Element(known.words, known.longer, None, optional),)
        if "|" not in body and not optional:
            return tuple(Element(frozenset((word,))) for word in self._tokens(body))
        return (self._alternatives(body.split("|"), optional=optional),)

    def _alternatives(self, items: list[str], *, optional: bool) -> Element:
        forms = {self._tokens(item.replace("_", " ")) for item in items if item}
        longer = sorted((form for form in forms if len(form) > 1), key=len, reverse=True)
        return Element(frozenset(form[0] for form in forms if len(form) == 1), tuple(longer), None, optional)

    def _tokens(self, text: str) -> tuple[str, ...]:
        if text.isalpha() and text.isascii():
            return (text.lower(),)
        return (text,) if text == "'s" or text.endswith("'") else tuple(tokenise(text, {}).words)


def _ing(tokens: Tokens, at: int) -> int:
    word = tokens.words[at]
    return at + 1 if len(word) > 4 and word.endswith("ing") and word not in _NOT_ING else at


def _name(tokens: Tokens, at: int) -> int:
    word = tokens.words[at]
    return at + 1 if word not in SEPARATORS and (word[0] == "@" or (tokens.capital(at) and len(word) > 1)) else at


def _num(tokens: Tokens, at: int) -> int:
    word = tokens.words[at]
    return at + 1 if word.isdecimal() or word in _NUMBERS else at


def _time(tokens: Tokens, at: int) -> int:
    return at + 1 if _CLOCK.fullmatch(tokens.words[at]) else at


def _any(tokens: Tokens, at: int) -> int:
    return at if tokens.words[at] in SEPARATORS else at + 1


_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?:am|pm|h|uhr)|\d{1,2}:\d\d|\d{1,2}h\d\d")
_NOT_ING = frozenset("thing anything something everything nothing string king ring spring bring during staging".split())
_NUMBERS = frozenset(
    "a an one two three four five six seven eight nine ten twelve fifteen twenty thirty couple few zwei drei vier "
    "dos tres deux trois dois duas três".split()
)
BUILTINS: dict[str, Callable[[Tokens, int], int]] = {
    "ing": _ing,
    "name": _name,
    "num": _num,
    "any": _any,
    "date": date_end,
    "time": _time,
}


_SINGLE = frozenset({_ing, _name, _num, _any, _time})  # built-ins that take one word
