"""Whether the developer asserts the value: not asked, supposed, wished, joked, hedged, planned or told by others."""

from __future__ import annotations

from bisect import bisect_left

from validators.language.analysis import Analysis
from validators.language.questions import answered, question
from validators.language.scene import Cue, Scene

_BESIDE = 2  # words inside and outside of quotation marks that make a quotation, not a quoted name
_SPEAKER_REACH = 4  # words before "said" among which the speaker is looked for
_ENDORSING = frozenset({"as", "like"})
_GENERIC = frozenset(
    {"you", "someone", "anyone", "anybody", "somebody", "a", "an", "any", "something", "anything", "man"}
)
_QUOTE_MARKS = '"“„«'
_PREFIX = frozenset({"report", "denial"})


def not_asserted(scene: Scene) -> Cue | None:
    """What keeps the value from being asserted, negation aside, or None.

    A statement of several clauses is asserted where one of them is stated outright.
    """
    cue = _not_asserted(scene)
    if cue and len(scene.clauses) > 1:
        parts = (part for part in scene.parts() if not scene.analysis.cue_only(part.clauses[0]))  # not "as a rule, …"
        if any(part.standing() and not _not_asserted(part) for part in parts):
            return None
    return cue


def _not_asserted(scene: Scene) -> Cue | None:
    analysis = scene.analysis
    asked = question(scene)
    if asked:
        return asked
    joke = _joke(scene)
    if joke:
        return joke
    taken_back = _taken_back(scene)
    if taken_back:
        return taken_back
    standing = scene.standing()
    for group in ("hypothesis", "hedge", "wish", "plan", "denial"):
        for match in analysis.matches(group):
            if match.name.startswith("weak-") and standing is not None:
                continue
            if scene.reached_by(match, prefix=group in _PREFIX):
                return scene.cue(match)
    return _supposed(scene) or _future(scene) or reported(scene)


def _joke(scene: Scene) -> Cue | None:
    analysis = scene.analysis
    first = analysis.clauses[scene.clauses[0]]
    for match in analysis.matches("joke"):
        clause = analysis.clause_of(match)
        beside = clause > scene.clauses[-1] and analysis.bare_neighbour(clause, scene.clauses[0])
        if analysis.clauses[clause].sentence != first.sentence and not beside:
            continue
        if match.name.startswith("weak-") and match.end <= scene.start and _corrects(analysis, match.end):
            continue
        own = clause not in scene.clauses and match.start > analysis.clauses[clause].head + _TRAIL
        if match.name.startswith("weak-") and own and not analysis.cue_only(clause):
            continue  # "…, that question comes up every week lol" laughs at the question
        return scene.cue(match)
    return None


def _future(scene: Scene) -> Cue | None:
    """ "production will deploy from trunk once the tags are gone": not so yet."""
    analysis = scene.analysis
    clause = analysis.clauses[scene.clauses[0]]
    at = next((i for i in range(clause.start, clause.end) if analysis.words[i] in ("will", "shall")), -1)
    if at < 0 or any(m.name in ("from-now-on", "always", "never") for m in analysis.matches("standing")):
        return None
    for index in (scene.clauses[0], scene.clauses[0] - 1, scene.clauses[-1] + 1):
        beside = 0 <= index < len(analysis.clauses) and analysis.same_sentence(index, scene.clauses[0])
        if beside and analysis.words[analysis.clauses[index].head] in analysis.matcher.words("awaited"):
            return Cue(analysis.quote(at, at + 1), "plan.will")
    return None


def _supposed(scene: Scene) -> Cue | None:
    """The condition that holds nothing but the value: "if staging is on preview-1, …" says not where staging is."""
    analysis = scene.analysis
    conditions = analysis.matcher.words("conditions")
    clauses = [analysis.clauses[i] for i in scene.clauses]
    if not all(analysis.words[c.head] in conditions for c in clauses):
        return None
    if _ordered(scene):
        return None
    if any(_harmless(analysis, i) for i in scene.clauses) or answered(analysis, scene.clauses[-1]):
        return None
    before = scene.clauses[0] - 1
    required = analysis.words[clauses[0].head] == "unless" and before >= 0
    if required and any(analysis.clause_of(m) == before for m in analysis.matches("negate")):
        return None  # "nothing goes out unless it is on release/x"
    return Cue(analysis.quote(clauses[0].start, clauses[0].end), "condition.inside")


def _ordered(scene: Scene) -> bool:
    """Whether an order follows the condition without a comma: "if you touch the api always run `make lint`"."""
    analysis = scene.analysis
    words = analysis.words
    clause = analysis.clauses[scene.clauses[0]]
    if words[clause.head + 1 : clause.head + 2] != ["you"]:
        return False
    return any(
        clause.head + 2 < m.start < m.end < scene.start
        and m.name in ("always", "never")
        and words[m.end] in analysis.splitter.verbs
        and not words[m.end].endswith("s")
        and words[m.start - 1] not in analysis.matcher.words("pronouns")
        for m in analysis.matches("standing")
    )


