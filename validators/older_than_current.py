"""The slot's fact was stated or confirmed after this evidence.

Cause: an old session is read late, after a newer one. What counts is when something was said, not when it was read.
Remedy: none; if the old value is the right one, say so in a new session or ``afterpass review`` the newer fact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict
from validators.view import aware

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a fact that this one is compared with has a later date than the evidence."""
    said = view.stated_at
    if view.fact_type is None or said is None:
        return not_applicable(Code.OLDER_THAN_CURRENT, "" if view.fact_type else "there is no slot")
    for fact in view.forget_targets if view.is_forget else view.rivals:
        current = max(filter(None, (aware(fact.stated), aware(fact.confirmed))))
        if current > said:
            return failed(
                Code.OLDER_THAN_CURRENT, f"said {said:%Y-%m-%d %H:%M}, the slot's fact {current:%Y-%m-%d %H:%M}"
            )
    return passed(Code.OLDER_THAN_CURRENT)
