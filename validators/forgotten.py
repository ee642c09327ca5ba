"""The developer asked to forget a fact, and it is clear which one.

What happens: the slot's fact stops being loaded at once and a tombstone is written, so that older evidence does not
bring it back. Remedy if it was a mistake: say the fact again; a later statement is new evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """The facts of exactly one slot, or one value of a multi type; what only this session said counts as found."""
    if not view.is_forget or view.chosen:
        return None
    if view.forget_targets:
        return Finding(Disposition.FORGET, Code.FORGOTTEN, "no longer loaded", view.forget_targets)
    if view.slot_facts and not (view.fact_type and view.fact_type.multi):
        return None
    said_before = (p for p in view.peers if not p.is_forget and p.in_same_slot_as(view) and p.position < view.position)
    if any(view.same(p.value) if view.value else not view.slot_facts for p in said_before):
        return Finding(Disposition.FORGET, Code.FORGOTTEN, "takes back what this session said before")
    return None
