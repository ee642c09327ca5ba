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
from typing import TYPE_CHECKING

from validators.language.analysis import Analysis
from validators.language.clauses import Clause
from validators.language.phrases import Match
from validators.language.scene import Scene

if TYPE_CHECKING:
    from policy.model import FactType

PLACES = ("before", "after", "inside", "around", "about", "ruled", "order", "aside")
_NEED_NO_SIDE = frozenset({"around", "order"})
_EVER = frozenset({"always", "each-time", "from-now-on", "never"})  # standing cues that make a rule of any verb
_USED = frozenset({"command", "manager"})  # sorts for which "use it", "start it with" is a rule
_ENDS = frozenset({"deploy_target", "identifier"})  # sorts whose values are one end of a relation
_RELATED = frozenset({"deploy_target", "reviewer"})  # sorts that any plain verb may state
_POINTERS = frozenset({"=", "→", "⇒"})  # what stands between a label and its value, inside a clause
_COLONS = frozenset({":", "—"})  # and between two
_MOST_BARE = 3  # words beside the value that a bare answer may have
_BESIDE = 2  # sentences away in which the type may be named
_NEAR = 4  # words after "this" among which the occasion is named


def known_as(analysis: Analysis, fact_type: FactType) -> str:
    """The name under which the lexicon of the text's only language knows the predicates of this type: its own, or that
    of its kind of value. Empty where it knows none.
    """
    rules, names = analysis.matcher.rules, (fact_type.name, fact_type.value)
    if len(analysis.matcher.languages) != 1:
        return ""
    return next((name for name in names if any(("states", f"{name}-{place}") in rules for place in PLACES)), "")


