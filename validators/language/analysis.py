"""One text read once: its words, clauses and every cue of its languages. What governs what is decided elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path

from policy.lexicon import read_lexicon, read_marks
from validators.language.clauses import Clause, Layout, Splitter
from validators.language.matcher import Matcher
from validators.language.phrases import Match, Words
from validators.language.tokens import SEPARATORS, Tokens, tokenise

_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"`[^`\n]*`")
_SURE = 2  # marker words that leave no doubt about a language
_LATIN = re.compile(r"[A-Za-z]{2}")
_CUE_ONLY_SLACK = 1  # words beside its cues that a clause may have and still be nothing but cues
_COMMENTS = frozenset(
    {
        "one_off",
        "dated",
        "hedge",
        "joke",
        "report",
        "retract",
        "wish",
        "hypothesis",
        "plan",
        "tag_accept",
        "tag_confirm",
    }
)  # groups whose cues can stand alone, beside what they are about
_ADVERBIAL = frozenset({"from-now-on", "always", "each-time", "never", "rule"})  # standing cues that can, too


class Analysis:
    """A text's words, clauses and matches by group."""

    __slots__ = (
        "_only_cues",
        "clauses",
        "found",
        "layout",
        "matcher",
        "splitter",
        "standing_clauses",
        "text",
        "tokens",
        "words",
    )

    def __init__(self, tokens: Tokens, layout: Layout, matcher: Matcher, splitter: Splitter) -> None:
        self.tokens, self.text, self.words = tokens, tokens.text, tokens.words
        self.layout, self.clauses = layout, layout.clauses
        self.matcher, self.splitter = matcher, splitter
        self.found: dict[str, list[Match]] = {}
        for match in matcher.find(tokens, layout):
            self.found.setdefault(match.group, []).append(match)
        self.standing_clauses = frozenset(layout.clause_of[m.start] for m in self.matches("standing"))
        self._only_cues: dict[int, bool] = {}  # what ``cue_only`` has found out

    def matches(self, *groups: str) -> Sequence[Match]:
        """The matches of these groups, one group after the other."""
        if len(groups) == 1:
            return self.found.get(groups[0], ())
        return [match for group in groups for match in self.found.get(group, ())]

    def clause_of(self, match: Match) -> int:
        """The clause that the match begins in."""
        return self.layout.clause_of[match.start]

    def within(self, match: Match, clauses: range) -> bool:
        """Whether the match touches one of the clauses."""
        clause_of = self.layout.clause_of
        return clause_of[match.start] < clauses.stop and clause_of[match.end - 1] >= clauses.start

    def quote(self, start: int, end: int) -> str:
        """The text of the words [start, end)."""
        return self.text[self.tokens.starts[start] : self.tokens.ends[end - 1]]

    def cue_only(self, index: int) -> bool:
        """Whether a clause says nothing but cues: "just this once", "i think", "for now"."""
        known = self._only_cues.get(index)
        if known is None:
            known = self._only_cues[index] = self._cue_only(index)
        return known

    def _cue_only(self, index: int) -> bool:
        clause = self.clauses[index]
        covered = {
            at
            for group, matches in self.found.items()
            if group in _COMMENTS or group == "standing"
            for m in matches
            if (group != "standing" or m.name in _ADVERBIAL) and m.start >= clause.start and m.end <= clause.end
            for at in range(m.start, m.end)
            if m.gap is None or not m.gap[0] <= at < m.gap[1]
        }
        if not covered:
            return False
        rest = [at for at in range(clause.start, clause.end) if at not in covered]
        bare = [self.words[at] for at in rest if self.words[at] not in self.splitter.fillers]
        if any(self.splitter.is_verb(word) and word not in self.matcher.words("noun_like") for word in bare):
            return False
        return len(bare) <= _CUE_ONLY_SLACK or self._adverbial(clause)

    def _adverbial(self, clause: Clause) -> bool:
        """Whether the clause begins with an adverbial of time: "only for tomorrow's audit run"."""
        return any(m.start in (clause.start, clause.head) for m in self.matches("one_off", "dated", "standing"))

    def lone(self, group: str) -> Match | None:
        """A match of the group, when the whole text is nothing but cues."""
        covered = {at for matches in self.found.values() for m in matches for at in range(m.start, m.end)}
        found = next(iter(self.matches(group)), None)
        rest = (at for at, word in enumerate(self.words) if at not in covered and word not in SEPARATORS)
        return found if all(self.words[at] in self.splitter.fillers for at in rest) else None

    def bare_neighbour(self, clause: int, other: int) -> bool:
        """Whether the clause's sentence says nothing but cues and stands beside the other clause's sentence."""
        sentence, beside = self.clauses[clause].sentence, self.clauses[other].sentence
        if abs(sentence - beside) != 1:
            return False
        return all(self.cue_only(i) for i, c in enumerate(self.clauses) if c.sentence == sentence)

    def same_sentence(self, a: int, b: int) -> bool:
        """Whether two clauses stand in one sentence."""
        return self.clauses[a].sentence == self.clauses[b].sentence

    def has(self, clause: Clause, words: Iterable[str]) -> bool:
        """Whether one of the words stands in the clause."""
        wanted = words if isinstance(words, (set, frozenset)) else frozenset(words)
        return not wanted.isdisjoint(self.words[clause.start : clause.end])


def languages_of(text: str, folders: tuple[Path, ...]) -> tuple[str, ...]:
    """The languages whose script or marker words the text shows; English where nothing else does."""
    marks = read_marks(folders)
    prose = _CODE.sub(" ", text) if "`" in text else text
    hits = {language: 0 for language, m in marks.items() if m.words}
    languages = _languages_of_word(folders)
    for word in set(_WORD.findall(prose.lower())):
        for language in languages.get(word, ()):
            hits[language] += 1
    english = hits.pop("en", 0)
    most = max(hits.values(), default=0)
    active = [language for language, n in hits.items() if n == most > 0 and n >= min(english, 2) and n * 2 >= english]
    if not text.isascii():
        scripts = [lang for lang, m in marks.items() if any(a <= c <= z for a, z in m.script for c in text)]
        active += scripts[:1]  # kana before Han: a text with kana is Japanese
    if english or most < _SURE:
        active += ["en"] if _LATIN.search(text) or not active else []
    return tuple(active)


@cache
def _languages_of_word(folders: tuple[Path, ...]) -> dict[str, list[str]]:
    languages: dict[str, list[str]] = {}
    for language, marks in read_marks(folders).items():
        for word in marks.words:
            languages.setdefault(word, []).append(language)
    return languages


@cache
def _matcher(folders: tuple[Path, ...], languages: tuple[str, ...]) -> tuple[Matcher, Splitter]:
    matcher = Matcher([_words(folders, language) for language in languages])
    return matcher, Splitter(matcher)


@cache
def _words(folders: tuple[Path, ...], language: str) -> Words:
    return Words(read_lexicon(folders, language))


@lru_cache(maxsize=1024)
def analyse(text: str, folders: tuple[Path, ...]) -> Analysis:
    """The text's words, clauses and cues, under the lexicons of these folders."""
    matcher, splitter = _matcher(folders, languages_of(text, folders))
    tokens = tokenise(text, matcher.spelling)
    return Analysis(tokens, splitter.split(tokens), matcher, splitter)
