"""Which clauses ask: with a mark and without, tags, embedded questions, and those that only look like questions."""

from __future__ import annotations

from validators.language.analysis import Analysis
from validators.language.clauses import Clause
from validators.language.scene import Cue, Scene

_INVERTING_DO = frozenset({"do", "have", "had", "has", "may", "am"})
_EMBEDDERS = frozenset({"if", "whether", "ob", "si", "se"})
_ALTERNATIVE = {"or": "en", "oder": "de", "o": "es", "ou": "fr pt"}  # "or" and the languages in which it is that
_REQUESTS = frozenset({"can", "could", "would", "will"})
_NEVER_SUBJECTS = frozenset(
    "be not now on in at to from by with always never still also only already probably fine good great done gone ok "
    "okay work works take go run use have has do an being about for off out up over there's".split()
)


def question(scene: Scene) -> Cue | None:
    """The question that the value stands in, or None."""
    analysis = scene.analysis
    if any(scene.reached_by(m, prefix=True) for m in analysis.matches("rhetorical")):
        return None
    for index in scene.clauses:
        found = _asks(scene, index)
        if found:
            return found
    return None


def _asks(scene: Scene, index: int) -> Cue | None:
    analysis = scene.analysis
    clause = analysis.clauses[index]
    fixed = next((m for m in analysis.matches("question") if scene.reached_by(m, prefix=True)), None)
    if fixed and not answered(analysis, index):
        return scene.cue(fixed)
    embedded = _embedded(scene, index)
    if embedded:
        return embedded
    members = [i for i, c in enumerate(analysis.clauses) if c.sentence == clause.sentence]
    if analysis.layout.marks[clause.sentence] == "?":
        return _asks_with_mark(scene, index, members)
    unmarked = next(
        (m for m in analysis.matches("tag_confirm") if m.name == "unmarked" and analysis.clause_of(m) == members[-1]),
        None,
    )
    if unmarked and index < members[-1]:
        return scene.cue(unmarked)
    final = analysis.clauses[members[-1]].end - 1
    if final == scene.end and analysis.words[final] in analysis.matcher.words("ends_asking"):
        return Cue(analysis.quote(final, final + 1), "tag_confirm.unmarked")  # "staging deploys from develop right"
    if scene.end < final and _tail_asks(analysis, final):
        return Cue(analysis.quote(final - 1, final + 1), "tag_confirm.unmarked")
    asking = _opener(analysis, clause, marked=False)
    if asking and not _is_request(scene, clause):
        return Cue(asking, "question.inverted")
    before = index - 1
    if index == members[0] and not clause.verb and _or(analysis, clause.start):
        return Cue(analysis.words[clause.start], "question.alternative")  # "pnpm, was it? or yarn"
    if before in members and not clause.verb and _or(analysis, clause.start):
        asking = _opener(analysis, analysis.clauses[before], marked=False)
        return Cue(asking, "question.inverted") if asking else None
    return None


def _or(analysis: Analysis, at: int) -> bool:
    """Whether this word is "or" in a language of the text; "o" is the article in Portuguese."""
    tongues = _ALTERNATIVE.get(analysis.words[at], "").split()
    return any(words.lexicon.language in tongues for words in analysis.matcher.languages)


def _tail_asks(analysis: Analysis, final: int) -> bool:
    """Whether the sentence ends with "do we" or "is it" although no comma sets it apart."""
    words, lexicon = analysis.words, analysis.matcher.words
    turned = words[final] in lexicon("pronouns") and words[final - 1] in lexicon("aux")
    clause = analysis.clauses[analysis.layout.clause_of[final]]
    named = analysis.tokens.capital(final - 2) and clause.head == final - 2  # "no, Kim does those"
    told = words[final - 2] in lexicon("pronouns") or named  # "and that was it"
    told = told or analysis.has(clause, lexicon("wh"))  # "that is how everyone here does it"
    return turned and not told and words[final - 2] not in ("so", "nor", "neither", "as", "than", "what", "how")


def _asks_with_mark(scene: Scene, index: int, members: list[int]) -> Cue | None:
    """What a sentence with a question mark asks, when that is about this clause."""
    analysis = scene.analysis
    last = members[-1]
    tag = {analysis.clause_of(m) for m in analysis.matches("tag_accept")}
    while last in tag and last > members[0]:
        last -= 1
    accepted = last != members[-1] or analysis.words[analysis.clauses[last].end - 1] in analysis.matcher.words(
        "accepts"
    )
    confirm = next((m for m in analysis.matches("tag_confirm") if analysis.clause_of(m) == last), None)
    if confirm and last > members[0] and index < last:
        return scene.cue(confirm)
    openers = [
        i
        for i in members
        if i <= last and (_opener(analysis, analysis.clauses[i], marked=True) or _fixed_at(analysis, i))
    ]
    if not openers:
        if accepted:
            return None
        tail = analysis.clauses[last]
        apart = index < last and tail.verb and analysis.words[tail.head] in analysis.matcher.words("pronouns")
        return None if apart and scene.has_standing(index) else Cue("?", "question.mark")
    if index < openers[0]:
        return None
    clause = analysis.clauses[openers[0]]
    if _is_request(scene, clause):
        return None
    return Cue(analysis.quote(clause.start, clause.end), "question.mark")