@dataclass(frozen=True, slots=True)
class Claim:
    """A value in its sentence, as a claim of a type, which the lexicon knows as ``sort``.

    ``nouns`` are words for what the type is about, the candidate's subject among them; ``asked`` says that the agent
    has just asked about that.
    """

    scene: Scene
    sort: str
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
        if self._copula() or self._passive() or self._relation() or self._label():
            return True
        return self.sort != "do_not_edit" and (self._bare() or self._ruled())

    # -- predicates ------------------------------------------------------------------------------------------------

    def _predicate(self, match: Match) -> bool:
        """Whether this is a predicate of the type that is said of the value."""
        of, _, place = match.name.rpartition("-")
        index = self.analysis.clause_of(match)
        itself = self.scene.start <= match.start and match.end <= self.scene.end
        if of != self.sort or itself or self._unsaid(match):
            return False
        if place == "aside":
            return self.analysis.same_sentence(index, self.scene.clauses[0])
        if place == "inside":
            return match.start <= self.scene.start and self.scene.end <= match.end
        if not self._rule_enough(place, match):
            return False
        if index not in self.scene.clauses:
            return self._takes_up(index, match)
        return place in _NEED_NO_SIDE or self._beside(match, place)

    def _rule_enough(self, place: str, match: Match) -> bool:
        """Whether the sentence says what a predicate of this place needs beside it."""
        if place == "about":
            return self._named()
        if place == "order":
            orders = self._orders(match.start) or match.end == self.scene.start
            return orders and (self._ever() or self._general())
        return place != "ruled" or self._ever()

    def _orders(self, at: int) -> bool:
        """Whether a verb can be an order where it stands: "build it", "always build it", but not "the build"."""
        head = self.analysis.clauses[self.analysis.layout.clause_of[at]].head
        if at == head or self.words[at] not in self.lexicon("noun_like"):
            return True
        return self.words[at - 1] in self.lexicon("adverbs", "fillers", "speakers", "aux")

    def _general(self) -> bool:
        """Whether the sentence speaks of more than one case: "for every change", "on payments PRs", "whenever"."""
        sentence = self.analysis.clauses[self.scene.clauses[0]].sentence
        general = self.lexicon("general")
        return any(
            word in general for word in self._outside(c for c in self.analysis.clauses if c.sentence == sentence)
        )

    def _beside(self, match: Match, place: str) -> bool:
        """Whether the words stand on the right side of the value, with no other verb between, and are no order."""
        scene, clause = self.scene, self.analysis.clauses[self.analysis.clause_of(match)]
        if match.start == clause.head and self.sort not in _USED and self._is_order(match.start):
            return False
        if match.gap and match.gap[0] <= scene.start and scene.end <= match.gap[1]:
            return True
        if place in ("after", "about"):
            return match.end <= scene.start and self._reaches(range(match.end, scene.start))
        if self.words[scene.end - 1] == "'s":  # "Sam's to review", but not "Sam's review of payments"
            return match.start == scene.end - 1
        between = range(scene.end, match.start)
        waits = clause.conj == "time" and self.words[clause.head] in self.lexicon("awaited")  # "after Sam reviews it"
        if scene.end > match.start or (waits and not self._ever()):
            return False
        if self.words[match.start] in self.lexicon("noun_like"):  # "the review": a verb only right after its subject
            return self._same_subject(between)
        return self._reaches(between)

    def _reaches(self, between: range) -> bool:
        """Whether nothing between predicate and value parts them: a verb of its own, or, before words that could be a
        command only because they stand there, anything at all.
        """
        if self.sort == "command" and not self._coined():
            return all(self.words[i] in self.lexicon("adverbs") for i in between)
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
        if words[clause.head] in self.lexicon("partly") and words[clause.head + 1].endswith("s"):
            return True  # "some tickets have …"
        if words[at] == "to":
            return at == clause.start or words[at - 1] not in self.lexicon("duties")
        able = words[at] == "can" and words[at - 1] in self.lexicon("speakers")  # "you can start it with …"
        return words[at] in self.lexicon("unsaid") and not (able and self.sort in _USED) and not self._ever()

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
        if self.words[scene.start] in self.lexicon("states", "transient"):
            return False  # "the deploy is stuck"
        if before:
            slack = self.lexicon("adverbs", "determiners", "ties", "fillers") | self.nouns
            plain = all(words[i] in slack for i in range(before[-1] + 1, scene.start))
            return plain and self._about(words[clause.head : before[-1]])
        rest = range(scene.end, clauses[scene.clauses[-1]].end)
        at = next((i for i in rest if words[i] not in self.lexicon("adverbs")), -1)
        if at >= 0 and words[at] in links and self._names(range(at + 1, rest.stop)):
            return True
        after = clauses[scene.clauses[-1] + 1 : scene.clauses[-1] + 2]  # "…, that is the service id"
        return any(
            self._pronoun(c.head) and words[c.head + 1] in links and self._names(range(c.head + 2, c.end))
            for c in after
            if c.end > c.head + 2
        )

    def _passive(self) -> bool:
        """ "staging is wired to trunk": a lasting state of what the type is about, with the value as its other end."""
        if self.sort not in _ENDS:
            return False
        words, clause = self.words, self.analysis.clauses[self.scene.clauses[0]]
        for at in range(clause.head + 1, self.scene.start - 2):
            state = words[at + 1].endswith("ed") and words[at + 1] not in self.lexicon("undone")
            if words[at] in self.lexicon("be") and state and words[at + 2] in self.lexicon("prepositions"):
                slack = self.lexicon("determiners", "ties", "adverbs") | self.nouns
                plain = all(words[i] in slack for i in range(at + 3, self.scene.start))
                return plain and self._about(words[clause.head : at])
        return False

    def _relation(self) -> bool:
        """ "staging picks up trunk", "Bo blesses auth PRs": a verb of the present that the lexicon does not know as
        idle, between the two ends of what the type is about and nothing else.
        """
        words, scene, clause = self.words, self.scene, self.analysis.clauses[self.scene.clauses[0]]
        slack = self.lexicon("determiners", "adverbs", "prepositions", "fillers", "split_and") | self.nouns
        value = range(scene.start, scene.end)
        verbs = [
            i
            for i in range(clause.head, clause.end)
            if i not in value
            and words[i] not in slack
            and words[i].endswith("s")
            and words[i] not in self.lexicon("be")
        ]
        if self.sort not in _RELATED or len(verbs) != 1 or words[verbs[0]] in self.lexicon("idle_verbs"):
            return False
        ends = (range(clause.head, verbs[0]), range(verbs[0] + 1, clause.end))
        if not all(i in value or words[i] in slack or words[i] in ("up", "out") for end in ends for i in end):
            return False
        mine = 0 if self.sort == "reviewer" else 1
        return scene.start in ends[mine] and any(words[i] in self.nouns for i in ends[1 - mine])

    def _about(self, said: list[str]) -> bool:
        """Whether the words before "is" name what the type is about, themselves or as "it"."""
        aside = self.lexicon("adverbs", "fillers") | self.analysis.splitter.conjunctions.keys()
        said = [word for word in said if word not in aside]
        if all(word in self.lexicon("taken_up") for word in said):
            return not said or self.sort == "manager" or self._named()  # "it's pnpm" leaves no doubt what "it" is
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
        if self.sort == "command" and len(label) <= _NEAR and self._coined():
            return True  # "ruff: `ruff check .`"
        return any(self.words[i] in self.nouns for i in label) and not any(self._acts(i) for i in label)

    def _ruled(self) -> bool:
        """Whether a standing cue makes a rule of what is said, in words that the lexicon does not know as a predicate:
        "prod always takes the v2026 tags".
        """
        standing = self.scene.standing()
        itself = standing and self.scene.start <= standing.start and standing.end <= self.scene.end
        if standing is None or itself or self.words[self.scene.start] in self.lexicon("states", "transient"):
            return False
        return self.sort in _USED or self._named()

    def _bare(self) -> bool:
        """Whether the value is all that is said, as in the answer to a question: "release/eu", "no, Sam"."""
        slack = self.lexicon("fillers", "determiners", "adverbs", "tag_words", "ties", "here")
        clauses, index = self.analysis.clauses, self.scene.clauses[0]
        near = clauses[index : index + 1] if self.sort in _USED else clauses
        beside = list(self._outside(c for c in near if c.sentence == clauses[index].sentence))
        return (self.asked or self._coined()) and len(beside) <= _MOST_BARE and all(word in slack for word in beside)

    # -- words -----------------------------------------------------------------------------------------------------

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
        said = list(self._outside(self.analysis.clauses[i] for i in self.scene.clauses))
        occasions = self.lexicon("occasions")
        pointed = (i for i, word in enumerate(said) if word in ("this", "that"))
        return not self._ever() and any(word in occasions for i in pointed for word in said[i + 1 : i + _NEAR])

    def _ever(self) -> bool:
        """Whether a standing cue makes a rule of what is said."""
        standing = self.scene.standing()
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
