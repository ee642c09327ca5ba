"""The slot holds another value, which this one would replace.

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
    """A statement without an end for a single-valued slot whose default is another value."""
    if view.fact_type is None or view.fact_type.multi or view.until or view.held_same or not view.rivals:
        return None
    return Finding(Disposition.QUEUE, Code.REPLACEMENT, "the slot holds another value", view.rivals)
