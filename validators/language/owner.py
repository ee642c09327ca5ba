"""Whose statement it is: this repository's, another one's, another team's or job's, or a person's own habit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from validators.language.analysis import Analysis
from validators.language.phrases import Match
from validators.language.scene import Cue, Scene

_NAME_REACH = 4  # words of a name before "repo" or "team"
_OTHER_THAN = 3  # words before the name among which "unlike" or "copied from" is looked for
_VERB_SIGNS = 2
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9._-]*")  # owner/name
_SHORT = 3  # letters of "is", "has", "was": no habit


class Marker(NamedTuple):
    """A mention of an owner at the words [start, end). ``owner`` is empty for this repository.

    ``frame`` says that it sets the scene for what follows ("in the docs repo, …"), as against being a subject;
    ``mention`` that it is only named there, for a later "there" or "it" to take up.
    """

    start: int
    end: int
    owner: str
    frame: bool
    rule: str
    mention: bool = False


def owner(scene: Scene) -> Cue | None:
    """The other owner that the value belongs to by the sentence, or None. Its name is the cue's ``owner``."""
    analysis = scene.analysis
    markers = sorted(_markers(scene), key=lambda m: m.start)
    if not markers:
        return None
    by_clause: dict[int, list[Marker]] = {}
    for marker in markers:
        by_clause.setdefault(analysis.layout.clause_of[marker.start], []).append(marker)
    for index in scene.clauses:
        found = _in_clause(scene, [m for m in by_clause.get(index, []) if not m.mention])
        if found is not None:
            return _cue(analysis, found)
    return _cue(analysis, _from_before(scene, by_clause) or _from_after(scene, by_clause))


def owner_open(scene: Scene) -> Cue | None:
    """The words that leave it open whose statement it is, or None."""
    analysis = scene.analysis
    first = scene.clauses[0]
    for match in analysis.matches("open_owner"):
        if analysis.same_sentence(analysis.clause_of(match), first):
            return scene.cue(match)
    return None


def habit(scene: Scene) -> Cue | None:
    """The named person, or "he" or "she", whose own habit the clause tells; the value is not theirs to decide."""
    analysis = scene.analysis
    words, lexicon = analysis.words, analysis.matcher.words
    for index in scene.clauses:
        clause = analysis.clauses[index]
        for at in range(clause.head + 1, min(clause.head + 5, clause.end)):
            third = len(words[at]) > _SHORT and words[at].endswith("s") and words[at] not in lexicon("adverbs")
            if words[at] not in lexicon("habit_verbs") and not (third and words[clause.head] in lexicon("names")):
                continue
            subject = [i for i in range(clause.head, at) if words[i] not in lexicon("adverbs")]
            within = bool(subject) and scene.start <= subject[-1] and at < scene.end  # "Jonas always prefers classes"
            before = bool(subject) and (subject[-1] < scene.start or within)
            if before and _person(analysis, subject[-1], clause.head):
                return Cue(analysis.quote(clause.head, at + 1), "habit.person", words[subject[-1]])
            if before and words[at] in lexicon("taste_verbs") and words[subject[-1]] not in lexicon("self"):
                return Cue(analysis.quote(clause.head, at + 1), "habit.taste", words[subject[-1]])
    for match in analysis.matches("habit"):
        seen = any(word in lexicon("seen") for word in words[scene.end : match.start])  # "jest takes ages on my laptop"
        if analysis.clause_of(match) in scene.clauses and not seen:
            return scene.cue(match, analysis.quote(match.start, match.end))
    return None


def _person(analysis: Analysis, at: int, head: int) -> bool:
    word, lexicon = analysis.words[at], analysis.matcher.words
    if word in ("he", "she") or word in lexicon("relatives") or word in lexicon("names"):
        return True
    inside = at > head or head > 0
    return inside and analysis.tokens.capital(at) and word.isalpha() and word not in lexicon("not_people")


def _cue(analysis: Analysis, marker: Marker | None) -> Cue | None:
    if marker is None or not marker.owner:
        return None
    return Cue(analysis.quote(marker.start, marker.end), marker.rule, marker.owner)


def _in_clause(scene: Scene, markers: list[Marker]) -> Marker | None:
    """The marker that decides inside the value's own clause: the nearest."""
    if not markers:
        return None
    return min(markers, key=lambda m: min(abs(m.start - scene.end), abs(m.end - scene.start)))


