"""What takes a decision back: ids and times, never values, so that forgetting has nothing to look for here."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from store.errors import SlotChanged
from store.records import ReviewKind, ReviewState
from store.slots import Row, Slot
from store.transitions import Transitions


@dataclass(slots=True)
class Undo:
    """What a decision did. ``before`` holds a restated fact's dates and count as they were."""

    open_key: str = ""
    written: str | None = None
    ended: list[str] = field(default_factory=list)
    restated: str | None = None
    before: dict[str, Any] = field(default_factory=dict)
    statements: list[str] = field(default_factory=list)
    tombstones: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    refusal: str | None = None

    def keep_before(self, row: Row) -> None:
        """Keep what a restatement changes of a fact."""
        self.restated = row.id
        self.before = {
            "stated_at": row.stated_at.isoformat(),
            "confirmed_at": row.confirmed_at.isoformat() if row.confirmed_at else None,
            "confirmed_by": row.confirmed_by,
            "times_stated": row.times_stated,
        }

    def to_json(self) -> str:
        """For the review's row."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Undo:
        """From the review's row."""
        return cls(**json.loads(text))


def take_back(moves: Transitions, undo: Undo) -> None:
    """Everything as it was before the decision. Raises Conflict where a row is no longer as the decision left it."""
    if undo.written:
        moves.retired(_row(moves, undo.written))
    for fact_id in undo.ended:
        moves.restored(_row(moves, fact_id))
    if undo.restated:
        row = _row(moves, undo.restated)
        moves.put_back(row, _before(row, undo.before), undo.statements)
    if undo.tombstones:
        moves.sql.change("withdraw_tombstones", ids=undo.tombstones, now=moves.now)
    if undo.refusal:
        moves.sql.change("withdraw_refusal", id=undo.refusal, now=moves.now)
    _reopen(moves, undo.closed)


def _reopen(moves: Transitions, ids: list[str]) -> None:
    """Questions that the decision had answered are open again, unless a newer one has taken their place."""
    for values in moves.sql.rows("closed_items", ids=ids) if ids else []:
        slot = Slot.from_row(values)
        about = values["base_fact"] if values["kind"] == ReviewKind.CORRECTION else values["proposed"]
        open_key = slot.open_key(values["kind"], about or values["proposed"])
        if moves.sql.value("item_with_open_key", open_key=open_key):
            continue
        moves.sql.change(
            "reopen_item", id=values["id"], open_key=open_key, from_state=ReviewState.EXPIRED, now=moves.now
        )
        moves.event("reopened", slot, review_id=values["id"], from_state=ReviewState.EXPIRED, to_state=ReviewState.OPEN)


def _row(moves: Transitions, fact_id: str) -> Row:
    values = moves.sql.one("fact_row", id=fact_id)
    if values is None:
        raise SlotChanged(f"fact {fact_id} was erased since", "nothing can bring it back")
    return Row.from_row(values)


def _before(row: Row, before: dict[str, Any]) -> Row:
    confirmed_at = before["confirmed_at"]
    return replace(
        row,
        stated_at=datetime.fromisoformat(before["stated_at"]),
        confirmed_at=datetime.fromisoformat(confirmed_at) if confirmed_at else None,
        confirmed_by=before["confirmed_by"],
        times_stated=before["times_stated"],
    )
