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

from functools import cache
from typing import TYPE_CHECKING

from validators.language.claim import USED, Vocabulary
from validators.language.forms import ClaimForms
from validators.language.phrases import Match

if TYPE_CHECKING:
    from validators.language.clauses import Clause
    from validators.language.matcher import Matcher

_FRAGMENT = 4  # words beside the value; with more, a verb is there that no list knows: "npm messes up the links"
PLACES = ("before", "after", "inside", "around", "about", "ruled", "order", "aside")
_NEED_MORE = frozenset({"about", "ruled", "order"})
_NEED_NO_SIDE = frozenset({"around", "order"})


@cache
def vocabulary(matcher: Matcher, type_name: str, value_kind: str) -> Vocabulary | None:
    """What a lexicon of one language knows of a type, under its own name or that of its kind of value. None where it
    knows no predicate of it.
    """
    predicates = [name.rpartition("-") for group, name in matcher.rules if group == "states"]
    known = {of for of, _, place in predicates if place in PLACES}
    sort = next((name for name in (type_name, value_kind) if name in known), "")
    if not sort or len(matcher.languages) != 1:
        return None
    places = {f"{of}-{place}": place for of, _, place in predicates if of in (sort, "any")}
    return Vocabulary(sort, matcher.words(f"{sort}_nouns"), places)


class Claim(ClaimForms):
    """A claim that may be made by a predicate of its type, or by one of the other forms."""

    __slots__ = ()

    def stated(self) -> bool:
        """Whether the value's clause, or one that takes it up, has a predicate of the type."""
        if self._this_one():
            return False
        places = self.places
        if any(m.name in places and self._predicate(m, places[m.name]) for m in self.analysis.matches("states")):
            return True
        if self._linked() and (self._copula() or self._passive()):
            return True
        if self._relation() or self._apposition() or self._label():
            return True
        return self.sort != "do_not_edit" and (self._bare() or self._ruled() or self._terse())

    def _predicate(self, match: Match, place: str) -> bool:
        """Whether this predicate of the type is said of the value."""
        scene, index = self.scene, self.analysis.clause_of(match)
        itself = scene.start <= match.start and match.end <= scene.end
        if itself or self._unsaid(match, self.analysis.clauses[index]):
            return False
        if place == "aside":
            return self.analysis.same_sentence(index, scene.clauses[0])
        if place == "inside":
            return match.start <= scene.start and scene.end <= match.end
        if place in _NEED_MORE and not self._rule_enough(place, match):
            return False
        if index not in scene.clauses:
            return self._takes_up(index, match)
        return place in _NEED_NO_SIDE or self._beside(match, place, self.analysis.clauses[index])

    def _rule_enough(self, place: str, match: Match) -> bool:
        """Whether the sentence says what a predicate of this place needs beside it."""
        if place == "about":
            return self._named()
        if place == "order":
            orders = self._orders(match.start) or match.end == self.scene.start
            return orders and (self._ever() or self._general())
        return self._ever()

    def _orders(self, at: int) -> bool:
        """Whether a verb can be an order where it stands: "build it", "always build it", but not "the build"."""
        head = self.analysis.clauses[self.analysis.layout.clause_of[at]].head
        if at == head or self.words[at] not in self.lexicon("noun_like"):
            return True
        return self.words[at - 1] in self.lexicon("adverbs", "fillers", "speakers", "aux")

    def _general(self) -> bool:
        """Whether the sentence speaks of more than one case: "for every change", "on payments PRs", "whenever"."""
        sentence = self.analysis.clauses[self.scene.clauses[0]].sentence
        if self.words[self.analysis.clauses[self.scene.clauses[0]].head] == "for":
            return True  # "for auth ping Kim"
        said = self._outside(c for c in self.analysis.clauses if c.sentence == sentence)
        return not self.lexicon("general").isdisjoint(said)

    def _beside(self, match: Match, place: str, clause: Clause) -> bool:
        """Whether the words stand on the right side of the value, with no other verb between, and are no order."""
        scene = self.scene
        general = match.name.startswith("any-") or self.sort in USED
        if match.start == clause.head and not general and self._is_order(match.start):
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

    def _unsaid(self, match: Match, clause: Clause) -> bool:
        """Whether the predicate is no statement: "trying to deploy from", "could go to", "I sign off"."""
        words, adverbs, at = self.words, self.lexicon("adverbs"), match.start - 1
        while at >= clause.start and words[at] in adverbs:
            at -= 1
        if at < clause.start or words[match.start] in self.lexicon("state_change"):
            return False
        if words[clause.head] in self.lexicon("partly") and words[clause.head + 1].endswith("s"):
            return True  # "some tickets have …"
        if words[at] == "to":
            return at == clause.start or words[at - 1] not in self.lexicon("duties")
        able = words[at] == "can" and words[at - 1] in self.lexicon("speakers")  # "you can start it with …"
        return words[at] in self.lexicon("unsaid") and not (able and self.sort in USED) and not self._ever()

    def _takes_up(self, index: int, match: Match) -> bool:
        """Whether another clause speaks of the value: beside a fragment, or with a pronoun or nothing where the value
        would be ("src/gen is generated, never edit it", "Sam owns it so she reviews it").
        """
        clauses, (first, last) = self.analysis.clauses, (self.scene.clauses[0], self.scene.clauses[-1])
        clause = clauses[index]
        if abs(clause.sentence - clauses[first].sentence) > 1:
            return False
        beside_it = sum(clauses[i].end - clauses[i].start for i in self.scene.clauses) - (
            self.scene.end - self.scene.start
        )
        fragment = beside_it <= _FRAGMENT and not any(clauses[i].verb for i in self.scene.clauses)
        between = range(index + 1, first) if index < first else range(last + 1, index)
        beside = not any(clauses[i].verb for i in between)
        if beside and (fragment or (index < first and self._pronoun(clauses[first].head))):
            return True
        if index < first or not self.analysis.same_sentence(index, first):
            return False
        subject = match.start > clause.head and self._pronoun(match.start - 1)
        return subject or match.end >= clause.end or self._open(match.end)
