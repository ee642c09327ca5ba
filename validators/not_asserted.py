"""The developer does not assert the value: a question, hypothesis, wish, joke, another's words, or its negation.

Cause: the sentence of the quote asks, supposes, hedges, reports, jokes, sets a condition, or sets this very value aside
("not npm, pnpm"). Or it only mentions the value: without a predicate of its type nothing is stated ("Sam broke
payments" names no reviewer). A statement has to state a rule or a lasting state: a report, a task or a bare name is
none ("the page is blank", "fix the login"). Nor is asserted what holds on some days or in some place only ("on
Mondays", "in CI only"), what is still to come ("once the migration is done", "starting next year"), and what the next
sentence puts right ("sorry, I mean pnpm"). A ban is itself the statement where the type is a ban or a statement in the
developer's words. A forget without words of forgetting is not asserted either, nor a correction that is nothing but
a "yes" or a "no" to some other question than whether the stored value still holds.
Remedy: none is needed. If it is true, say it plainly ("we use pnpm").
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from policy.model import SubjectRule
from validators.answers import unfounded
from validators.dates import stated_start
from validators.fold import fold_value
from validators.language.reading import Cue, lone_cue, put_right
from validators.language.ruling import is_rule
from validators.outcome import failed, not_applicable, passed
from validators.values.manager import named
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View

SOON = timedelta(days=14)  # "from next week on" is a rule, "from next quarter on" a plan
FAR_OFF = timedelta(days=270)  # the next March is so far away in May that the last one is meant
SINCE = ("since", "after", "with")  # words for a start that lies behind
REQUESTS = ("can you", "could you", "would you", "will you")
TAKES_BACK = ("retract.", "denial.")  # words that take a statement back are what a forget consists of


def check(view: View) -> Verdict:
    """Fails where the words around the value do not assert it."""
    if view.turn is None:
        return not_applicable(Code.NOT_ASSERTED, "there is no evidence to look at")
    if view.by_assent:
        return passed(Code.NOT_ASSERTED, "assented to, not stated")
    if why := unfounded(view):
        return failed(Code.NOT_ASSERTED, why)
    if view.is_forget and view.reading.forget_words is None:
        return failed(Code.NOT_ASSERTED, "no words of the developer's ask to forget it")
    cue = (
        objection(view)
        or _put_right(view)
        or (None if view.is_forget else lone_cue(view.after, view.policy, "joke", "retract", "hedge"))
    )
    return failed(Code.NOT_ASSERTED, f"{cue.rule}: {cue.text!r}") if cue else passed(Code.NOT_ASSERTED)


def _requests(cue: Cue) -> bool:
    """Whether "could you forget …" asks for the forgetting, not whether there is something to forget."""
    return cue.rule.startswith("question.") and cue.text.casefold().startswith(REQUESTS)


def objection(view: View) -> Cue | None:
    """The cue that keeps the value from being asserted, for the candidate's type and kind, or None."""
    reading = view.reading
    if view.is_forget:
        cue = reading.not_asserted
        if cue and (cue.rule.startswith(TAKES_BACK) or _requests(cue)):
            return None
        return cue or reading.conditional
    if reading.not_asserted or not view.value:
        return reading.not_asserted
    to_come = reading.awaited or _starts_later(view)
    if to_come:
        return to_come
    check_of = view.fact_type.value if view.fact_type else ""
    if check_of == "path":
        return reading.set_aside or reading.unbanned or _only_mentioned(view)
    if check_of == "statement":
        return reading.cut_free or _no_rule(view)
    return reading.negated or reading.conditional or _limited(view) or _only_seen(view) or _only_mentioned(view)


def _put_right(view: View) -> Cue | None:
    """The next sentence, where it puts another value of the kind in this one's place: "… npm. sorry, I mean pnpm"."""
    if view.is_forget or view.kind is None or view.kind.name == "statement" or not view.value:
        return None
    other = view.reading.instead or put_right(view.after, view.policy)
    if not other:
        return None
    named = {"person": other[:1].isupper() or other[:1] == "@", "command": other[:1] == "`"}  # no "sorry, busy day"
    if not named.get(view.kind.name, True):
        return None
    fits = view.kind.check(view.kind.clean(other)) is None and not view.same(other)
    return Cue(other, "retract.put-right") if fits else None


def _limited(view: View) -> Cue | None:
    """The days or the place to which the value is limited, unless the subject says so too: "the docs use npm only"."""
    limit = view.reading.limited
    return None if limit and set(view.subject.split()) & set(limit.text.casefold().split()) else limit


def _starts_later(view: View) -> Cue | None:
    """The stated start of a rule that is more than some days away: "starting in January". It does not hold yet."""
    start = view.reading.standing
    if start is None or start.rule != "standing.from-now-on" or start.text.casefold().startswith(SINCE):
        return None
    said = view.stated_at.date() if view.stated_at else None
    day = stated_start(start.text, said) if said else None
    return start if said and day and SOON < day - said < FAR_OFF else None


def _only_mentioned(view: View) -> Cue | None:
    """A value in a sentence without a predicate of its type: "Sam broke payments" for a reviewer."""
    if (view.stated and not _its_subject(view)) or view.by_assent or view.disputed:
        return None
    return Cue(view.value, "seen.only-mentioned")


def _its_subject(view: View) -> bool:
    """Whether the value is only what the sentence is about: "production deploys from stable" states no "production"."""
    value = fold_value(view.value)
    return value == fold_value(view.candidate.subject) and fold_value(view.sentence).count(value) == 1


def _no_rule(view: View) -> Cue | None:
    """Words that report, ask for work or name a thing, and state no rule: "the page is blank" for a decision."""
    if view.by_assent or view.is_forget or _ruled(view):
        return None
    return Cue(view.value, "seen.no-rule")


def _ruled(view: View) -> bool:
    """Whether the words state a rule, or say something of the subject that the type wants."""
    named = view.fact_type is not None and view.fact_type.subject is not SubjectRule.TOPIC
    subject = view.subject if named else ""
    return is_rule(view.sentence, view.focus, view.value, subject=subject, policy=view.policy)


def _only_seen(view: View) -> Cue | None:
    """A command or manager of which the sentence tells only what it did, or only that its lock file is there."""
    if view.fact_type is None or view.fact_type.value not in ("manager", "command") or view.by_assent:
        return None
    if view.reading.observed or view.fact_type.value == "command":
        return view.reading.observed
    return None if named(view.value, view.sentence) else Cue(view.value, "seen.lock-file")
