"""Whether the value holds on some days, in some place or after some event only: "on Mondays", "in CI only", "once the
migration is done".

What a name, command, branch or manager is limited to gets lost when it is kept, so it is no default. A statement keeps
its limit in its own words.
"""

from __future__ import annotations

from validators.language.phrases import Match
from validators.language.scene import Cue, Scene

_AMONG_OTHERS = frozenset({"and", "or", "too", "as", "alike", "also", "even", "both", "including", "not", "read"})
_SLACK = 1  # words between "only on" and the value that still make the value what is exclusive


def limited(scene: Scene) -> Cue | None:
    """The words that limit the value to some days or some place, or None."""
    for match in scene.analysis.matches("limit"):
        if _governs(scene, match) and not (_about_the_value(scene, match) or _no_limit(scene, match)):
            return scene.cue(match)
    return None


def awaited(scene: Scene) -> Cue | None:
    """The one event that is still to come before the value holds ("once the migration is done"), or None.

    What comes again and again ("once CI is green", "when the tests pass") is no such event.
    """
    analysis = scene.analysis
    for match in analysis.matches("await"):
        recurs = not analysis.matcher.words("recurring").isdisjoint(analysis.words[match.start : match.end])
        if not recurs and _governs(scene, match) and not _about_the_value(scene, match):
            return scene.cue(match)
    return None


def _governs(scene: Scene, match: Match) -> bool:
    """Whether the words stand in the value's clause, or in one beside it that is nothing but such a limit."""
    analysis = scene.analysis
    first, last = scene.clauses[0], scene.clauses[-1]
    if analysis.within(match, scene.clauses):
        return True
    clause = analysis.clause_of(match)
    if not analysis.same_sentence(clause, first) or clause not in (first - 1, last + 1):
        return False
    here, apart = analysis.clauses[clause], analysis.clauses[max(first, clause)].conj == "contrast"
    beside = (analysis.words[i] for i in range(here.start, here.end) if not match.start <= i < match.end)
    own = match.group == "limit" and any(
        map(analysis.splitter.is_verb, beside)
    )  # "every other week somebody runs npm, …"
    return match.start <= here.head and not apart and not own


def _about_the_value(scene: Scene, match: Match) -> bool:
    """Whether the value itself is what is exclusive: "prod runs only on k8s-2"."""
    overlaps = match.start < scene.end and scene.start < match.end
    if match.name == "use-only-in":
        return False  # "we only use npm for …" holds the value before the place
    return overlaps or (match.name.startswith("only-") and 0 <= scene.start - match.end <= _SLACK)


def _no_limit(scene: Scene, match: Match) -> bool:
    """Whether the place is this repository ("in this repo only"), one of several ("on CI and locally"), no place at all
    ("read only for you"), or an occasion, which is judged elsewhere ("for this release only").
    """
    words, lexicon = scene.analysis.words, scene.analysis.matcher.words
    around = {*words[max(match.start - 1, 0) : match.start], *words[match.end : match.end + 1]}
    own = lexicon("repo_words") | lexicon("here")
    within = not own.isdisjoint(words[match.start : match.end + 1])
    once = any(m.start < match.end and match.start < m.end for m in scene.analysis.matches("one_off"))
    return (
        within or once or bool(around & _AMONG_OTHERS) or not lexicon("self").isdisjoint(words[match.start : match.end])
    )