def _from_before(scene: Scene, by_clause: dict[int, list[Marker]]) -> Marker | None:
    """The owner that an earlier clause of the sentence has named and that nothing has ended since."""
    analysis = scene.analysis
    first = scene.clauses[0]
    ours = _speaks_for_us(analysis, first) and not _refers_back(analysis, first)
    contrast = analysis.clauses[first].conj == "contrast"
    for index in range(first - 1, -1, -1):
        if not analysis.same_sentence(index, first) or analysis.clauses[index + 1].sep == ";":
            return None
        markers = by_clause.get(index, [])
        frames = [m for m in markers if m.frame]
        for marker in reversed(frames or markers):
            if marker.mention and not _refers_back(analysis, first):
                continue
            if marker.mention:
                return None if contrast else marker
            if marker.frame:
                return None if contrast else marker
            return None if ours or contrast else marker
        contrast = contrast or analysis.clauses[index].conj == "contrast"
    return None


def _from_after(scene: Scene, by_clause: dict[int, list[Marker]]) -> Marker | None:
    """The owner in a clause without a verb right after the value's: "we use yarn, over in the mobile repo"."""
    analysis = scene.analysis
    index = scene.clauses[-1] + 1
    if index >= len(analysis.clauses) or not analysis.same_sentence(index, scene.clauses[-1]):
        return None
    clause = analysis.clauses[index]
    markers = by_clause.get(index, [])
    words, lexicon = analysis.words, analysis.matcher.words
    told = words[clause.head] in ("that", "it", "this", "those", "they") and words[clause.head + 1] in lexicon("be")
    if (
        markers
        and told
        and clause.head < markers[0].start <= clause.head + _VERB_SIGNS
        and clause.end > clause.head + 1
    ):
        return markers[0]  # "…, but that's a different repo"
    trailing = markers and markers[0].start - clause.head <= _VERB_SIGNS and clause.conj != "contrast"
    afterthought = not clause.verb or analysis.words[clause.end - 2 : clause.end] == ["that", "is"]
    return markers[0] if trailing and afterthought and clause.conj == "" else None


def _speaks_for_us(analysis: Analysis, index: int) -> bool:
    """Whether the clause has us, or an order to the agent, as its subject."""
    clause = analysis.clauses[index]
    head = analysis.words[clause.head]
    order = head in analysis.matcher.words("verbs") and head not in analysis.matcher.words("aux")
    return head in analysis.matcher.words("self") or (clause.verb and order and not head.endswith("s"))


def _refers_back(analysis: Analysis, index: int) -> bool:
    """Whether the clause takes up an owner named before it: "there", or "it" and "they" as its subject."""
    clause = analysis.clauses[index]
    words = analysis.words[clause.start : clause.end]
    if words and analysis.words[clause.head] in ("it", "they"):
        return True
    return any(
        word == "there" and (at + 1 == len(words) or words[at + 1] not in analysis.matcher.words("be"))
        for at, word in enumerate(words)
    )


def _markers(scene: Scene) -> Iterator[Marker]:
    analysis = scene.analysis
    for match in here(analysis):
        yield Marker(match.start, match.end, "", frame=True, rule="here.here")
    for match in analysis.matches("elsewhere"):
        clause = analysis.clauses[analysis.clause_of(match)]
        relative = analysis.words[clause.head] in ("which", "that")
        frame = match.start <= clause.head + 1 or not clause.verb or relative
        name = analysis.quote(match.start, match.end)
        part = scene.start < match.start and match.end <= scene.end
        apart = _compared(analysis, match.start) or _only_source(analysis, match.start, match.name)
        if not apart and not part and not _left_open(analysis, match.start, match.end):
            yield Marker(match.start, match.end, name, frame, f"elsewhere.{match.name}")
    telling = analysis.matcher.words("repo_words", "team_words", "far")
    for at, word in enumerate(analysis.words):
        if word in telling or "-" in word or "/" in word:
            marker = _named_owner(scene, at)
            if marker:
                yield marker


def here(analysis: Analysis) -> Iterator[Match]:
    """The words that name this repository as the place, but for those that only set it aside: "(not this one)"."""
    for match in analysis.matches("here"):
        if match.start == 0 or analysis.words[match.start - 1] != "not":
            yield match


def _left_open(analysis: Analysis, start: int, end: int) -> bool:
    """Whether the name is one of several that the sentence leaves open: "one of those repos"."""
    return any(m.start < end and start < m.end for m in analysis.matches("open_owner"))


def _only_source(analysis: Analysis, at: int, name: str) -> bool:
    """Whether the other owner is only where something came from, or whose thing it is, not where it holds."""
    before = analysis.words[at - 1] if at else ""
    return name == "other" and before in ("from", "to", "by")


