"""A rule with a stated end.

What happens: it is the answer until that day, inclusive; afterwards the default beside it is again. Nothing to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """Every statement with an end that has not passed."""
    return Finding(Disposition.WRITE, Code.TEMPORARY, f"until {view.until}") if view.until else None
