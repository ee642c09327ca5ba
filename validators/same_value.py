"""The slot already holds this value.

What happens: its last-stated date moves and its count goes up. A restatement does not confirm a high-stakes fact: that
takes a person's act. Nothing to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """A value that is stored, or that this session has already stated."""
    if view.held_same:
        return Finding(Disposition.RECONFIRM, Code.SAME_VALUE, "the slot holds this value", view.held_same)
    first = next((other for other in view.written if view.repeats(other)), None)
    if first is not None:
        return Finding(Disposition.RECONFIRM, Code.SAME_VALUE, "this session has already stated it", restates=first)
    return None
