"""The agent proposed it, the developer only assented.

What happens: the value is the agent's, so it is never written by itself; a person is asked.
Remedy: accept it in ``afterpass review`` if the "yes" meant a standing rule, else reject it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """Whatever the slot holds, unless it is this very value. A chosen "no" proposes no value."""
    if not view.by_assent or view.held_same or not view.value:
        return None
    detail = "the developer chose an option that the agent wrote" if view.chosen else "the agent proposed it"
    return Finding(Disposition.QUEUE, Code.CONFIRMATION, detail, view.rivals)
