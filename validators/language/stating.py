"""Whether a sentence states what a fact type is about, or only mentions the value: "Sam reviews payments" states a
reviewer, "Sam broke payments" does not.

It is asked the other way round than the rest: nothing is taken for a statement that has no predicate of the type. The
predicates are the lexicon's ``states.TYPE-PLACE`` rules. PLACE says where the value stands:

* ``before`` or ``after`` the words ("Sam reviews", "reviewed by Sam"), ``inside`` them ("not without Sam's approval"),
  or ``around``: anywhere in the clause;
* ``about``: after them, in a sentence that also names what the type is about ("anything in payments goes to Sam");
* ``ruled``: before them, where a standing cue makes a rule of it ("Sam will review these from now on");
* ``order``: the words are an order, which is a rule only where it speaks of more than one case ("ask Sam for every
  payments change");
* ``aside``: the words make a rule of what any clause of the sentence names ("…, edit the template instead").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validators.language.analysis import Analysis
from validators.language.clauses import Clause
from validators.language.phrases import Match
from validators.language.scene import Scene

PLACES = ("before", "after", "inside", "around", "about", "ruled", "order", "aside")
_NEED_NO_SIDE = frozenset({"around", "order"})
_EVER = frozenset({"always", "each-time", "from-now-on", "never"})  # standing cues that make a rule of any verb
_POINTERS = frozenset({"=", "→", "⇒"})  # what stands between a label and its value, inside a clause
_COLONS = frozenset({":", "—"})  # and between two
_MOST_BARE = 3  # words beside the value that a bare answer may have
_NEAR = 4  # words after "this" among which the occasion is named


def read_closely(analysis: Analysis, fact_type: str) -> bool:
    """Whether the lexicon of the text's only language knows the predicates of this type."""
    rules = analysis.matcher.rules
    return len(analysis.matcher.languages) == 1 and any(("states", f"{fact_type}-{place}") in rules for place in PLACES)


