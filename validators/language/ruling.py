"""Whether words state a rule or a lasting state, or only report, ask for work or name a thing.

"no default exports" states a rule; "the page is blank", "fix the login" and "error handling" do not.

Asked of statements in the developer's own words. A standing cue is enough; else the words need the shape of a rule: a
ban, a duty, a taste, what "we" do, what every one of a kind is, a general order, or where something lasting is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.language.analysis import Analysis, analyse
from validators.language.clauses import Clause
from validators.language.phrases import Match
from validators.language.reading import window
from validators.language.scene import Scene, scenes

if TYPE_CHECKING:
    from policy.model import Policy

_TELL = frozenset({"is-now", "lives-goes", "we-use"})  # standing cues that tell how a thing is, good or bad
_PAST = frozenset({"since", "forever"})
_LASTING = ("rule_lasting", "rule_serves", "rule_counted", "rule_verbs", "be")  # classes of verbs that tell a state
_FEW = 3  # words at a clause's head among which the verb of a kind stands: "temporary files go"


def is_rule(text: str, focus: tuple[int, int] | None, value: str, *, subject: str, policy: Policy) -> bool:
    """Whether the sentence states the value as a rule or a lasting state. In a language whose lexicon does not know the
    shapes of rules, in words of several languages, and in filler, only an explicit cue is understood.

    ``subject`` is what the value is about, where its type wants one: something is said of it, or nothing is.
    """
    text, focus = window(text, focus)
    analysis = analyse(text, policy.folders)
    found = scenes(analysis, focus, value)
    if len(analysis.matcher.languages) != 1 or not analysis.matcher.words("rule_orders"):
        return any(scene.standing() for scene in found)
    about = frozenset(subject.split())
    return any((_ruled(scene) or _said_of(scene, about)) and not _empty(scene) for scene in found)


def _empty(scene: Scene) -> bool:
    """Whether the value only encourages, or tells an attitude or what people do together."""
    return any(
        match.name == "statement-empty" and scene.analysis.clause_of(match) in scene.clauses
        for match in scene.analysis.matches("states")
    )


def _said_of(scene: Scene, about: frozenset[str]) -> bool:
    """Whether a clause of the value says something lasting of the subject: "billing belongs to team atlas", but not
    "the spinner eats the last line".
    """
    analysis = scene.analysis
    aside = analysis.matcher.words("pronouns", "rule_tasks")
    lasting = analysis.matcher.words(*_LASTING)
    for clause in (analysis.clauses[i] for i in scene.clauses):
        if clause.conj in ("condition", "time"):
            continue
        said = analysis.words[clause.head : clause.end]
        if about & set(said) and said[0] not in aside and lasting & set(said) and not _complains(analysis, clause):
            return len(said) > len(about) + 1
    return False


def _ruled(scene: Scene) -> bool:
    analysis, first, standing = scene.analysis, scene.clauses[0], scene.standing()
    clauses = [analysis.clauses[i] for i in scene.clauses]
    if standing is not None and standing.name != "run-with":
        tells = standing.name in _TELL
        if not tells and analysis.words[standing.start] not in _PAST:
            return not any(_symptom(analysis, clause) for clause in clauses)
        if tells and not any(_complains(analysis, clause) for clause in clauses):
            return True
    if any(_ours(analysis, clause) or _numbered(analysis, clause) for clause in clauses):
        return True
    if any(_general(analysis, i) for i in scene.clauses):
        return True
    introduced = range(max(first - 1, 0), scene.clauses[-1] + 2)  # "we decided: no orm", "no orm, that's final"
    return any(analysis.clause_of(m) in introduced and _holds(analysis, m) for m in _shapes(scene))


def _shapes(scene: Scene) -> list[Match]:
    """The shapes of a rule in the value's sentence."""
    analysis = scene.analysis
    return [m for m in analysis.matches("states") if analysis.same_sentence(analysis.clause_of(m), scene.clauses[0])]


def _holds(analysis: Analysis, match: Match) -> bool:
    """Whether the shape is that of a rule, or that of a lasting state and said of something by its name."""
    clause = analysis.clauses[analysis.clause_of(match)]
    if match.name == "statement-settled":
        return True
    if match.name == "statement-ruling":
        return not _points(analysis, clause)
    named = analysis.words[clause.head] not in analysis.matcher.words("pronouns")
    named = named and match.start > clause.head
    return match.name == "statement-lasting" and named and not _complains(analysis, clause)


def _points(analysis: Analysis, clause: Clause) -> bool:
    """Whether the clause speaks of something at hand: "these functions", but not "ensure that you …"."""
    words, at_hand = analysis.words, analysis.matcher.words("rule_at_hand")
    subjects = analysis.matcher.words("subjects")
    found = (i for i in range(clause.start, clause.end) if words[i] in at_hand)
    return any(words[i] != "that" or i + 1 >= clause.end or words[i + 1] not in subjects for i in found)


def _reports(analysis: Analysis, clause: Clause) -> bool:
    """Whether the clause tells a fault or an outcome: "the spinner never stops", "all tests pass"."""
    return analysis.has(clause, analysis.matcher.words("rule_faults"))


def _complains(analysis: Analysis, clause: Clause) -> bool:
    """Whether what the clause tells of a thing is a fault, holds in passing, or is the reason for a task: "the header
    is too tall", "the sidebar lives in three files, merge them".
    """
    if _reports(analysis, clause):
        return True
    faults = (match for match in analysis.matches("states") if match.name == "statement-fault")
    return any(analysis.clauses[analysis.clause_of(m)] is clause for m in faults) or _tasked(analysis, clause)


