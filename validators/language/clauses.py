"""Sentences and clauses: where each begins, and what ties it to the one before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from validators.language.tokens import SEPARATORS, Tokens, ends_sentence

if TYPE_CHECKING:
    from validators.language.matcher import Matcher

_LOOK = 8  # how many words after "and" may hold the verb that makes it a clause of its own


class Clause(NamedTuple):
    """The words [start, end) with ``head``, the first one that is no filler.

    ``sep`` is the separator before it, empty where a conjunction alone begins it. ``conj`` is that conjunction's
    class: ``and``, ``contrast``, ``reason``, ``condition``, ``time`` or empty. ``verb`` says that a verb was seen.
    """

    start: int
    end: int
    head: int
    sep: str
    conj: str
    sentence: int
    verb: bool


class Layout(NamedTuple):
    """The clauses of a text, the clause of every word, and how each sentence ends."""

    clauses: list[Clause]
    clause_of: list[int]
    clause_starts: frozenset[int]
    sentence_starts: frozenset[int]
    marks: list[str]


class Splitter:
    """Splits with the conjunctions and verbs that a matcher's languages know."""

    def __init__(self, matcher: Matcher) -> None:
        words = matcher.words
        self.conjunctions = {
            word: kind for kind in ("contrast", "reason", "condition", "time", "and") for word in words(f"split_{kind}")
        }
        self.subjects = words("subjects")
        self.fillers = words("fillers")
        self.verbs = words("verbs")
        self.needs_subject = words("split_before_subject")
        self.needs_verb = words("split_before_verb")
        self.quantifiers = words("quantifiers")
        self.opens_subordinate = words("conditions") | words("subordinators")
        self.speakers = words("we_words")
        self.referring = words("referring")
        self.takes_clause = words("takes_clause") | words("prepositions")

    def is_verb(self, word: str) -> bool:
        """Whether the word is a verb form, as far as a word list and one ending can tell."""
        return word in self.verbs or (len(word) > 4 and word.endswith("ed") and word.isalpha())

    def split(self, tokens: Tokens) -> Layout:
        """The layout of the text."""
        words = tokens.words
        clauses: list[Clause] = []
        marks: list[str] = []
        clause_of: list[int] = []
        start, sep, conj, verb = 0, "", "", False

        def close(end: int) -> None:
            if end > start:
                head = start
                while head < end - 1 and words[head] in self.fillers:
                    head += 1
                clauses.append(Clause(start, end, head, sep, conj, len(marks), verb))

        conjunctions, verbs, openers = self.conjunctions, self.verbs, self.speakers | self.referring
        for at, word in enumerate(words):
            if word in SEPARATORS:
                clause_of.append(len(clauses))  # a separator belongs to the clause that it closes
                close(at)
                if ends_sentence(word):
                    marks.append(word)
                start, sep, conj, verb = at + 1, word, "", False
                continue
            if word in conjunctions:
                kind = conjunctions[word]
                if at == start:
                    conj = kind
                elif self._begins(words, at, kind, verb):
                    close(at)
                    start, sep, conj, verb = at, "", kind, False
            elif verb and word in openers and self._ends_subordinate(words, start, at):
                close(at)
                start, sep, conj, verb = at, "", "", False
            elif not verb and (word in verbs or (word.endswith("ed") and self.is_verb(word))):
                verb = True
            clause_of.append(len(clauses))
        close(len(words))
        marks.append("")
        clauses = clauses or [Clause(0, len(words), 0, "", "", 0, verb=False)]
        last = len(clauses) - 1
        return Layout(
            clauses,
            [min(c, last) for c in clause_of],
            frozenset(c.start for c in clauses) | frozenset(c.head for c in clauses),
            _sentence_starts(clauses),
            marks,
        )

    def _begins(self, words: list[str], at: int, kind: str, verb: bool) -> bool:
        """Whether the conjunction at this word begins a clause, not just another item of a list."""
        if kind == "contrast" and words[at - 1] in self.quantifiers:  # "anything but npm"
            return False
        following = next((w for w in words[at + 1 : at + 4] if w not in self.fillers), "")
        if words[at] in self.needs_subject:
            return following in self.subjects
        if words[at] in self.needs_verb:
            return following in self.subjects or following in self.verbs
        if kind != "and":
            return True
        if following in self.subjects:
            return True
        if not verb:
            return False
        return self._any_verb(words, at + 1)

    def _ends_subordinate(self, words: list[str], start: int, at: int) -> bool:
        """Whether "we" begins the main clause after a condition without a comma: "in case it's not clear we use …"."""
        opening = words[start : start + 2]
        if not any(word in self.opens_subordinate for word in opening) or words[at - 1] in self.takes_clause:
            return False
        return words[at] in self.speakers or not self.is_verb(words[at - 1])  # "if you change it, …" has an object

    def _any_verb(self, words: list[str], at: int) -> bool:
        is_verb: Callable[[str], bool] = self.is_verb
        for word in words[at : at + _LOOK]:
            if word in SEPARATORS:
                return False
            if is_verb(word):
                return True
        return False


def _sentence_starts(clauses: list[Clause]) -> frozenset[int]:
    starts: set[int] = set()
    sentence = -1
    for clause in clauses:
        if clause.sentence != sentence:
            sentence = clause.sentence
            starts |= {clause.start, clause.head}
    return frozenset(starts)
