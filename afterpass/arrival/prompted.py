"""A prompt: what matters for it, without what the session knows already."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from afterpass.arrival.telling import states_of, telling_of, work_out
from afterpass.arrival.told import Telling, tell, told_to
from afterpass.recall.memory import Placement

if TYPE_CHECKING:
    from afterpass.arrival.place import Place
    from afterpass.recall.block import Shown

BUDGET = 800
"""Tokens of one prompt's block, as :func:`~afterpass.recall.render.tokens_of` counts them."""


def tell_prompt(home: str, place: Place, session: str, prompt: str, limit: float | None) -> Telling:
    """What a prompt is told. Raises as :func:`afterpass.arrival.telling.work_out` does."""
    worked = work_out(home, place, prompt, date.today(), budget=BUDGET, limit=limit)  # noqa: DTZ011 - the developer's day
    told = told_to(home, session) if session else {}
    telling = telling_of(worked, tuple(slot for slot in worked.selection.shown if not _is_known(slot, told)), prompt)
    if session and not telling.states.items() <= told.items():
        tell(home, session, told | telling.states)
    return telling


def _is_known(slot: Shown, told: dict[str, str]) -> bool:
    """Whether a slot was told as it is. What has to be asked about is said again where a prompt comes to it."""
    if slot.ask_first or slot.placement is Placement.ASK:
        return False
    return all(told.get(fact) == state for fact, state in states_of((slot,)).items())
