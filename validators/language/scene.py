"""Where the value stands, and which cues reach it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import EllipsisType
from typing import NamedTuple
from unicodedata import normalize

from validators.language.analysis import Analysis
from validators.language.clauses import Clause
from validators.language.phrases import Match

_DROPPED = frozenset('`*"“”„«»')
_EDGE = "-_/"
_OPEN_ENDS = "-_#"
_FRAMES = frozenset({"from-now-on", "each-time"})
_COMPLEMENTS = frozenset({"lives-goes"})  # the value is where something lives, not what lives there


class Cue(NamedTuple):
    """Words that decide something: the matched text, the rule that saw it, and whose it makes the statement."""

    text: str
    rule: str
    owner: str = ""


class Scene:
    """One occurrence of the value (or the quote): its words [start, end) and the clauses that they stand in."""

    __slots__ = ("_standing", "analysis", "clauses", "end", "start")

    def __init__(self, analysis: Analysis, start: int, end: int, clauses: range) -> None:
        self.analysis, self.start, self.end, self.clauses = analysis, start, end, clauses
        self._standing: Match | EllipsisType | None = ...  # not looked for yet

    def cue(self, match: Match, owner: str = "") -> Cue:
        """The match as a cue."""
        return Cue(self.analysis.quote(match.start, match.end), f"{match.group}.{match.name}", owner)

    def standing(self) -> Match | None:
        """The standing cue that governs the value, the most explicit one first."""
        if self._standing is ...:
            self._standing = self._most_explicit()
        return self._standing

    def _most_explicit(self) -> Match | None:
        best: Match | None = None
        for match in self.analysis.matches("standing"):
            if self._standing_reaches(match) and (best is None or _RANK.get(match.name, 0) > _RANK.get(best.name, 0)):
                best = match
        return best

    def _standing_reaches(self, match: Match) -> bool:
        clause = self.analysis.clause_of(match)
        if clause in self.clauses:
            return match.name not in _COMPLEMENTS or match.end <= self.start or match.end < self.end
        first = self.clauses[0]
        if not self.analysis.same_sentence(clause, first):
            return False
        if clause < first:
            at_head = match.start <= self.analysis.clauses[clause].head
            if match.name in _FRAMES and at_head:
                return True
            if self.analysis.clauses[first].sep == ":" and clause == first - 1 and match.name == "rule":
                return True
        return self.linked(clause) and self.analysis.cue_only(clause)

    def parts(self) -> list[Scene]:
        """The scene clause by clause."""
        clauses = [self.analysis.clauses[i] for i in self.clauses]
        return [
            Scene(self.analysis, max(self.start, c.start), min(self.end, c.end), range(i, i + 1))
            for i, c in zip(self.clauses, clauses, strict=True)
        ]

    def linked(self, clause: int) -> bool:
        """Whether only cue clauses and subordinate clauses lie between that clause and the value's."""
        first, last = self.clauses[0], self.clauses[-1]
        between = range(clause + 1, first) if clause < first else range(last + 1, clause)
        return all(self.analysis.clauses[i].conj in ("time", "condition") or self.analysis.cue_only(i) for i in between)

    def reached_by(self, match: Match, *, prefix: bool = False) -> bool:
        """Whether what this cue says (a hedge, a report, a wish) is said of the value.

        With ``prefix`` the cue governs only what follows it, as "he said" does.
        """
        analysis = self.analysis
        clause = analysis.clause_of(match)
        first, last = self.clauses[0], self.clauses[-1]
        if clause in self.clauses:
            if len(self.clauses) > 1 and _deep_in_subordinate(analysis.clauses[clause], match):
                return False
            return not prefix or match.start < self.start or match.end >= analysis.clauses[clause].end - 1
        if not analysis.same_sentence(clause, first):
            return not prefix and clause > last and analysis.bare_neighbour(clause, first)
        if clause < first:
            if _deep_in_subordinate(analysis.clauses[clause], match):
                return False
            governor_only = analysis.cue_only(clause)
            colon = match.group == "report" or match.name == "label" or governor_only
            span = range(clause + 1, first + 1)
            if governor_only and match.group == "hedge" and match.name == "think" and first == clause + 1:
                return True  # "not sure, but …" still is not sure
            splice = match.group == "hedge" and not governor_only and analysis.clauses[clause].verb
            return not any(
                self.resumes(i, clause, governor_only=governor_only, colon=colon, splice=splice) for i in span
            )
        if match.group == "denial" or not analysis.cue_only(clause):
            return False
        return self.linked(clause) or all(not analysis.clauses[i].verb for i in range(last + 1, clause))

    def resumes(self, index: int, governor: int, *, governor_only: bool, colon: bool, splice: bool = False) -> bool:
        """Whether this clause speaks for itself again, out of the reach of the clause before it.

        ``governor_only`` says that the earlier clause is nothing but the cue, ``colon`` that a colon carries on,
        ``splice`` that a comma between two whole clauses separates what they say.
        """
        analysis = self.analysis
        clause = analysis.clauses[index]
        stands = self.has_standing(index)
        own = analysis.words[clause.head] in analysis.matcher.words("self")
        if clause.conj == "contrast":
            return True
        if clause.sep == ";":
            return True
        if clause.sep == ":":
            if analysis.has(analysis.clauses[index - 1], analysis.matcher.words("decisions")):
                return True
            return stands and not (colon and index == governor + 1)
        if clause.conj == "reason":
            return stands
        if clause.conj == "and":
            return stands and own
        if clause.conj:
            return False
        if clause.sep in ("—", "("):
            return clause.verb
        if governor_only and index == governor + 1:
            return False
        return stands or ((own or splice) and clause.verb)

    def has_standing(self, clause: int) -> bool:
        """Whether a standing cue begins in that clause."""
        return clause in self.analysis.standing_clauses