def _tasked(analysis: Analysis, clause: Clause) -> bool:
    """Whether the clause's sentence asks for work: "…, can you do that before lunch"."""
    tasks = (match for match in analysis.matches("states") if match.name == "statement-task")
    return any(analysis.clauses[analysis.clause_of(m)].sentence == clause.sentence for m in tasks)


def _symptom(analysis: Analysis, clause: Clause) -> bool:
    """Whether a fault is told of a thing, not forbidden: "the spinner never stops"."""
    lexicon = analysis.matcher.words
    told = analysis.words[clause.head] in lexicon("determiners", "taken_up", "rule_every")
    if analysis.words[clause.head] not in ("a", "an") and told and _fails_to(analysis, clause):
        return True
    spoken = analysis.words[clause.head] in lexicon("speakers") and analysis.has(clause, lexicon("rule_events"))
    return spoken or (told and _reports(analysis, clause))


def _fails_to(analysis: Analysis, clause: Clause) -> bool:
    """Whether a thing never does what it should: "the loading bar never reaches the end"."""
    words, lasting = analysis.words, analysis.matcher.words(*_LASTING)
    at = words.index("never", clause.start, clause.end) + 1 if analysis.has(clause, ("never",)) else clause.end
    return at < clause.end and words[at].endswith("s") and words[at] not in lasting


def _numbered(analysis: Analysis, clause: Clause) -> bool:
    """Whether something named is, runs or needs what has a number: "the database is postgres 15"."""
    words, lexicon = analysis.words, analysis.matcher.words
    counted = lexicon("rule_counted")
    verb = next((at for at in range(clause.head + 1, clause.end) if words[at] in counted), clause.end)
    if verb == clause.end or words[clause.head] in lexicon("pronouns") or _complains(analysis, clause):
        return False
    beside = [word for word in words[verb + 1 : min(verb + 1 + _FEW, clause.end)] if word not in lexicon("adverbs")]
    placed = not beside or beside[0] in lexicon("prepositions")
    return not placed and any(any(c.isdigit() for c in word) for word in beside)


def _ours(analysis: Analysis, clause: Clause) -> bool:
    """Whether the clause tells what "we" do, or what "I" like: no passing event, and nothing at hand."""
    words, lexicon = analysis.words, analysis.matcher.words
    adverbs = lexicon("adverbs")
    said = [word for word in words[clause.head : clause.end] if word not in adverbs]
    if len(said) < _FEW or said[0] not in ("we", "i"):
        return False
    who, verb, what = said[:_FEW]
    if who == "we":
        event = verb.endswith("ed") and verb not in lexicon("rule_decided")
        return verb not in lexicon("rule_not_we") and not event and not {"this", "that"} & set(said)
    if verb not in lexicon("rule_tastes"):
        return False
    at_hand = what in lexicon("rule_definite") or what in ("to", "you")
    whole = (c for c in analysis.clauses if c.sentence == clause.sentence)
    general = any(analysis.has(c, ("before", "every", "each", "all", "any")) for c in whole)
    return not at_hand or (general and not _tasked(analysis, clause))


def _conditioned(analysis: Analysis, index: int) -> bool:
    """Whether the clause follows a condition on any of a kind: "if a handler fails, log it"."""
    before = analysis.clauses[index - 1] if index else None
    return (
        before is not None
        and before.verb
        and before.conj in ("condition", "time")
        and not analysis.has(before, ("the", "this", "that", "it"))
    )


def _contrasted(analysis: Analysis, index: int) -> bool:
    """Whether the clause is set against what follows: "tabs, not spaces"."""
    after = index + 1
    return (
        after < len(analysis.clauses)
        and analysis.same_sentence(index, after)
        and analysis.words[analysis.clauses[after].start] == "not"
        and analysis.clauses[after].end - analysis.clauses[after].start > 1
    )


def _general(analysis: Analysis, index: int) -> bool:
    """Whether the clause speaks of a kind, not of one thing: an order without "the", "every …", or a bare plural."""
    words, lexicon, clause = analysis.words, analysis.matcher.words, analysis.clauses[index]
    head, rest = words[clause.head], words[clause.head + 1 : clause.end]
    definite = analysis.has(clause, lexicon("rule_definite"))
    if head in lexicon("rule_orders"):
        return bool(rest) and (not definite or _conditioned(analysis, index) or _contrasted(analysis, index))
    if _contrasted(analysis, index) and head not in lexicon("pronouns"):
        return not analysis.has(clause, lexicon("rule_definite") - {"me", "one"})
    if _reports(analysis, clause) or not rest:
        return False
    if head == "no":
        return rest[0] not in lexicon("rule_no_ban") and not {"was", "were", "yet"} & set(rest)
    if head in lexicon("rule_every"):
        pointed = _points(analysis, clause) or analysis.has(clause, ("the",))
        return not pointed and analysis.has(clause, lexicon("rule_verbs", "be", "rule_reach"))
    if not clause.verb and len(rest) > 1 and not definite and set(rest) & lexicon("rule_reach"):
        return True  # "single quotes everywhere", "semver for all packages"
    bare = (
        head not in lexicon("determiners") and head not in lexicon("pronouns") and not analysis.splitter.is_verb(head)
    )
    verb = next((i for i, word in enumerate(rest[:_FEW]) if word in lexicon("rule_verbs") or word == "are"), -1)
    plural = verb >= 0 and (words[clause.head + verb].endswith("s"))
    progress = verb >= 0 and rest[verb] == "are" and any(word.endswith("ing") for word in rest[verb + 1 : verb + 2])
    return bare and plural and not progress
