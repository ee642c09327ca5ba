"""Whether this very value is negated: "not npm, pnpm", "we moved off develop", "npm is banned"."""

from __future__ import annotations

from validators.language.analysis import Analysis
from validators.language.phrases import Match
from validators.language.scene import Cue, Scene

_NEXT_REACH = 4  # words that may stand between "not" or "instead of" and the value
_AFTER_REACH = 3  # words that may stand between the value and "is banned"
_PAST = frozenset({"was", "were"})
_PAST_STAYS = frozenset(
    "moved renamed replaced set changed decided agreed always along start since migrated switched been made built "
    "told asked said supposed meant".split()
)


def negated(scene: Scene) -> Cue | None:
    """The words that negate the value, or None. For values that are names, commands, paths or branches."""
    analysis = scene.analysis
    before = [] if _double(scene) else [*analysis.matches("negate"), *analysis.matches("negate_next")]
    for match in before:
        if match.start < scene.start and _before(scene, match) and not _rhetorical(analysis, match):
            return scene.cue(match)
    for match in analysis.matches("negate_after"):
        if match.start >= scene.end and _after(scene, match):
            return scene.cue(match)
    return _moved_from(scene) or _past(scene) or _list_item(scene) or _interrupted(scene)


def named_negated(scene: Scene) -> Cue | None:
    """The words that set the value aside by name ("not src/old, …"); a ban on touching it is no such negation."""
    analysis = scene.analysis
    allowed = [m.end for m in analysis.matches("unban") if analysis.within(m, scene.clauses)]
    for match in analysis.matches("negate_next"):
        excepted = any(end <= match.start for end in allowed)  # "you can edit everything except lib/x"
        if match.start < scene.start and not excepted and _before(scene, match):
            return scene.cue(match)
    for match in analysis.matches("negate"):
        be = analysis.matcher.words("be")
        plain = analysis.words[match.end - 1] in ("not", "never")
        copular = plain and any(analysis.words[at] in be for at in (match.start, max(match.start - 1, 0)))
        between = analysis.words[
            match.end : scene.start
        ]  # "is not the src/old", but not 'the rule is "never edit main.tf"'
        near = match.end <= scene.start and len(between) < 2 and not any(map(analysis.splitter.is_verb, between))
        if copular and near and _clause(scene, match):
            return scene.cue(match)
    flipped = next((m for m in analysis.matches("flip") if _clause(scene, m) and 0 <= scene.start - m.end <= 2), None)
    if flipped and any(_clause(scene, m) and m.end <= flipped.start for m in analysis.matches("negate")):
        return scene.cue(flipped)
    return None


def permitted(scene: Scene) -> Cue | None:
    """The words that permit what a ban forbids, unless the value is excepted from the permission."""
    analysis = scene.analysis
    for match in analysis.matches("unban"):
        if not analysis.within(match, scene.clauses):
            continue
        if any(_clause(scene, m) and m.end <= match.start for m in analysis.matches("negate")):
            continue  # "nothing in there may be changed"
        excepted = any(
            match.end <= m.start < scene.start and analysis.within(m, scene.clauses)
            for m in (*analysis.matches("flip"), *analysis.matches("negate_next"))
        )
        if not excepted:
            return scene.cue(match)
    return None


def cut_free(scene: Scene) -> Cue | None:
    """The negation just before a statement that the quote leaves out: "we no longer [wrap errors]"."""
    analysis = scene.analysis
    clause = analysis.clauses[scene.clauses[0]]
    for match in (*analysis.matches("negate"), *analysis.matches("negate_next")):
        inside = clause.start <= match.start and match.end <= scene.start
        between = analysis.words[match.end : scene.start]
        if inside and all(word in analysis.matcher.words("adverbs") for word in between):
            return scene.cue(match)
    return None


def _double(scene: Scene) -> bool:
    """Whether a second negation takes the first one back: "never anything other than pnpm", "not without …"."""
    analysis = scene.analysis
    inside = [
        m
        for m in (*analysis.matches("negate"), *analysis.matches("negate_next"))
        if _clause(scene, m) and m.start < scene.start
    ]
    for flip in analysis.matches("flip"):
        if not _clause(scene, flip) or flip.end > scene.start:
            continue
        if any(m.end <= flip.start for m in inside) and not any(m.start >= flip.end for m in inside):
            return True
    return False


def _rhetorical(analysis: Analysis, match: Match) -> bool:
    """Whether the negation belongs to "didn't i tell you"."""
    return any(m.start <= match.start and match.end <= m.end for m in analysis.matches("rhetorical"))


def _clause(scene: Scene, match: Match) -> bool:
    return scene.analysis.clause_of(match) in scene.clauses