def _deep_in_subordinate(clause: Clause, match: Match) -> bool:
    """Whether the cue stands inside a subordinate clause, not at its head: "even if it seems odd, always …"."""
    return clause.conj in ("condition", "time", "reason") and match.start > clause.head


_RANK = {
    "from-now-on": 5,
    "each-time": 4,
    "always": 4,
    "never": 4,
    "rule": 3,
    "we-use": 3,
    "is-now": 2,
    "lives-goes": 2,
}


def scenes(analysis: Analysis, focus: tuple[int, int] | None, value: str) -> Sequence[Scene]:
    """The value's occurrences: those inside the quote, else all, else the quote itself, else the whole text.

    Without a value it is the words of forgetting, where there are any, that are read.
    """
    found = placed(analysis, focus, value)
    if found is not None:
        return found
    whole = _scene(analysis, *(focus or (0, len(analysis.text))))
    return [whole] if whole else []


@lru_cache(maxsize=1024)
def placed(analysis: Analysis, focus: tuple[int, int] | None, value: str) -> Sequence[Scene] | None:
    """The value's occurrences, those inside the quote where there are any; None where it stands nowhere."""
    spans = list(occurrences(analysis.text, value)) if value.strip() else _forgetting(analysis)
    if focus:
        spans = [s for s in spans if s[0] < focus[1] and s[1] > focus[0]] or spans
    return [scene for scene in (_scene(analysis, *span) for span in spans[:_MOST]) if scene] if spans else None


def _forgetting(analysis: Analysis) -> list[tuple[int, int]]:
    tokens = analysis.tokens
    return [(tokens.starts[m.start], tokens.ends[m.end - 1]) for m in analysis.matches("forget")]


_MOST = 6


def _scene(analysis: Analysis, start: int, end: int) -> Scene | None:
    tokens = analysis.tokens
    first = bisect_right(tokens.ends, start)
    last = max(bisect_left(tokens.starts, end), first + 1)
    if first >= len(tokens.words):
        return None
    clause_of = analysis.layout.clause_of
    return Scene(analysis, first, last, range(clause_of[first], clause_of[min(last, len(clause_of)) - 1] + 1))


def fold(text: str) -> str:
    """Case and width folded, one form for apostrophes, as long as the text itself."""
    if text.isascii():
        return text.lower()
    return "".join(_fold_char(c) for c in text)


def _fold_char(char: str) -> str:
    if char in "’‘":
        return "'"
    folded = normalize("NFKC", char).casefold()
    return folded if len(folded) == 1 else char


def occurrences(text: str, value: str) -> Iterator[tuple[int, int]]:
    """The spans in which the value stands in the text as a whole word or path, mark-up and line breaks aside."""
    wanted = " ".join(fold(value).split())
    haystack = fold(text)
    found = list(_find(haystack, wanted))
    if found:
        yield from found
        return
    wanted = " ".join("".join(c for c in wanted if c not in _DROPPED).split()).strip(".,;:!?")
    kept = [
        i for i, c in enumerate(haystack) if c not in _DROPPED and not (c.isspace() and haystack[i - 1 : i].isspace())
    ]
    plain = "".join(" " if haystack[i].isspace() else haystack[i] for i in kept)
    for start, end in _find(plain, wanted):
        yield kept[start], kept[end - 1] + 1


def _find(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    if not wanted:
        return
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        open_end = wanted[-1] in _OPEN_ENDS  # a prefix stands in what it is the prefix of
        if not (_joins(text, at - 1, wanted[0]) or (not open_end and _joins(text, end, wanted[-1]))):
            yield at, end
        at = text.find(wanted, at + 1)


def _joins(text: str, at: int, edge: str) -> bool:
    """Whether the character at ``at`` makes the value a part of a longer word or path."""
    if not 0 <= at < len(text) or not edge.isascii() or not (edge.isalnum() or edge in _EDGE):
        return False
    char = text[at]
    return char.isascii() and (char.isalnum() or char in _EDGE)
