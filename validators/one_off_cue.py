"""The sentence limits the statement to one occasion: "today", "this time", "for now", "while I'm rebasing".

Cause: the developer said so in the sentence of the quote, perhaps outside the quote itself; or it is a plain order with
a result asked for ("run the tests with … and show me what fails").
Remedy: none is needed. If it was meant as a rule, say it again without the limit ("from now on …").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.language.reading import Assent, Cue, lone_cue, read_value
from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a one-off cue governs the value and no stated end makes it a dated rule."""
    if view.turn is None:
        return not_applicable(Code.ONE_OFF_CUE, "there is no evidence to look at")
    if view.by_assent and view.assent:
        return _assented(view, view.assent)
    reading = view.reading
    ordered = reading.weak_standing and not reading.not_asserted
    one_off = reading.one_off or _beside(view) or (reading.request if ordered else None)
    if one_off is None and reading.dated_until and not view.until and not view.is_forget:
        return failed(Code.ONE_OFF_CUE, f"{reading.dated_until.text!r} states an end that is no date")
    if one_off is None:
        return passed(Code.ONE_OFF_CUE)
    if one_off.rule == "one_off.until-then" and view.until:
        return passed(Code.ONE_OFF_CUE, f"{one_off.text!r} takes up the end {view.until}")
    if reading.dated_until and view.until and reading.dated_until.rule != "dated.reason":
        return passed(Code.ONE_OFF_CUE, f"{reading.dated_until.text!r} states an end, which beats {one_off.text!r}")
    return failed(Code.ONE_OFF_CUE, f"{one_off.text!r} limits it to one occasion")


def _assented(view: View, assent: Assent) -> Verdict:
    """An assent is for this once where it says so, or where what it assents to was proposed for this once."""
    if assent.limited:
        return failed(Code.ONE_OFF_CUE, f"the assent limits itself: {assent.text!r}")
    proposed = read_value(view.previous_agent_text, view.value, view.policy)
    if proposed.one_off and not proposed.dated_until:
        return failed(Code.ONE_OFF_CUE, f"{proposed.one_off.text!r} limits what was proposed")
    return passed(Code.ONE_OFF_CUE)


def _beside(view: View) -> Cue | None:
    """A sentence beside the quote's that is nothing but a limit: "Just this once." """
    beside = (view.after, view.before)
    return next((cue for text in beside if (cue := lone_cue(text, view.policy, "one_off"))), None)
