"""Whether the sentence limits the value to one occasion, and whether it names an end."""

from __future__ import annotations

from validators.language.analysis import Analysis
from validators.language.phrases import Match
from validators.language.scene import Cue, Scene

_DAYS = frozenset({"day", "period"})


def one_off(scene: Scene, standing: Match | None) -> Cue | None:
    """The words that limit the value to one occasion, or None."""
    for match in scene.analysis.matches("one_off"):
        if _reaches(scene, match) and not _excused(scene, match, standing):
            return scene.cue(match)
    return None


def request(scene: Scene) -> Cue | None:
    """The words that ask for a result now, in the value's own sentence: "and show me", "quickly"."""
    analysis = scene.analysis
    for match in analysis.matches("one_off"):
        if match.name.startswith("weak-") and analysis.same_sentence(analysis.clause_of(match), scene.clauses[0]):
            return scene.cue(match)
    return None


def dated(scene: Scene) -> Cue | None:
    """The stated end of the rule, or None."""
    analysis = scene.analysis
    for match in analysis.matches("dated"):
        clause = analysis.clause_of(match)
        if clause in scene.clauses:
            return scene.cue(match)
        if not analysis.same_sentence(clause, scene.clauses[0]):
            if clause < scene.clauses[0] and _points_back(scene):
                return scene.cue(match)
            continue
        low, high = sorted((clause, scene.clauses[0]))
        if any(analysis.clauses[i].conj == "contrast" for i in range(low + 1, high + 1)):
            continue
        host = clause
        while host and analysis.clauses[host].conj == "time" and not analysis.clauses[host].sep:
            host -= 1  # "until friday" belongs to the clause that it continues
        beside = host not in scene.clauses and _own_statement(analysis, host, match)
        if beside and not _passing(analysis, host):
            continue
        return scene.cue(match)._replace(rule="dated.reason") if beside else scene.cue(match)
    return None


def _own_statement(analysis: Analysis, index: int, match: Match) -> bool:
    """Whether the clause that names the end says something of its own: "…, I am at the fair until friday"."""
    clause = analysis.clauses[index]
    if match.start <= clause.head or not clause.verb or _coordinated(analysis, index):
        return False
    head = analysis.words[clause.head]
    return head in analysis.matcher.words("speakers") or head not in analysis.matcher.words("pronouns")


def _passing(analysis: Analysis, index: int) -> bool:
    """Whether the clause tells a state that passes: "Ines is away until friday"."""
    clause = analysis.clauses[index]
    lexicon = analysis.matcher.words
    return analysis.has(clause, lexicon("be")) and analysis.has(clause, lexicon("transient") | lexicon("absences"))


def _points_back(scene: Scene) -> bool:
    """Whether "until then" in the value's sentence takes up an end that a sentence before it has named."""
    return any(m.name == "until-then" and _reaches(scene, m) for m in scene.analysis.matches("one_off"))


def _reaches(scene: Scene, match: Match) -> bool:
    """Whether the occasion that this cue names is the occasion of the value."""
    analysis = scene.analysis
    clause = analysis.clause_of(match)
    first, last = scene.clauses[0], scene.clauses[-1]
    if clause in scene.clauses:
        return True
    if not analysis.same_sentence(clause, first):
        return analysis.bare_neighbour(clause, first)
    if match.name.startswith("sentence-"):
        return True
    here = analysis.clauses[clause]
    if clause < first and not here.sep and clause and analysis.same_sentence(clause - 1, clause):
        return False  # it belongs to the clause that it continues: "i have five minutes before the call, …"
    if analysis.cue_only(clause) or (here.conj in ("time", "condition") and match.start <= here.head):
        return scene.linked(clause) or (clause < first and _frames(analysis, clause, first))
    if clause < first:
        between = range(clause + 1, first + 1)
        chained = all(_coordinated(analysis, i) and not _ruled(analysis, i) for i in between)
        if chained and (match.start <= here.head or not analysis.clauses[first].verb or _orders(analysis, first)):
            return True  # "skip the container for this run and start it with …"
        return _state_of_affairs(scene, clause)
    taken_up = clause == last + 1 and analysis.has(here, ("it", "them")) and not here.conj
    if taken_up and scene.standing() is None:
        return True  # "I'm in the middle of src/mixer, don't touch it for now"
    if all(_coordinated(analysis, i) and not scene.has_standing(first) for i in range(last + 1, clause + 1)):
        return True
    return _state_of_affairs(scene, clause)


def _ruled(analysis: Analysis, index: int) -> bool:
    """Whether a clause has a standing cue of more weight than "run it with"."""
    return any(m.name != "run-with" and analysis.clause_of(m) == index for m in analysis.matches("standing"))


def _orders(analysis: Analysis, index: int) -> bool:
    """Whether a clause is an order: "and start it"."""
    head = analysis.words[analysis.clauses[index].head]
    return (
        head in analysis.splitter.verbs and not head.endswith(("s", "ed")) and head not in analysis.matcher.words("aux")
    )


def _state_of_affairs(scene: Scene, clause: int) -> bool:
    """Whether a neighbouring clause gives a passing state as the reason: "ask Sam, Ines is away this week"."""
    analysis = scene.analysis
    first, last = scene.clauses[0], scene.clauses[-1]
    standing = scene.standing()
    if clause not in (first - 1, last + 1) or (standing is not None and standing.name != "run-with"):
        return False
    here, ours = analysis.clauses[clause], analysis.clauses[first]
    if clause == first - 1 and analysis.words[ours.start] == "so":
        return True
    mine = standing is None and analysis.words[here.head] in analysis.matcher.words("speakers")
    return (mine or _passing(analysis, clause)) and here.conj in ("", "reason")