def _named_owner(scene: Scene, at: int) -> Marker | None:
    """The owner named by "the mobile repo", "in the docs repo", "the mobile team", when this word ends it."""
    analysis = scene.analysis
    words, lexicon = analysis.words, analysis.matcher.words
    word = words[at]
    subject = words[at + 1 : at + 2] and words[at + 1].endswith("s") and analysis.splitter.is_verb(words[at + 1])
    placed = (at > 0 and words[at - 1] in lexicon("locations")) or subject
    if word.count("/") == 1 and _SLUG.fullmatch(word) and placed and not scene.start <= at < scene.end:
        return Marker(at, at + 1, word, frame=not subject, rule="elsewhere.slug")
    if word in lexicon("far") and _names_place(analysis, at):
        return Marker(at, at + 3, words[at + 2], frame=True, rule="elsewhere.over-in")
    if _is_repo_url(word):
        return Marker(at, at + 1, word, frame=True, rule="elsewhere.url")
    compound, _, tail = word.rpartition("-")
    if compound and tail in lexicon("repo_words"):  # "im Docs-Repo", "the docs-repo"
        return Marker(at, at + 1, compound, frame=True, rule="elsewhere.repo")
    team = word in lexicon("team_words")
    if (not team and word not in lexicon("repo_words")) or words[at - 1] in lexicon("project_hosts"):
        return None  # "our sentry project" is an account of ours there
    own = lexicon("own_modifiers")
    clause = analysis.clauses[analysis.layout.clause_of[at]]
    begin = at
    first = max(clause.start, at - _NAME_REACH, *(m.end for m in analysis.matches("compare") if m.end <= at), 0)
    while begin > first and _part_of_name(analysis, begin - 1):
        begin -= 1
        if words[begin] in lexicon("determiners") & own and words[begin - 1] not in lexicon("name_links"):
            break  # "we build this project": the name begins here
    name = [words[i] for i in range(begin, at) if words[i] not in own and words[i] != "'s"]
    linked = at + 2 < clause.end and words[at + 1] in lexicon("name_links") and not name
    if linked and words[at + 2] not in lexicon("determiners") and words[at + 2] not in own:  # "el repo de docs"
        name = [words[at + 2]]
    follows = at + 1 < clause.end and word in lexicon("name_follows") and not name
    if follows and _part_of_name(analysis, at + 1) and words[at + 1] not in own:  # "le dépôt docs"
        name = [words[at + 1]]
    if not name or (scene.start < at + 1 and scene.end > begin):
        return None
    if _left_open(analysis, begin, at + 1) or (clause.head + 1 < begin and scene.start < begin and at < scene.end):
        return None
    before = words[begin - 1] if begin > clause.start else ""
    located = before in lexicon("locations") or (before == "" and words[begin] in lexicon("locations"))
    subject = begin <= clause.head + 1
    possessed = at + 1 < clause.end and words[at + 1] == "'s"
    if _compared(analysis, begin) or (at + 1 < clause.end and words[at + 1] in lexicon("say")):
        return None
    placed = located or subject or possessed
    if not placed or (team and not subject and before not in ("in", "at", "on")):
        if team:
            return None
        sets_scene = clause.conj in ("condition", "time")
        return Marker(begin, at + 1, " ".join(name), sets_scene, "elsewhere.repo", mention=not sets_scene)
    frame = located and (begin <= clause.head + _VERB_SIGNS or not clause.verb)
    frame = frame or (at + 1 == clause.end and words[at + 1 : at + 2] == [":"])  # "firmware repo: build with …"
    return Marker(begin, at + 1, " ".join(name), frame, "elsewhere.team" if team else "elsewhere.repo")


def _names_place(analysis: Analysis, at: int) -> bool:
    """Whether "over" begins "over in payments-api"."""
    clause = analysis.clauses[analysis.layout.clause_of[at]]
    words, lexicon = analysis.words, analysis.matcher.words
    if at + 2 >= clause.end or words[at + 1] not in lexicon("locations"):
        return False
    name = words[at + 2]
    return name not in lexicon("determiners") and name not in lexicon("own_modifiers") and name not in lexicon("here")


def _part_of_name(analysis: Analysis, at: int) -> bool:
    words, lexicon = analysis.words, analysis.matcher.words
    word = words[at]
    if word in lexicon("determiners") or word in lexicon("own_modifiers"):
        return word not in lexicon("locations")
    return not (
        word in lexicon("locations")
        or word in analysis.splitter.conjunctions
        or word in lexicon("aux")
        or word in lexicon("fillers")
        or word in lexicon("prepositions")
        or word in lexicon("pronouns")
        or word in lexicon("adverbs")
        or (
            analysis.splitter.is_verb(word)
            and word not in lexicon("noun_like")
            and words[at - 1] not in lexicon("determiners")  # "the go services team"
        )
        or word[0] == "`"
    )


def _compared(analysis: Analysis, begin: int) -> bool:
    """Whether "unlike", "same as" or "copied from" stands before the name: a comparison, not a place."""
    return any(0 <= begin - m.end <= _OTHER_THAN - _VERB_SIGNS for m in analysis.matches("compare"))


def _is_repo_url(word: str) -> bool:
    return word.startswith(
        ("github.com/", "gitlab.com/", "bitbucket.org/", "https://github.com/", "https://gitlab.com/")
    )
