"""The developer does not assert the value: a question, hypothesis, wish, joke, another's words, or its negation.

Cause: the sentence of the quote asks, supposes, hedges, reports, jokes, sets a condition, or sets this very value aside
("not npm, pnpm"). A ban is itself the statement where the type is a ban or a statement in the developer's words. A
forget without words of forgetting is not asserted either.
Remedy: none is needed. If it is true, say it plainly ("we use pnpm").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.language.reading import Cue, lone_cue
from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View

TAKES_BACK = ("retract.", "denial.")  # words that take a statement back are what a forget consists of


def check(view: View) -> Verdict:
    """Fails where the words around the value do not assert it."""
    if view.turn is None:
        return not_applicable(Code.NOT_ASSERTED, "there is no evidence to look at")
    if view.by_assent:
        return passed(Code.NOT_ASSERTED, "assented to, not stated")
    if view.is_forget and view.reading.forget_words is None:
        return failed(Code.NOT_ASSERTED, "no words of the developer's ask to forget it")
    cue = objection(view) or (None if view.is_forget else lone_cue(view.after, view.policy, "joke", "retract", "hedge"))
    return failed(Code.NOT_ASSERTED, f"{cue.rule}: {cue.text!r}") if cue else passed(Code.NOT_ASSERTED)


def objection(view: View) -> Cue | None:
    """The cue that keeps the value from being asserted, for the candidate's type and kind, or None."""
    reading = view.reading
    if view.is_forget:
        taken_back = reading.not_asserted and reading.not_asserted.rule.startswith(TAKES_BACK)
        return None if taken_back else reading.not_asserted
    if reading.not_asserted or not view.value:
        return reading.not_asserted
    check_of = view.fact_type.value if view.fact_type else ""
    if check_of == "path":
        return reading.set_aside or reading.unbanned
    if check_of == "statement":
        return reading.cut_free
    return reading.negated or reading.conditional
