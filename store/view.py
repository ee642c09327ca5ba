"""What stands in the slots that a landing touches, read once and kept in step with what the landing does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from store.records import ReviewKind
from store.slots import Row, Slot, Statement, same_value
from store.sql import Sql


@dataclass(slots=True)
class OpenItem:
    """An undecided review item."""

    id: str
    kind: str
    slot: Slot
    open_key: str
    base: str | None
    base_value: str | None
    proposed: str
    newest: datetime
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A statement that is behind a fact or a review item already."""

    row_id: str
    noun: str  # fact, review
    slot_key: str
    value: str
    kind: str
    state: str
    statement: Statement


@dataclass(slots=True)
class SlotView:
    """Rows by id, open items by key, and everything said about the slots."""

    rows: dict[str, Row] = field(default_factory=dict)
    items: dict[str, OpenItem] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)
    born_here: set[str] = field(default_factory=set)  # rows that this landing wrote
    ended_here: set[str] = field(default_factory=set)  # rows that this landing took out

    def load(self, sql: Sql, slots: Iterable[str], ids: Iterable[str]) -> None:
        """Read the slots, and the rows that decisions name by their ids."""
        wanted = sorted(set(slots))
        for values in sql.rows("active_rows", slots=wanted, ids=sorted(set(ids))):
            row = Row.from_row(values)
            self.rows[row.id] = row
        wanted = sorted({*wanted, *(row.slot.key for row in self.rows.values())})
        for values in sql.rows("said_about_slots", slots=wanted):
            self.said.append(
                Said(
                    values["row_id"],
                    values["noun"],
                    values["slot"],
                    values["value"],
                    values["kind"],
                    values["state"],
                    Statement.from_row(values),
                )
            )
        for values in sql.rows("open_items_of_slots", slots=wanted):
            self.add_item(values)

    def add_item(self, values: dict[str, Any]) -> OpenItem:
        """Take an open item into the view."""
        newest = [said.statement.stated_at for said in self.said if said.row_id == values["id"]]
        item = OpenItem(
            values["id"],
            values["kind"],
            Slot.from_row(values),
            values["open_key"],
            values["base_fact"],
            values["base_value"],
            values["proposed"],
            max(newest, default=values["opened_at"]),
            values["until"],
        )
        self.items[item.open_key] = item
        return item

    def active(self, slot: Slot) -> list[Row]:
        """The slot's active rows, dated rules among them."""
        return [row for row in self.rows.values() if row.slot.key == slot.key]

    def default(self, slot: Slot) -> Row | None:
        """The slot's one active row that is no dated rule; for slots with a single value."""
        return next((row for row in self.active(slot) if row.valid_until is None), None)

    def holding(self, slot: Slot, value: str, until: date | None) -> Row | None:
        """The slot's active row with this value and this end."""
        matches = (row for row in self.active(slot) if row.valid_until == until and same_value(row.value, value))
        return next(matches, None)

    def fact_said_by(self, slot: Slot, value: str, statement: Statement) -> str | None:
        """The fact of this slot and value, in whatever state, that this very statement is behind."""
        return next((said.row_id for said in self._heard("fact", slot, value, statement)), None)

    def item_asked_by(self, slot: Slot, kind: ReviewKind, value: str, statement: Statement) -> Said | None:
        """The item of this slot, kind and value, open or decided, that this very statement is in."""
        return next((said for said in self._heard("review", slot, value, statement) if said.kind == kind), None)

    def _heard(self, noun: str, slot: Slot, value: str, statement: Statement) -> Iterator[Said]:
        for said in self.said:
            if said.noun != noun or said.slot_key != slot.key or not same_value(said.value, value):
                continue
            if said.statement.is_same_as(statement):
                yield said

    def put(self, row: Row, statements: Iterable[Statement], *, born: bool) -> None:
        """A row was written or restated."""
        self.rows[row.id] = row
        if born:
            self.born_here.add(row.id)
        self.said += (Said(row.id, "fact", row.slot.key, row.value, "", row.state, each) for each in statements)

    def take_out(self, row: Row) -> None:
        """A row is no longer active."""
        self.rows.pop(row.id, None)
        self.ended_here.add(row.id)