@dataclass(frozen=True, slots=True)
class Claim:
    """A value in its sentence, as a claim of a type.

    ``nouns`` are words for what the type is about, the candidate's subject among them; ``asked`` says that the agent
    has just asked about that.
    """

    scene: Scene
    fact_type: str
    nouns: frozenset[str]
    asked: bool = False

    @property
    def analysis(self) -> Analysis:
        """The text's words and cues."""
        return self.scene.analysis

    @property
    def words(self) -> list[str]:
        """The text's words."""
        return self.scene.analysis.words

    def lexicon(self, *names: str) -> frozenset[str]:
        """The words of these classes."""
        return frozenset().union(*map(self.analysis.matcher.words, names))

    def stated(self) -> bool:
        """Whether the value's clause, or one that takes it up, has a predicate of the type."""
        if self._this_one():
            return False
        if any(self._predicate(match) for match in self.analysis.matches("states")):
            return True
        return self._copula() or self._label() or (self.fact_type != "do_not_edit" and self._bare())

    # -- predicates ------------------------------------------------------------------------------------------------

    def _predicate(self, match: Match) -> bool:
        """Whether this is a predicate of the type that is said of the value."""
        of, _, place = match.name.rpartition("-")
        index = self.analysis.clause_of(match)
        if of != self.fact_type or self._unsaid(match):
            return False
        if place == "aside":
            return self.analysis.same_sentence(index, self.scene.clauses[0])
        if place == "inside":
            return match.start <= self.scene.start and self.scene.end <= match.end
        if not self._rule_enough(place, index):
            return False
        if index not in self.scene.clauses:
            return self._takes_up(index, match)
        return place in _NEED_NO_SIDE or self._beside(match, place)

    def _rule_enough(self, place: str, index: int) -> bool:
        """Whether the sentence says what a predicate of this place needs beside it."""
        if place == "about":
            return self._named()
        general = self.analysis.has(self.analysis.clauses[index], self.lexicon("general"))
        return self._ever() or place not in ("ruled", "order") or (place == "order" and general)

    def _beside(self, match: Match, place: str) -> bool:
        """Whether the words stand on the right side of the value, with no other verb between, and are no order."""
        scene, clause = self.scene, self.analysis.clauses[self.analysis.clause_of(match)]
        if match.start == clause.head and self._is_order(match.start):
            return False
        if match.start < scene.end and scene.start < match.end:
            return True
        if place in ("after", "about"):
            return match.end <= scene.start and not any(self._acts(i) for i in range(match.end, scene.start))
        between = range(scene.end, match.start)
        owned = self.words[scene.end - 1] == "'s"  # "Sam's review of payments"
        waits = clause.conj == "time" and self.words[clause.head] in self.lexicon("awaited")  # "after Sam reviews it"
        if scene.end > match.start or owned or (waits and not self._ever()):
            return False
        if self.words[match.start] in self.lexicon("noun_like"):  # "the review": a verb only right after its subject
            return self._same_subject(between)
        return not any(self._acts(i) for i in between)

    def _same_subject(self, between: range) -> bool:
        """Whether the words between a name and its verb belong to the name: "Sam and Kim", "Lena from the css team"."""
        if between and self.words[between.start] == "from":
            return not any(self._acts(i) for i in between)
        return all(self.words[i] in self.lexicon("adverbs", "split_and") or self._capital(i) for i in between)

    def _is_order(self, at: int) -> bool:
        """Whether the verb at a clause's head is an order, which is for now: "deploy staging from preview"."""
        word = self.words[at]
        return self.analysis.splitter.is_verb(word) and not word.endswith(("s", "ed"))

    def _unsaid(self, match: Match) -> bool:
        """Whether the predicate is no statement: "trying to deploy from", "could go to", "I sign off"."""
        words, clause = self.words, self.analysis.clauses[self.analysis.clause_of(match)]
        at = match.start - 1
        while at >= clause.start and words[at] in self.lexicon("adverbs"):
            at -= 1
        if at < clause.start or words[match.start] in self.lexicon("state_change"):
            return False
        if words[clause.head] in self.lexicon("partly"):
            return True
        if words[at] == "to":
            return at == clause.start or words[at - 1] not in self.lexicon("duties")
        return words[at] in self.lexicon("unsaid")

    def _takes_up(self, index: int, match: Match) -> bool:
        """Whether another clause speaks of the value: beside a fragment, or with a pronoun or nothing where the value
        would be ("src/gen is generated, never edit it", "Sam owns it so she reviews it").
        """
        clauses, (first, last) = self.analysis.clauses, (self.scene.clauses[0], self.scene.clauses[-1])
        clause = clauses[index]
        if abs(clause.sentence - clauses[first].sentence) > 1:
            return False
        fragment = not any(clauses[i].verb for i in self.scene.clauses)
        between = range(index + 1, first) if index < first else range(last + 1, index)
        beside = not any(clauses[i].verb for i in between)
        if beside and (fragment or (index < first and self._pronoun(clauses[first].head))):
            return True
        if index < first or not self.analysis.same_sentence(index, first):
            return False
        subject = match.start > clause.head and self._pronoun(match.start - 1)
        return subject or match.end >= clause.end or self._open(match.end)

    # -- other forms -----------------------------------------------------------------------------------------------

    def _copula(self) -> bool:
        """ "the staging branch is preview", "preview is our staging branch", "it is SHOP-, our ticket prefix"."""
        words, scene, clauses = self.words, self.scene, self.analysis.clauses
        clause = clauses[scene.clauses[0]]
        links = self.lexicon("be", "stays")
        before = [at for at in range(clause.head, min(scene.start, clause.end)) if words[at] in links]
        if before:
            slack = self.lexicon("adverbs", "determiners", "ties", "fillers") | self.nouns
            plain = all(words[i] in slack for i in range(before[-1] + 1, scene.start))
            return plain and self._about(words[clause.head : before[-1]])
        rest = range(scene.end, clauses[scene.clauses[-1]].end)
        at = next((i for i in rest if words[i] not in self.lexicon("adverbs")), -1)
        return at >= 0 and words[at] in links and self._names(range(at + 1, rest.stop))

    def _about(self, said: list[str]) -> bool:
        """Whether the words before "is" name what the type is about, themselves or as "it"."""
        aside = self.lexicon("adverbs", "fillers") | self.analysis.splitter.conjunctions.keys()
        said = [word for word in said if word not in aside]
        if all(word in self.lexicon("taken_up") for word in said):
            return not said or self._named()
        led = said[0] in self.lexicon("prepositions")  # "for payments the reviewer is Sam"
        return any(word in self.nouns for word in (said if led else self._phrase(said)))

    def _names(self, span: range) -> bool:
        """Whether the words after "is" name what the type is about: "our staging branch"."""
        said = [self.words[i] for i in span if self.words[i] not in self.lexicon("adverbs")]
        if not said or any(self._acts(i) for i in span):
            return False
        opened = said[0] in self.lexicon("determiners") or said[0] in self.nouns
        return opened and any(word in self.nouns for word in self._phrase(said))

    def _label(self) -> bool:
        """ "reviewer for payments: Sam", "staging = preview", "staging → preview": a name and its value."""
        clauses, index = self.analysis.clauses, self.scene.clauses[0]
        clause = clauses[index]
        pointer = next((i for i in range(clause.start, self.scene.start) if self.words[i] in _POINTERS), -1)
        if pointer >= 0:
            return any(word in self.nouns for word in self.words[clause.start : pointer])
        if clause.sep not in _COLONS or not index or any(clauses[i].verb for i in self.scene.clauses):
            return False
        label = range(clauses[index - 1].start, clauses[index - 1].end)
        return any(self.words[i] in self.nouns for i in label) and not any(self._acts(i) for i in label)

    def _bare(self) -> bool:
        """Whether the value is all that is said, as in the answer to a question: "release/eu", "no, Sam"."""
        slack = self.lexicon("fillers", "determiners", "adverbs", "tag_words", "ties")
        sentence = self.analysis.clauses[self.scene.clauses[0]].sentence
        beside = list(self._outside(c for c in self.analysis.clauses if c.sentence == sentence))
        return len(beside) <= _MOST_BARE and all(word in slack for word in beside)

    # -- words -----------------------------------------------------------------------------------------------------

    def _outside(self, clauses: Iterable[Clause]) -> Iterable[str]:
        """The words of these clauses beside the value's own."""
        scene = self.scene
        for clause in clauses:
            yield from (self.words[i] for i in range(clause.start, clause.end) if not scene.start <= i < scene.end)

    def _named(self) -> bool:
        """Whether the value's sentence, one beside it, or the agent's question names what the type is about."""
        sentence = self.analysis.clauses[self.scene.clauses[0]].sentence
        near = (c for c in self.analysis.clauses if abs(c.sentence - sentence) <= 1)
        return self.asked or any(word in self.nouns for word in self._outside(near))

    def _this_one(self) -> bool:
        """Whether the clause is about one change only: "Malik needs to review this search change"."""
        said = list(self._outside(self.analysis.clauses[i] for i in self.scene.clauses))
        occasions = self.lexicon("occasions")
        pointed = (i for i, word in enumerate(said) if word in ("this", "that"))
        return not self._ever() and any(word in occasions for i in pointed for word in said[i + 1 : i + _NEAR])

    def _ever(self) -> bool:
        """Whether a standing cue makes a rule of what is said."""
        standing = self.scene.standing()
        return standing is not None and standing.name in _EVER

    def _acts(self, at: int) -> bool:
        word = self.words[at]
        return self.analysis.splitter.is_verb(word) and word not in self.nouns and word not in self.lexicon("noun_like")

    def _pronoun(self, at: int) -> bool:
        return self.words[at] in self.lexicon("taken_up")

    def _open(self, at: int) -> bool:
        """Whether no other object follows here: a pronoun, "by hand", "in there", "ever"."""
        return self._pronoun(at) or self.words[at] in self.lexicon("adverbs", "prepositions", "fillers")

    def _capital(self, at: int) -> bool:
        return self.analysis.tokens.capital(at)

    def _phrase(self, said: list[str]) -> list[str]:
        """The words up to the first preposition."""
        prepositions = self.lexicon("prepositions")
        return said[: next((i for i, word in enumerate(said) if word in prepositions), len(said))]
