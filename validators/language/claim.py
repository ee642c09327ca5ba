"""A value in its sentence as a claim that a fact type makes, and what the words around it are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from validators.language.clauses import Clause
from validators.language.occasion import dated
from validators.language.scene import Scene

_EVER = frozenset({"always", "each-time", "from-now-on", "never"})  # standing cues that make a rule of any verb
_BESIDE = 2  # sentences away in which the type may be named
_NEAR = 4  # words after "this" among which the occasion is named
USED = frozenset({"command", "manager"})  # sorts for which "use it", "start it with" is a rule


class Vocabulary(NamedTuple):
    """What a lexicon knows of a type, which it calls ``sort``: the words for what the type is about, and where a value
    stands beside each predicate.
    """

    sort: str
    nouns: frozenset[str]
    places: Mapping[str, str]


class ClaimWords:
    """A value in its sentence, as a claim of a type.

    ``nouns`` are words for what the type is about, the candidate's subject among them; ``asked`` says that the agent
    has just asked about that. ``lexicon`` gives the words of classes by their names.
    """

    __slots__ = ("analysis", "asked", "lexicon", "nouns", "places", "scene", "sort", "words")

    def __init__(self, scene: Scene, known: Vocabulary, nouns: frozenset[str], *, asked: bool = False) -> None:
        self.scene, self.sort, self.places = scene, known.sort, known.places
        self.nouns, self.asked = nouns, asked
        self.analysis = scene.analysis
        self.words = scene.analysis.words
        self.lexicon = scene.analysis.matcher.words

    def _plain(self, span: Iterable[int], *names: str) -> bool:
        """Whether all these words belong to the classes, or name what the type is about."""
        words, slack, nouns = self.words, self.lexicon(*names), self.nouns
        return all(words[i] in slack or words[i] in nouns for i in span)

    def _outside(self, clauses: Iterable[Clause]) -> Iterable[str]:
        """The words of these clauses beside the value's own."""
        scene = self.scene
        for clause in clauses:
            yield from (self.words[i] for i in range(clause.start, clause.end) if not scene.start <= i < scene.end)

    def _named(self) -> bool:
        """Whether the value's sentence, one beside it, or the agent's question names what the type is about."""
        sentence = self.analysis.clauses[self.scene.clauses[0]].sentence
        near = (c for c in self.analysis.clauses if abs(c.sentence - sentence) <= _BESIDE)
        return self.asked or any(word in self.nouns for word in self._outside(near))

    def _this_one(self) -> bool:
        """Whether the clause is about one change only: "Malik needs to review this search change"."""
        if "this" not in self.words and "that" not in self.words:
            return False
        said = list(self._outside(self.analysis.clauses[i] for i in self.scene.clauses))
        occasions = self.lexicon("occasions")
        subjects = self.lexicon("subjects")  # "note that we deploy …" points at nothing
        after = [*said[1:], ""]
        pointed = (i for i, word in enumerate(said) if word == "this" or (word == "that" and after[i] not in subjects))
        near = any(word in occasions and (word, i) != ("one", 0) for i in pointed for word in said[i + 1 : i + _NEAR])
        return near and not self._ever()

    def _ever(self) -> bool:
        """Whether a standing cue makes a rule of what is said."""
        standing = self.scene.standing()
        if standing is None and dated(self.scene):
            return True  # "until 15 July deploy staging from …": a rule with an end
        if standing is None or standing.name not in _EVER:
            return False
        return not (self.scene.start <= standing.start and standing.end <= self.scene.end)

    def _acts(self, at: int) -> bool:
        word = self.words[at]
        return self.analysis.splitter.is_verb(word) and word not in self.nouns and word not in self.lexicon("noun_like")

    def _coined(self) -> bool:
        """Whether the value is no word of the language: it has a mark or a digit in it, or stands in back-ticks, or is
        a manager, whose names are known.
        """
        return self.sort == "manager" or any(
            not self.words[i].isalpha() for i in range(self.scene.start, self.scene.end)
        )

    def _pronoun(self, at: int) -> bool:
        return self.words[at] in self.lexicon("taken_up")

    def _open(self, at: int) -> bool:
        """Whether no other object follows here: a pronoun, "by hand", "in there", "ever"."""
        return self._pronoun(at) or self.words[at] in self.lexicon("adverbs", "prepositions", "fillers", "here")

    def _capital(self, at: int) -> bool:
        return self.analysis.tokens.capital(at)

    def _phrase(self, said: list[str]) -> list[str]:
        """The words up to the first preposition."""
        prepositions = self.lexicon("prepositions")
        return said[: next((i for i, word in enumerate(said) if word in prepositions), len(said))]

    def _is_order(self, at: int) -> bool:
        """Whether the verb at a clause's head is an order, which is for now: "deploy staging from preview"."""
        word = self.words[at]
        return self.analysis.splitter.is_verb(word) and not word.endswith(("s", "ed"))