def _frames(analysis: Analysis, clause: int, first: int) -> bool:
    """Whether an opening "for this release," still holds for a later clause of the sentence."""
    opening = clause == 0 or not analysis.same_sentence(clause - 1, clause)
    return opening and not any(analysis.clauses[i].conj == "contrast" for i in range(clause + 1, first + 1))


def _coordinated(analysis: Analysis, index: int) -> bool:
    """Whether a clause hangs on the one before it by "and" without a subject of its own."""
    clause = analysis.clauses[index]
    if clause.conj != "and" and clause.verb:
        return False
    head = analysis.words[clause.head]
    return head not in analysis.matcher.words("pronouns") and head not in analysis.matcher.words("self")


def _excused(scene: Scene, match: Match, standing: Match | None) -> bool:
    """Whether the cue dates something else: a decision, the move itself, a precondition."""
    analysis = scene.analysis
    if match.name.startswith("weak-"):
        plain_order = match.name == "weak-here-only" and standing is not None and standing.name == "run-with"
        return standing is not None and not plain_order
    clause = analysis.clauses[analysis.clause_of(match)]
    if match.name in _DAYS:
        changes = analysis.matcher.words("state_change")
        return any(word in changes for word in analysis.words[clause.start : clause.end])
    if match.name == "for-now" and scene.start < match.start and match.end <= scene.end:
        return analysis.words[match.end - 1] in analysis.matcher.words("periods")  # "sessions last for one hour, …"
    if match.name == "this-one":
        if analysis.words[match.start - 1 : match.start + 1] == ["read", "only"]:
            return True  # "infra/ is read only for you"
        repos = analysis.matcher.words("repo_words")  # "the backend repo is on poetry, but in this one …"
        return analysis.words[match.end - 1] == "one" and any(w in repos for w in analysis.words[: match.start])
    if match.name == "until-event":
        main = analysis.clauses[scene.clauses[0]]
        forbids = any(main.start <= m.start < main.end for m in analysis.matches("negate"))
        return forbids and analysis.has(clause, analysis.matcher.words("approvals"))
    return False


def observed(scene: Scene) -> Cue | None:
    """ "`make e2e` takes 20 minutes", "there is a `make eunit`": what somebody has seen of it."""
    analysis = scene.analysis
    words, lexicon = analysis.words, analysis.matcher.words
    clause = analysis.clauses[scene.clauses[-1]]
    end = next((i for i in range(scene.end, clause.end) if words[i] not in lexicon("adverbs")), clause.end)
    if end < clause.end and words[end] in lexicon("seen"):
        return Cue(analysis.quote(end, end + 1), "seen.did")
    if end + 1 < clause.end and words[end] in lexicon("be") and words[end + 1] in lexicon("states"):
        return Cue(analysis.quote(end, end + 2), "seen.is")
    if scene.start >= 3 and words[scene.start - 3 : scene.start - 1] == ["there", "is"]:
        return Cue(analysis.quote(scene.start - 3, scene.end), "seen.there")
    around = [*words[clause.start : scene.start], *words[scene.end : clause.end]]
    said = any(word in lexicon("assertive") for word in around) or not any(map(analysis.splitter.is_verb, around))
    english = len(analysis.matcher.languages) == 1 and lexicon("assertive")  # the words of one language say it all
    if english and not said and clause.start <= scene.start:
        return Cue(analysis.quote(clause.start, clause.end), "seen.mentioned")  # "bun looks promising"
    return None


def past_event(scene: Scene, standing: Match | None) -> Cue | None:
    """ "I deployed production from release-5.14", "the rollout died at 3 am": one past act, no rule."""
    if standing is not None and standing.name != "run-with":
        return None
    analysis = scene.analysis
    words, lexicon = analysis.words, analysis.matcher.words
    clause = analysis.clauses[scene.clauses[0]]
    for at in range(clause.head + 1, clause.end):
        inside = scene.start <= at < scene.end
        if words[at] in lexicon("outcomes") and words[at - 1] not in lexicon("passives") and not inside:
            return Cue(analysis.quote(at, at + 1), "one_off.past-event")
    dated = analysis.has(clause, lexicon("past_marks"))
    for at in range(scene.end, clause.end):  # "Olga reviewed the docs change yesterday"
        acted = words[at] in lexicon("event_verbs") or (len(words[at]) > 4 and words[at].endswith("ed"))
        told = words[at] in lexicon("state_change") or words[at - 1] in lexicon("passives")
        if dated and acted and not told:
            return Cue(analysis.quote(at, at + 1), "one_off.past-event")
    for at in range(clause.start, min(scene.start, clause.end)):
        if dated and words[at] in lexicon("past_states") and words[at - 1] not in lexicon("speakers"):
            return Cue(analysis.quote(at, at + 1), "one_off.past-event")  # "production went out from x yesterday"
        if words[at] not in lexicon("event_verbs"):
            continue
        before = words[max(clause.start, at - 3) : at]
        if any(word in lexicon("passives") for word in before):
            continue
        if words[at] == "used" and (words[at + 1] == "to" or not analysis.has(clause, lexicon("past_marks"))):
            continue
        actor = at == clause.head or (before and (before[-1] in lexicon("actors") or analysis.tokens.capital(at - 1)))
        if actor or analysis.has(clause, lexicon("past_marks")):
            return Cue(analysis.quote(max(clause.start, at - 1), at + 1), "one_off.past-event")
    return None
