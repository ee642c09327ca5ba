"""What a sentence says about a value, read once for all checks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from validators.language import assertion, limits, negation, occasion, owner
from validators.language.analysis import Analysis, analyse
from validators.language.assent import Assent, assent
from validators.language.scene import Cue, Scene, fold, occurrences, placed, scenes
from validators.language.stating import Claim, vocabulary
from validators.language.tokens import SEPARATORS

if TYPE_CHECKING:
    from policy.model import FactType, Policy

__all__ = ["Assent", "Cue", "Reading", "assent", "read_sentence"]

_NEGATIVE = frozenset({"any", "anymore", "no", "not", "more", "longer"})  # "don't … any more" needs its "don't"
_WORD = re.compile(r"[\w'-]+")
_WHATEVER_HOLDS = frozenset({"always", "each-time", "from-now-on", "never"})  # "if you touch the api, always run …"
FAR = 6000  # characters of a longer text that are searched for the value, from its end
_NAMED = 3  # words of a name, at most
LOOK = 600  # characters looked at on either side of the quote: no person's sentence is longer


@dataclass(frozen=True, slots=True)
class Reading:
    """The cues that govern a value in its sentence; None where there is none.

    ``standing`` makes it a rule, ``one_off`` limits it to an occasion, ``dated_until`` names its end.
    ``not_asserted`` is a question, hypothesis, wish, joke, hedge or another's words; ``conditional`` is the "if" under
    which alone it holds. ``negated`` sets a name, command or branch aside; ``set_aside`` does so for a path, where a
    ban is the statement; ``cut_free`` stands just before a statement; ``unbanned`` permits what a ban forbids.
    ``limited`` says on which days or in which place alone the value holds, ``awaited`` after which event to come.
    ``other_owner`` names whose it is (in ``Cue.owner``), ``owner_open`` leaves that open, ``habit`` is a person's own.
    ``forget_words`` ask to forget; ``request`` asks for a result now ("and show me"); ``observed`` says what became
    of the value ("takes ages", "is broken", "there is a …"), not what it is for; ``here`` says in so many words that
    it is about this repository. ``instead`` is what the next sentence puts in the value's place ("sorry, pnpm").
    """

    standing: Cue | None = None
    one_off: Cue | None = None
    not_asserted: Cue | None = None
    conditional: Cue | None = None
    limited: Cue | None = None
    awaited: Cue | None = None
    negated: Cue | None = None
    set_aside: Cue | None = None
    cut_free: Cue | None = None
    unbanned: Cue | None = None
    other_owner: Cue | None = None
    owner_open: Cue | None = None
    habit: Cue | None = None
    dated_until: Cue | None = None
    forget_words: Cue | None = None
    request: Cue | None = None
    observed: Cue | None = None
    here: Cue | None = None
    instead: str = ""

    @property
    def weak_standing(self) -> bool:
        """Whether the standing cue is one that a plain order has too: "run it with"."""
        return self.standing is not None and self.standing.rule == "standing.run-with"

    @property
    def contrary(self) -> Cue | None:
        """What speaks against a rule of ours, whatever the fact type."""
        return self.one_off or self.not_asserted or self.conditional


def read_sentence(text: str, focus: tuple[int, int] | None, value: str, policy: Policy) -> Reading:
    """What the sentence(s) say about the value where it stands inside the quote (``focus``, a span of ``text``).

    A value that occurs several times is read where a standing cue states it outright, else at its first occurrence
    that something speaks against, else at its first.
    """
    text, focus = window(text, focus)
    return _reading(text, focus, value, policy.folders)


def read_value(text: str, value: str, policy: Policy) -> Reading:
    """The reading of a longer text at the last place where it holds the value; empty where it holds it nowhere."""
    places = list(occurrences(text[-FAR:], value)) if value.strip() else []
    if not places:
        return Reading()
    return read_sentence(text[-FAR:], places[-1], value, policy)


def is_stated(
    text: str,
    focus: tuple[int, int] | None,
    forms: Iterable[str],
    *,
    fact_type: FactType,
    subject: str,
    question: str,
    policy: Policy,
) -> bool:
    """Whether the sentence(s) state a fact of this type, and do not only mention the value, in the first of its
    ``forms`` that stands there.

    ``subject`` is the candidate's, ``question`` what the agent asked just before. True as well where the lexicons do
    not know the language or the type well enough to tell, and where none of the forms stands in the text.
    """
    text, focus = window(text, focus)
    analysis = analyse(text, policy.folders)
    known = vocabulary(analysis.matcher, fact_type.name, fact_type.value)
    if known is None:
        return True
    nouns = known.nouns.union(fold(subject).split()) if subject else known.nouns
    asked = bool(question) and not nouns.isdisjoint(_WORD.findall(fold(question)))
    for form in forms:
        found = placed(analysis, focus, form) if form.strip() else None
        if found is not None:
            return any(Claim(scene, known, nouns, asked=asked).stated() for scene in found)
    return True


@lru_cache(maxsize=1024)
def _reading(text: str, focus: tuple[int, int] | None, value: str, folders: tuple[Path, ...]) -> Reading:
    if not text.strip():
        return Reading()
    analysis = analyse(text, folders)
    readings = [_read(scene) for scene in scenes(analysis, focus, value)]
    if not readings:
        return Reading()
    stated = (r for r in readings if r.standing and not (_objection(r) or r.negated))
    banned = (r for r in readings if r.standing and not _objection(r))
    objected = (r for r in readings if _objection(r) or r.negated)
    permitted = (r for r in readings if r.unbanned)
    return next(stated, None) or next(banned, None) or next(permitted, None) or next(objected, None) or readings[0]


def _objection(reading: Reading) -> bool:
    return bool(reading.contrary or reading.other_owner or reading.unbanned)


def window(text: str, focus: tuple[int, int] | None) -> tuple[str, tuple[int, int] | None]:
    """The text cut to ``LOOK`` characters on either side of the quote, and the quote's span in it."""
    if len(text) <= LOOK:
        return text, focus
    start, end = focus or (0, 0)
    end = min(end, start + 2 * LOOK)
    low, high = max(0, start - LOOK), end + LOOK
    if low == 0 and high >= len(text):
        return text, focus
    return text[low:high], (start - low, end - low) if focus else None


