"""The first value of its slot, in the developer's own words.

What happens: it is written as an active fact with its evidence. Nothing to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding:
    """What nothing speaks against is written."""
    return Finding(Disposition.WRITE, Code.NEW, "the slot was empty")