def _before(scene: Scene, match: Match) -> bool:
    """Whether the negation reaches the value from before it, in the same clause."""
    analysis = scene.analysis
    clause = analysis.clause_of(match)
    if clause not in scene.clauses or match.end > scene.start:
        return False
    between = range(match.end, scene.start)
    if _flipped(analysis, match, scene):
        return False
    if match.group == "negate":
        return not (match.gap and match.gap[0] <= scene.start < match.gap[1])
    if len(between) > _NEXT_REACH:
        return False
    words, stop, preposition = analysis.words, analysis.matcher.words("negation_stops"), analysis.matcher.words("links")
    return not any(
        words[i] in stop or words[i][0] == "`" or (words[i] in preposition and i > match.end) for i in between
    )


def _flipped(analysis: Analysis, match: Match, scene: Scene) -> bool:
    """Whether something between the negation and the value turns it round: "never deploy from anything but"."""
    return any(
        match.end <= m.start and m.end <= scene.start and analysis.clause_of(m) in scene.clauses
        for m in analysis.matches("flip")
    ) or (
        # "before", "until" and "unless" begin a clause of their own
        analysis.words[analysis.clauses[scene.clauses[0]].start] in analysis.matcher.words("preconditions")
    )


def _after(scene: Scene, match: Match) -> bool:
    analysis = scene.analysis
    last = scene.clauses[-1]
    clause = analysis.clause_of(match)
    if clause != last:
        return False
    gap = analysis.words[scene.end : match.start]
    if match.name == "weak" or analysis.words[match.start] in ("anymore", "any"):
        return True
    return len(gap) <= _AFTER_REACH and not any(word in analysis.matcher.words("prepositions") for word in gap)


def _moved_from(scene: Scene) -> Cue | None:
    """ "moved from develop to main": the value after "from" when a verb of change comes before and "to" after."""
    analysis = scene.analysis
    words = analysis.words
    clause = analysis.clauses[scene.clauses[0]]
    at = scene.start - 1
    while at > clause.start and words[at] in analysis.matcher.words("determiners"):
        at -= 1
    if at <= clause.start or words[at] not in analysis.matcher.words("from_words") or words[at - 1] == "out":
        return None  # "releases go out from main"
    changes = analysis.matcher.words("change_verbs")
    if not any(word in changes for word in words[max(clause.start, at - _NEXT_REACH) : at]):
        return None
    rest = words[scene.end : scene.end + _AFTER_REACH]
    if not rest or any(word in analysis.matcher.words("to_words") for word in rest) or scene.end >= clause.end:
        return Cue(analysis.quote(at, scene.end), "negate.moved-from")
    return None


def _past(scene: Scene) -> Cue | None:
    """ "staging was preview-1": what was is not what is, unless it was so all along."""
    analysis = scene.analysis
    clause = analysis.clauses[scene.clauses[-1]]
    words, lexicon = analysis.words, analysis.matcher.words
    after = words[scene.end : min(scene.end + 2, clause.end)]  # "Ed did the reviews before Pim"
    made = len(after) > 1 and after[1].endswith(("ed", "en"))
    if after and after[0] in lexicon("past_after") and not made and not scene.standing():
        return Cue(analysis.quote(scene.start, scene.end + 1), "negate.past")
    for at in range(max(clause.start, scene.start - _NEXT_REACH), scene.start):
        if (
            words[at] == "used"
            and words[at + 1] != "to"
            and not analysis.has(clause, analysis.matcher.words("passives"))
        ):
            return Cue(analysis.quote(at, scene.end), "negate.past")
        ours = words[at - 1] in lexicon("speakers") or words[at - 1] in lexicon(
            "passives"
        )  # "we went from yarn to pnpm"
        if words[at] in lexicon("past_states") and not ours and not scene.standing():
            return Cue(analysis.quote(at, scene.end), "negate.past")
        if words[at] in _PAST and not any(w in _PAST_STAYS for w in words[clause.start : clause.end]):
            return Cue(analysis.quote(at, scene.end), "negate.past")
    return None


def _interrupted(scene: Scene) -> Cue | None:
    """ "we do not, under any circumstances, use npm": a negation that waits for its verb behind an insertion."""
    analysis = scene.analysis
    first = scene.clauses[0]
    if analysis.words[analysis.clauses[first].head] not in analysis.matcher.words("verbs"):
        return None
    for match in analysis.matches("negate"):
        clause = analysis.clause_of(match)
        dangling = clause < first and match.end == analysis.clauses[clause].end
        aside = not any(analysis.clauses[i].verb for i in range(clause + 1, first))
        if dangling and aside and analysis.same_sentence(clause, first):
            return scene.cue(match)
    return None


def _list_item(scene: Scene) -> Cue | None:
    """ "don't use npm, yarn or bun": a further item of a negated list."""
    analysis = scene.analysis
    index = scene.clauses[0]
    clause = analysis.clauses[index]
    if clause.verb or index == 0 or not analysis.same_sentence(index - 1, index) or clause.conj == "contrast":
        return None
    joins = {"or", "nor", "oder", "o", "ou", "ni", "nem"}
    if not any(word in joins for word in analysis.words[clause.start : clause.end]):
        return None
    for match in (*analysis.matches("negate"), *analysis.matches("negate_next")):
        if analysis.clause_of(match) == index - 1:
            return scene.cue(match)
    return None
