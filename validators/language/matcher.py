"""Where the phrases of some languages stand in a text, without those that a longer rival hides.

They are looked up by their first two words, in time linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from validators.language.phrases import ANY, Match, Phrase, Words

if TYPE_CHECKING:
    from validators.language.clauses import Layout
    from validators.language.tokens import Tokens

# What a longer match hides: a shield all that is inside it; these groups one another; any group its own shorter ones.
_OCCASIONS = frozenset({"standing", "one_off", "dated", "shield"})
# What the shields of a name hide, where that is not everything.
_SHIELDED: dict[str, frozenset[str]] = dict.fromkeys(("day", "once", "this-one", "now", "while"), _OCCASIONS)
_SHIELDED["standing"] = frozenset({"standing", "refuse", "assent", "shield"})
_SHIELDED["nothing-but"] = frozenset({"negate", "negate_next", "negate_after"})
_SHIELDED["elsewhere"] = frozenset({"elsewhere"})
_SHIELDED["hedge"] = frozenset(
    {"hedge", "hypothesis", "plan", "wish", "joke", "question", "embedded", "habit", "shield"}
)
_RIVALS = {
    group: rivals
    for rivals in (
        frozenset({"standing", "one_off", "dated"}),
        frozenset({"negate", "negate_next"}),
        frozenset({"elsewhere", "here"}),
    )
    for group in rivals
}


class _Start:
    """The phrases that begin with one word: by the word after it where that is known, the rest in ``others``."""

    __slots__ = ("_by_next", "_others")

    def __init__(self, first: str, phrases: Sequence[Phrase]) -> None:
        others: list[Phrase] = []
        by_next: dict[str, list[Phrase]] = {}
        for phrase in phrases:
            following = phrase.second_words(first)
            if following is None:
                others.append(phrase)
            for word in following or ():
                by_next.setdefault(word, []).append(phrase)
        self._others = tuple(others)
        self._by_next = {word: (*others, *found) for word, found in by_next.items()}

    def before(self, following: str) -> Sequence[Phrase]:
        """The phrases that can begin here, when this is the word after the first."""
        return self._by_next.get(following, self._others)


class Matcher:
    """The phrases of some languages by their first two words."""

    def __init__(self, languages: Sequence[Words]) -> None:
        self.languages = tuple(languages)
        self.words: Callable[..., frozenset[str]] = cache(self._words)  # the single words of classes, by their names
        self.spelling: dict[str, tuple[str, ...]] = {}
        self._index: dict[str, list[Phrase]] = {}
        self._behind: dict[str, list[Phrase]] = {}  # phrases that begin with a built-in, by the word after it
        self._starts: dict[str, _Start] = {}
        self.rules = frozenset((rule.group, rule.name) for words in languages for rule in words.lexicon.rules)
        for words in languages:
            self.spelling.update(words.spelling)
            for phrase in words.phrases():
                for first in phrase.first_words():
                    behind = phrase.words_behind() if first == ANY else None
                    for second in behind or ():
                        self._behind.setdefault(second, []).append(phrase)
                    if behind:
                        continue
                    self._index.setdefault(first, []).append(phrase)

    def _words(self, *names: str) -> frozenset[str]:
        return frozenset().union(*(words.words(name) for words in self.languages for name in names))

    def find(self, tokens: Tokens, layout: Layout) -> list[Match]:
        """Every match that no longer rival hides, in the order of the text."""
        found: list[Match] = []
        words, starts, index, behind = tokens.words, self._starts, self._index, self._behind
        anywhere = tuple(index.get(ANY, ()))
        for at, (word, following) in enumerate(zip(words, (*words[1:], ""), strict=False)):
            candidates: Sequence[Phrase] = anywhere
            if word in index:
                start = starts[word] if word in starts else self._start(word)
                candidates = (*start.before(following), *anywhere) if anywhere else start.before(following)
            if following in behind:
                candidates = (*candidates, *behind[following])
            if not candidates:
                continue
            end = layout.clauses[layout.clause_of[at]].end
            for phrase in candidates:
                anchor = phrase.anchor
                if anchor and at not in (layout.sentence_starts if anchor == "^^" else layout.clause_starts):
                    continue
                match = phrase.match(tokens, at, end)
                if match:
                    found.append(match)
        return _unhidden(found)

    def _start(self, word: str) -> _Start:
        made = self._starts[word] = _Start(word, self._index[word])
        return made


def _unhidden(found: list[Match]) -> list[Match]:
    """The matches without those that a longer rival covers. A predicate of one type says nothing about another's."""
    longer = [n for n in found if n.end - n.start > 1 and n.group != "states"]
    if not longer:
        return found
    reach = max(n.end - n.start for n in longer)
    kept = []
    low = high = 0  # the longer ones from ``low`` on may reach this match, those before ``high`` begin at or before it
    for m in found:
        while high < len(longer) and longer[high].start <= m.start:
            high += 1
        while low < high and longer[low].start <= m.start - reach:
            low += 1
        if not any(m.end <= n.end and _hides(n, m) for n in longer[low:high]):
            kept.append(m)
    return kept


def _hides(longer: Match, match: Match) -> bool:
    if longer.group == "shield":
        shielded = _SHIELDED.get(longer.name)
        return (shielded is None or match.group in shielded) and longer.covers(match)
    if longer.group != match.group:
        rivals = _RIVALS.get(longer.group)
        if rivals is None or match.group not in rivals:
            return False
    return longer.covers(match)
