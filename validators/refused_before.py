"""A reviewer refused this value for this slot after this evidence.

Cause: the question was asked once and answered with no; evidence from before that answer does not ask it again.
Remedy: none; ``afterpass review undo ID`` takes the refusal back, and a later statement asks anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict
from validators.view import aware

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a refusal of the same value in the slot is newer than the evidence."""
    said = view.stated_at
    if view.fact_type is None or said is None or view.is_forget:
        return not_applicable(Code.REFUSED_BEFORE)
    for refusal in view.context.refusals:
        at = aware(refusal.at)
        if at and at > said and view.in_slot(refusal.type, refusal.subject) and view.same(refusal.value):
            return failed(Code.REFUSED_BEFORE, f"refused {at:%Y-%m-%d %H:%M}, said {said:%Y-%m-%d %H:%M}")
    return passed(Code.REFUSED_BEFORE)