def _read(scene: Scene) -> Reading:
    standing = scene.standing()
    not_asserted = assertion.not_asserted(scene)
    one_off = occasion.one_off(scene, standing)
    return Reading(
        standing=scene.cue(standing) if standing else None,
        one_off=one_off or (None if not_asserted else occasion.past_event(scene, standing)),
        not_asserted=not_asserted,
        conditional=None if standing and standing.name in _WHATEVER_HOLDS else assertion.conditional(scene),
        limited=limits.limited(scene),
        awaited=limits.awaited(scene),
        negated=negation.negated(scene),
        set_aside=negation.named_negated(scene),
        cut_free=negation.cut_free(scene),
        unbanned=negation.permitted(scene),
        other_owner=owner.owner(scene),
        owner_open=owner.owner_open(scene),
        habit=None if not_asserted else owner.habit(scene),
        dated_until=occasion.dated(scene),
        forget_words=_forget_words(scene),
        request=occasion.request(scene),
        observed=None if standing else occasion.observed(scene),
        here=_here(scene),
        instead=_named_instead(scene.analysis, scene.analysis.clauses[scene.clauses[-1]].sentence + 1),
    )


def _here(scene: Scene) -> Cue | None:
    """The first words in the value's own clauses that name this repository as the place."""
    found = (m for m in owner.here(scene.analysis) if scene.analysis.within(m, scene.clauses))
    return next((scene.cue(m) for m in found), None)


def _forget_words(scene: Scene) -> Cue | None:
    """Words that ask to forget, unless they are themselves negated: "we won't drop the ban"."""
    analysis = scene.analysis
    for match in analysis.matches("forget"):
        clause = analysis.clause_of(match)
        itself = analysis.words[match.start] in _NEGATIVE
        before = (m for m in analysis.matches("negate") if analysis.clause_of(m) == clause and m.end <= match.start)
        if itself or not any(before):
            return scene.cue(match)
    return None


def put_right(text: str, policy: Policy) -> str:
    """What a sentence that puts the one before it right names instead: "pnpm" of "sorry, I mean pnpm". Empty where it
    puts nothing right, or says more than a name.
    """
    text = text[:LOOK]
    return _named_instead(analyse(text, policy.folders), 0) if text.strip() else ""


def _named_instead(analysis: Analysis, sentence: int) -> str:
    clauses = [clause for clause in analysis.clauses if clause.sentence == sentence]
    if not clauses:
        return ""
    words, lexicon = analysis.words, analysis.matcher.words
    start, end = clauses[0].start, clauses[-1].end
    lead = lexicon("fillers") | lexicon("correcting") | lexicon("corrections") | lexicon("put_right")
    at = next((i for i in range(start, end) if words[i] not in lead and words[i] not in SEPARATORS), end)
    named = words[at:end]
    led = {word for i, word in enumerate(words[start:at], start) if word != "no" or words[i + 1] in SEPARATORS}
    if at >= end or len(named) > _NAMED or lexicon("puts_right").isdisjoint(led):
        return ""  # "no exceptions" puts nothing right, "no, pnpm" does
    return "" if any(map(analysis.splitter.is_verb, named)) else analysis.quote(at, end)


def lone_cue(text: str, policy: Policy, *groups: str) -> Cue | None:
    """The cue of one of the groups that a text consists of ("Just this once."), or None where it says anything else."""
    text = text[:LOOK]
    if not text.strip():
        return None
    analysis = analyse(text, policy.folders)
    for group in groups:
        match = analysis.lone(group)
        if match:
            return Cue(analysis.quote(match.start, match.end), f"{match.group}.{match.name}")
    return None
