"""The start of a session: everything that counts for the place, kept for the day while nothing behind it changes."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from afterpass.arrival import kept
from afterpass.arrival.place import circumstances
from afterpass.arrival.told import Telling, begin
from store.snapshot import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from afterpass.arrival.place import Place

# Whoever starts a session waits for this module: what a kept block does without is imported where it is made.
# ruff: noqa: PTH118


def tell_start(home: str, place: Place, session: str, limit: float | None) -> Telling:
    """What a session that starts at a place is told. Raises as :func:`afterpass.arrival.telling.work_out` does."""
    today = time.strftime("%Y-%m-%d")
    around = circumstances(os.environ) | {"place": list(place), "on": today, "keeps": list(Telling._fields)}
    owners = ("repo", place.repo), ("developer", place.developer or "")
    file = kept.path_in(home, "block", *(name_of(owner) for owner in owners), kept.name_of_place(place.top))
    found = kept.load(file, around)
    telling = _fresh(home, place, file, around, limit) if found is None else Telling(**found)
    if session:
        begin(home, session, telling.states)
    return telling


def _fresh(home: str, place: Place, file: str, around: Mapping[str, object], limit: float | None) -> Telling:
    """Worked out, and kept where it lasts."""
    from datetime import date

    from afterpass.arrival.memory import snapshot_files
    from afterpass.arrival.telling import telling_of, work_out
    from afterpass.recall.block import DEFAULT_BUDGET
    from policy.load import DEFAULT

    stamps = kept.stamps_of([*snapshot_files(home, place), os.path.join(home, "settings.toml")])
    worked = work_out(home, place, "", date.fromisoformat(str(around["on"])), budget=DEFAULT_BUDGET, limit=limit)
    telling = telling_of(worked)
    if worked.lasts:
        policies = kept.stamps_of(str(path) for path in (DEFAULT, worked.policy) if path)
        kept.save(file, around, stamps | policies | worked.stamps, telling._asdict())
    return telling