def _fixed_at(analysis: Analysis, index: int) -> bool:
    return any(analysis.clause_of(m) == index for m in analysis.matches("question"))


def _is_request(scene: Scene, clause: Clause) -> bool:
    """Whether "can you …" asks for a standing habit: a request in the form of a question, not a question."""
    words = scene.analysis.words
    if words[clause.head] not in _REQUESTS or "you" not in words[clause.head + 1 : clause.head + 3]:
        return False
    standing = scene.standing()
    return standing is not None and standing.name in ("from-now-on", "each-time", "always", "never")


def _opener(analysis: Analysis, clause: Clause, *, marked: bool) -> str:
    """The words that make the clause a question by their order, or nothing."""
    words, lexicon = analysis.words, analysis.matcher.words
    head = clause.head
    first = words[head]
    following = words[head + 1] if head + 1 < clause.end else ""
    if first in lexicon("wh"):
        return _wh_opener(analysis, clause, first, following, marked=marked)
    if first not in lexicon("aux") or not following:
        return ""
    at = head + 1
    if following == "not":
        at += 1
        following = words[at] if at < clause.end else ""
        if first == "do" and following not in lexicon("pronouns"):
            return ""
        if first == "do" and not marked and words[at + 1 : at + 2] in (["ever"], ["dare"], ["even"]):
            return ""  # "don't you ever …" is an order
    if following in lexicon("pronouns") and not (
        first == "do" and following in ("it", "this", "that", "these", "those")
    ):
        return analysis.quote(head, at + 1)
    if first == "do" and following in ("it", "this", "that"):
        return analysis.quote(head, at + 1) if marked and at + 1 < clause.end else ""
    if first in ("has", "have", "had") and following not in _NEVER_SUBJECTS and following not in lexicon("verbs"):
        participle = any(analysis.splitter.is_verb(w) for w in words[at + 1 : min(at + 4, clause.end)])
        if participle and not analysis.splitter.is_verb(following):
            return analysis.quote(head, at + 1)
    if first in _INVERTING_DO:
        return analysis.quote(head, at + 1) if marked and first not in ("have",) else ""
    if not following or following in _NEVER_SUBJECTS:
        return ""
    third = words[at + 1] if at + 1 < clause.end else ""
    noun = following in lexicon("noun_like") and (third in lexicon("adverbs") or analysis.splitter.is_verb(third))
    if following in lexicon("verbs") and not following.endswith("s") and not noun:  # "should deploy from main"
        return analysis.quote(head, head + 1) if marked else ""
    return analysis.quote(head, at + 1)


def _wh_opener(analysis: Analysis, clause: Clause, first: str, following: str, *, marked: bool) -> str:
    lexicon = analysis.matcher.words
    if first == "when" and not marked and following not in ("do", "does", "did", "will"):
        return ""
    if first.endswith("ever") and not marked:
        return ""  # "whatever is in there stays"
    if first == "why" or (first == "how" and following == "come"):
        return first
    cleft = any(word in lexicon("be") for word in analysis.words[clause.head + 2 : clause.end])
    if first == "what" and cleft and not marked:
        return ""  # "what is missing is …"
    if following in lexicon("aux"):
        return f"{first} {following}"
    third = analysis.words[clause.head + 2] if clause.head + 2 < clause.end else ""
    if first in ("which", "what", "whose", "how") and following not in lexicon("pronouns") and third in lexicon("aux"):
        return f"{first} {following} {third}"
    return first if marked and first != "when" else ""


def _embedded(scene: Scene, index: int) -> Cue | None:
    """The "whether …" or "if …" clause after "check", "not sure", "do you know": it leaves the matter open."""
    analysis = scene.analysis
    clause = analysis.clauses[index]
    first = analysis.words[clause.start]
    if first not in _EMBEDDERS or answered(analysis, index):
        return None
    if first in ("whether", "ob"):
        return None if _fixed_shield(analysis, clause) else Cue(first, "question.embedded")
    for match in analysis.matches("embedded"):
        if analysis.clause_of(match) == index - 1 and analysis.same_sentence(index - 1, index):
            return scene.cue(match)
    return None


def _fixed_shield(analysis: Analysis, clause: Clause) -> bool:
    return any(m.start <= clause.start < m.end for m in analysis.matches("shield"))


def answered(analysis: Analysis, index: int) -> bool:
    """Whether the clause right after this one says yes to it, as in "you asked if we use pnpm: we do"."""
    if index + 1 >= len(analysis.clauses):
        return False
    return any(analysis.clause_of(m) == index + 1 for m in analysis.matches("affirm"))