def _corrects(analysis: Analysis, at: int) -> bool:
    """Whether a laugh is followed by "no", "not", "wrong": it laughs at a mistake, and what follows is meant."""
    words, lexicon = analysis.words[at : at + 2], analysis.matcher.words
    if words and words[0] in lexicon("tag_words") - lexicon("corrections"):
        return False  # "haha yes never touch it"
    return any(word in lexicon("corrections") for word in words)


def _taken_back(scene: Scene) -> Cue | None:
    """A later clause of the same sentence that takes the value back: "guess not", "but dropped the idea"."""
    analysis = scene.analysis
    last = scene.clauses[-1]
    for match in analysis.matches("retract"):
        clause = analysis.clause_of(match)
        near = analysis.same_sentence(clause, last) or analysis.bare_neighbour(clause, last)
        if match.name == "bare-no" and not _replaced(scene, clause):
            continue
        if clause >= last and match.start >= scene.end and near:
            return scene.cue(match)
    return None


def _replaced(scene: Scene, index: int) -> bool:
    """Whether a bare "no" right after the value puts another in its place: "npm... no, yarn"."""
    analysis = scene.analysis
    following = analysis.clauses[index + 1 : index + 2]
    if analysis.clauses[index].conj or index != scene.clauses[-1] + 1 or not following:
        return False
    other = following[0]
    plain = other.sentence == analysis.clauses[index].sentence and not other.verb and not other.conj
    return plain and analysis.words[other.head] not in analysis.splitter.fillers


def reported(scene: Scene) -> Cue | None:
    """Whose words the value is quoted from, or None where they are the developer's own, or endorsed."""
    said = _reported(scene)
    return None if said and _endorsed(scene) else said


def _endorsed(scene: Scene) -> bool:
    """Whether the value's sentence says that what is told is so: "…, and they are right"."""
    analysis, first = scene.analysis, scene.clauses[0]
    return any(analysis.same_sentence(analysis.clause_of(m), first) for m in analysis.matches("endorse"))


def _reported(scene: Scene) -> Cue | None:
    analysis = scene.analysis
    first = scene.clauses[0]
    for match in analysis.matches("report"):
        if scene.reached_by(match, prefix=True):
            return scene.cue(match)
    if _quoted(scene) or _mentioned(scene):
        return Cue(analysis.quote(scene.start, scene.end), "report.quoted")
    say = analysis.matcher.words("say")
    if say.isdisjoint(analysis.words):
        return None
    for at, word in enumerate(analysis.words):
        if word in say and analysis.same_sentence(analysis.layout.clause_of[at], first):
            cue = _said_by_other(scene, at)
            if cue:
                return cue
    return None


def _quoted(scene: Scene) -> bool:
    """Whether the value's clause is what a person is quoted with: 'Iva: "staging deploys from main"'."""
    analysis = scene.analysis
    index = scene.clauses[0]
    here, before = analysis.clauses[index], analysis.clauses[index - 1]
    if not index or here.sep != ":" or before.end != before.start + 1:
        return False
    word, lexicon = analysis.words[before.start], analysis.matcher.words
    named = word in lexicon("names") or (analysis.tokens.capital(before.start) and word not in lexicon("labels"))
    opening = analysis.text[analysis.tokens.ends[before.end - 1] : analysis.tokens.starts[here.start] + 1]
    return named and any(mark in opening for mark in _QUOTE_MARKS)


def _mentioned(scene: Scene) -> bool:
    """Whether the value stands among others' words between quotation marks: '"never edit main.tf" is a silly rule'.

    A rule that its own sentence calls one is stated ('the rule is "never edit main.tf"'), and so is a sentence that is
    quoted as a whole.
    """
    analysis, tokens = scene.analysis, scene.analysis.tokens
    start, end = tokens.starts[scene.start], tokens.ends[scene.end - 1]
    sentence = [c for c in analysis.clauses if c.sentence == analysis.clauses[scene.clauses[0]].sentence]
    low, high = tokens.starts[sentence[0].start], tokens.ends[sentence[-1].end - 1] + 1
    text = analysis.text
    for opening, closing in (("“", "”"), ("„", "“"), ("«", "»"), ('"', '"')):
        left, right = text.rfind(opening, low, start), text.find(closing, end, high)
        if left < 0 or right < 0 or (opening == closing and text.count(opening, low, left) % 2):
            continue
        inside = bisect_left(tokens.starts, right) - bisect_left(tokens.starts, left)
        before = range(sentence[0].start, bisect_left(tokens.starts, left))
        outside = len(before) + sentence[-1].end - bisect_left(tokens.starts, right + 1)
        named = any(analysis.words[at] in analysis.matcher.words("labels") for at in before)
        return not named and outside >= _BESIDE and inside - (scene.end - scene.start) >= _BESIDE
    return False


