"""The developer asked to forget something, but nothing or more than one thing fits.

What happens: nothing is touched; a person is asked which fact is meant.
Remedy: pick the fact in ``afterpass review``, or reject the question if nothing is to be forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """Every forget that found no single target. The facts that could be meant come along for the question."""
    if not view.is_forget or view.fact_type is None:
        return None
    possible = tuple(view.context.known_of(view.fact_type))
    detail = f"{len(possible)} facts of the type could be meant" if possible else "no fact of the type is stored"
    return Finding(Disposition.QUEUE, Code.FORGET_UNCLEAR, detail)
