"""The forms, beside a verb of its own, in which a sentence states a value: "the prefix is SHOP-", "reviewer: Sam"."""

from __future__ import annotations

from validators.language.claim import USED, ClaimWords

_ENDS = frozenset({"deploy_target", "identifier", "command", "manager"})  # sorts whose values are one end of a relation
_RELATED = frozenset({"deploy_target", "reviewer"})  # sorts that any plain verb may state
_POINTERS = frozenset({"=", "→", "⇒"})  # what stands between a label and its value, inside a clause
_COLONS = frozenset({":", "—"})  # and between two
_MOST_BARE = 3  # words beside the value that a bare answer may have
_LABEL = 4  # words of a label, at most


class ClaimForms(ClaimWords):
    """A claim that may be made by "is", a label, an apposition, or by nothing but the value."""

    __slots__ = ()

    def _linked(self) -> bool:
        """Whether there is an "is" at all."""
        return not self.lexicon("be", "stays").isdisjoint(self.words)

    def _copula(self) -> bool:
        """ "the staging branch is preview", "preview is our staging branch", "it is SHOP-, our ticket prefix"."""
        words, scene, clauses = self.words, self.scene, self.analysis.clauses
        clause = clauses[scene.clauses[0]]
        links = self.lexicon("be", "stays")
        before = [at for at in range(clause.head, min(scene.start, clause.end)) if words[at] in links]
        if self.words[scene.start] in self.lexicon("states", "transient"):
            return False  # "the deploy is stuck"
        if before:
            plain = self._plain(range(before[-1] + 1, scene.start), "adverbs", "determiners", "ties", "fillers")
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
                plain = self._plain(range(at + 3, self.scene.start), "determiners", "ties", "adverbs")
                return plain and self._about(words[clause.head : at])
        return False

    def _relation(self) -> bool:
        """ "staging picks up trunk", "Bo blesses auth PRs": a verb of the present that the lexicon does not know as
        idle, between the two ends of what the type is about and nothing else.
        """
        if self.sort not in _RELATED:
            return False
        words, scene, clause = self.words, self.scene, self.analysis.clauses[self.scene.clauses[0]]
        slack = self.lexicon("determiners", "adverbs", "prepositions", "fillers", "split_and")
        value = range(scene.start, scene.end)
        outside = (i for i in range(clause.head, clause.end) if i not in value)
        rest = [i for i in outside if words[i] not in slack and words[i] not in self.nouns]
        verbs = [i for i in rest if words[i].endswith("s") and words[i] not in self.lexicon("be")]
        if len(verbs) != 1 or words[verbs[0]] in self.lexicon("idle_verbs"):
            return False
        if any(i != verbs[0] and words[i] not in ("up", "out") for i in rest):
            return False
        ends = (range(clause.head, verbs[0]), range(verbs[0] + 1, clause.end))
        mine = 0 if self.sort == "reviewer" else 1
        return scene.start in ends[mine] and any(words[i] in self.nouns for i in ends[1 - mine])

    def _about(self, said: list[str]) -> bool:
        """Whether the words before "is" name what the type is about, themselves or as "it"."""
        aside, conjunctions = self.lexicon("adverbs", "fillers"), self.analysis.splitter.conjunctions
        said = [word for word in said if word not in aside and word not in conjunctions]
        if all(word in self.lexicon("taken_up") for word in said):
            return not said or self._clear() or self._named()
        led = said[0] in self.lexicon("prepositions")  # "for payments the reviewer is Sam"
        return any(word in self.nouns for word in (said if led else self._phrase(said)))

    def _clear(self) -> bool:
        """Whether the value shows what "it" is ("it's pnpm", "it's `make t`"), or takes another's place ("no wait, it's
        main").
        """
        if self.sort == "manager" or self.words[self.scene.start][0] == "`":
            return True
        sentence = self.analysis.clauses[self.scene.clauses[0]].sentence
        said = self._outside(c for c in self.analysis.clauses if c.sentence == sentence)
        return not self.lexicon("correcting", "corrections").isdisjoint(said)

    def _names(self, span: range) -> bool:
        """Whether the words after "is" name what the type is about: "our staging branch"."""
        said = [self.words[i] for i in span if self.words[i] not in self.lexicon("adverbs")]
        if not said or any(self._acts(i) for i in span):
            return False
        opened = said[0] in self.lexicon("determiners") or said[0] in self.nouns
        return opened and any(word in self.nouns for word in self._phrase(said))

    def _apposition(self) -> bool:
        """ "our auth reviewer Kim", "Kim, our auth reviewer, …": what is ours of the type, beside its name."""
        ours, clauses = self.lexicon("we_words"), self.analysis.clauses
        if ours.isdisjoint(self.words):
            return False
        clause = clauses[self.scene.clauses[0]]
        before = self.words[clause.start : self.scene.start]
        at = max((i for i, word in enumerate(before) if word in ours), default=-1)
        if 0 <= at < len(before) - 1 and before[-1] in self.nouns and not {*before[at:]} & self.lexicon("prepositions"):
            return True
        after = clauses[self.scene.clauses[-1] + 1 : self.scene.clauses[-1] + 2]
        alone = clause.head == self.scene.start and self.scene.end == clause.end
        return alone and any(self.words[c.head] in ours and self._names(range(c.head, c.end)) for c in after)

    def _label(self) -> bool:
        """ "reviewer for payments: Sam", "staging = preview", "staging → preview": a name and its value."""
        clauses, index = self.analysis.clauses, self.scene.clauses[0]
        clause = clauses[index]
        pointer = next((i for i in range(clause.start, self.scene.start) if self.words[i] in _POINTERS), -1)
        if pointer >= 0:
            return any(word in self.nouns for word in self.words[clause.start : pointer])
        if any(clauses[i].verb for i in self.scene.clauses):
            return False
        while clauses[index].sep == "," and index and not clauses[index - 1].verb:
            index -= 1  # a later item: "reviewers: Kim, Lee"
        if clauses[index].sep not in _COLONS or not index:
            return False
        label = range(clauses[index - 1].start, clauses[index - 1].end)
        if self.sort == "command" and len(label) <= _LABEL and self._coined():
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
        if standing.name == "we-use" and self.analysis.clause_of(standing) not in self.scene.clauses:
            return False  # what "we use" has been said: "we use pnpm, npm messes up the links"
        return self.sort in USED or self._named()

    def _terse(self) -> bool:
        """ "Kim for auth reviews", "staging still from main": what goes with what, without a verb."""
        words, scene, clause = self.words, self.scene, self.analysis.clauses[self.scene.clauses[0]]
        if self.sort == "identifier" or len(scene.clauses) > 1:
            return False
        outside = [i for i in range(clause.start, clause.end) if not scene.start <= i < scene.end]
        after = [i for i in outside if i >= scene.end and words[i] not in self.lexicon("adverbs")]
        before = [i for i in outside if i < scene.start and words[i] not in self.lexicon("fillers")]
        if any(self._acts(i) for i in outside) or self._is_order(clause.head):
            return False
        if after and words[after[0]] == "for" and self._plain(before, "adverbs", "determiners"):
            return self.sort == "manager" or any(words[i] in self.nouns for i in after)
        led = bool(before) and words[before[0]] in self.nouns and words[before[-1]] not in self.nouns
        return led and not after and self._plain(before, "adverbs", "determiners", "links", "from_words")

    def _bare(self) -> bool:
        """Whether the value is all that is said, as in the answer to a question: "release/eu", "no, Sam"."""
        clauses, index = self.analysis.clauses, self.scene.clauses[0]
        near = clauses[index : index + 1] if self.sort in USED else clauses
        said = list(self._outside(c for c in near if c.sentence == clauses[index].sentence))
        if len(said) > _MOST_BARE and "not" not in said:
            return False
        correcting = self.lexicon("correcting", "corrections")
        slack = self.lexicon("fillers", "determiners", "adverbs", "tag_words", "ties", "here")
        beside = [w for i, w in enumerate(said) if w != "not" and said[max(i - 1, 0)] != "not"]  # "main, not develop"
        if len(beside) > _MOST_BARE or any(w not in slack and w not in correcting and w != "that" for w in beside):
            return False
        return self.asked or self._coined() or len(beside) < len(said) or not correcting.isdisjoint(beside)
