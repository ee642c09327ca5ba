"""One more value of a slot that keeps several.

What happens: it is added and hides nothing. Nothing to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """A value of a multi type whose slot already holds another, stored or written from this session."""
    if view.fact_type is None or not view.fact_type.multi:
        return None
    if view.slot_facts or any(other.in_same_slot_as(view) for other in view.written):
        return Finding(Disposition.WRITE, Code.ADDITIONAL, "beside the slot's other values")
    return None