def _said_by_other(scene: Scene, at: int) -> Cue | None:
    """The speaker and the verb at this word, when it is somebody else and the value is what they said."""
    analysis = scene.analysis
    words, lexicon = analysis.words, analysis.matcher.words
    clause_index = analysis.layout.clause_of[at]
    clause = analysis.clauses[clause_index]
    if at > clause.head and words[at] in _THINGS_SAID and _ordering(analysis, clause.head):
        return None  # "avoid global state"
    if at == clause.end - 1 and words[at] == "state" and words[at - 1] in _POINTING:
        return None  # "they want to see exactly that state"
    before = words[max(clause.head, at - _SPEAKER_REACH) : at]
    if any(word in lexicon("wh") for word in before):  # "no matter what the docs say"
        return None
    if clause.conj == "time" and "you" in before:  # "before you say done, …"
        return None
    if (
        at == clause.head
        and clause_index > scene.clauses[-1]
        and clause.end - at <= _ATTRIBUTION
        and clause.end > at + 1
    ):
        named = analysis.tokens.capital(at + 1) or words[at + 1] in lexicon("determiners")
        return Cue(analysis.quote(at, clause.end), "report.said") if named and scene.linked(clause_index) else None
    if not before or words[clause.start] in _ENDORSING or words[clause.head] in _ENDORSING:
        return None
    subject = [word for word in before if word not in lexicon("adverbs") and word not in lexicon("aux")]
    speaker = lexicon("self") - lexicon("determiners")
    if any(word in speaker for word in subject[-2:]) or before[-1] in lexicon("wh"):
        return None  # "i'll only say this once"
    if words[at] in lexicon("say_only_others") and before[-1] in ("to", "not"):
        return None
    if before[-1] in lexicon("be") or before[-1] == "without":
        return None  # "it was announced", "it goes without saying"
    if before[-1] in ("to", "not", "just", "can", "should", "must", "will", "please", "let") and "you" not in before:
        return None
    cue = Cue(analysis.quote(max(clause.head, at - len(before)), at + 1), "report.said")
    speaks_of_self = scene.start >= at - len(before) and scene.end <= at  # "Bo thinks he reviews them"
    again = {*words[scene.start : scene.end], *lexicon("third_persons")}
    if speaks_of_self and any(word in again for word in words[at + 1 : clause.end]):
        return cue
    if clause_index in scene.clauses:
        return cue if at < scene.start or at >= clause.end - 2 else None
    if clause_index > scene.clauses[-1]:
        trailing = clause.end - at <= _TRAIL
        return cue if trailing and scene.linked(clause_index) else None
    rest = words[at + 1 : clause.end]
    governor_only = all(w in lexicon("adverbs") or w in lexicon("fillers") or w in lexicon("pronouns") for w in rest)
    span = range(clause_index + 1, scene.clauses[0] + 1)
    resumed = (scene.resumes(i, clause_index, governor_only=governor_only, colon=True) for i in span)
    return None if any(resumed) else cue


def _ordering(analysis: Analysis, at: int) -> bool:
    """Whether the verb at a clause's head orders: then no speaker precedes what else looks like a verb of saying."""
    word = analysis.words[at]
    return analysis.splitter.is_verb(word) and not word.endswith("s") and word not in analysis.matcher.words("speakers")


_THINGS_SAID = frozenset({"state", "states", "claim", "claims", "mention", "mentions"})  # nouns as well as verbs
_POINTING = frozenset({"that", "this", "the", "a", "same", "exact", "current"})
_ATTRIBUTION = 5  # words of "says the readme", at most
_TRAIL = 2  # words after "said" in a clause that still leave what was said to its neighbours


def conditional(scene: Scene) -> Cue | None:
    """The condition under which alone the value holds: "if CI is red, deploy from …"."""
    analysis = scene.analysis
    words = analysis.words
    if any(analysis.matches("rhetorical")):
        return None
    for index in (scene.clauses[0] - 1, scene.clauses[-1] + 1):
        if not 0 <= index < len(analysis.clauses) or not analysis.same_sentence(index, scene.clauses[0]):
            continue
        clause = analysis.clauses[index]
        first = words[clause.head]
        if first not in analysis.matcher.words("conditions"):
            continue
        if _harmless(analysis, index) or words[min(clause.head + 1, len(words) - 1)] in _GENERIC:
            continue
        if first == "unless" and index > scene.clauses[-1]:
            continue
        return Cue(analysis.quote(clause.start, clause.end), "condition.if")
    return None


def _harmless(analysis: Analysis, index: int) -> bool:
    """Whether the condition is only a manner of speaking: "if you wonder", "in case you need it"."""
    return any(analysis.within(m, range(index, index + 1)) for m in analysis.matches("frame"))
