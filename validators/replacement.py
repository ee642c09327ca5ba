"""The slot holds another value, which this one would replace.

Of a type with several values it is the one that the agent asked about, where the developer said "no, only legacy/v1/".
What happens: the stored value stays the answer, and is asked about, until a person decides. Nothing is overwritten:
the old row points at the new one.
Remedy: accept or reject it in ``afterpass review``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """A statement without an end for a single-valued slot whose default is another value; where a slot keeps several
    values, for the one that the agent asked about and the developer said no to."""
    if view.fact_type is None or view.until or view.held_same:
        return None
    replaced = view.disputed if view.fact_type.multi else view.rivals
    if not replaced or (view.fact_type.multi and len(replaced) > 1):
        return None
    return Finding(Disposition.QUEUE, Code.REPLACEMENT, "the slot holds another value", replaced)
