"""A person decides: accept, reject, and undo of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from store.applying import GRACE_DAYS, STOOD_BY, items_about, items_against, rows_to_forget
from store.asking import Asking
from store.errors import AlreadyDecided, NotDecided, SlotChanged, StaleReview, ValueNeeded
from store.facts import full_id
from store.lineage import mark_for_rewriting
from store.raised import Raised, raised_in
from store.records import Review, ReviewKind, ReviewState
from store.redaction import clean
from store.reviews import ReviewsOf, is_stale
from store.slots import Row, Slot, Statement, same_value
from store.sql import transactional
from store.transitions import Transitions
from store.undoing import Undo, take_back
from store.view import SlotView


class DecidingOf(ReviewsOf):
    """The deciding half of the queue's part; see :class:`store.interface.Reviews`."""

    @transactional
    def accept(self, item_id: str, *, actor: str, now: datetime, value: str | None = None) -> Review:
        row = self._open_item(item_id)
        if is_stale(row):
            raise StaleReview(
                f"{row['id']} was made against {_quoted(row['base_value'])}, and the slot holds "
                f"{_quoted(row['now_value'])} now",
                f"`afterpass review reject {row['id']}`, or change the fact itself",
            )
        moves = Transitions(self.sql, actor, now, reason=f"accepted {row['id']}", review_id=row["id"])
        accepting = _Accepting(moves, row, None if value is None else clean(value).strip())
        accepting.apply()
        return self._decided(moves, row, ReviewState.ACCEPTED, accepting.value, accepting.undo)

    @transactional
    def reject(self, item_id: str, *, actor: str, now: datetime, reason: str = "") -> Review:
        row = self._open_item(item_id)
        slot = Slot.from_row(row)
        moves = Transitions(self.sql, actor, now, reason=clean(reason), review_id=row["id"])
        undo = Undo(open_key=row["open_key"])
        if row["proposed"] and row["kind"] != ReviewKind.FORGET_UNCLEAR:
            undo.refusal = moves.new_id("n", row["id"], now)
            self.sql.change(
                "add_refusal",
                id=undo.refusal,
                owner=slot.owner,
                scope=slot.scope,
                type=slot.type,
                subject=slot.subject,
                slot=slot.key,
                value=row["proposed"],
                actor=actor,
                review_id=row["id"],
                now=now,
            )
        return self._decided(moves, row, ReviewState.REFUSED, None, undo)

    @transactional
    def snooze(self, item_id: str, *, actor: str, now: datetime, until: datetime) -> Review:
        row = self._open_item(item_id)
        moves = Transitions(self.sql, actor, now, review_id=row["id"])
        self.sql.change("snooze_item", id=row["id"], snoozed_until=until, now=now)
        moves.event("snoozed", Slot.from_row(row), from_state=ReviewState.OPEN, to_state=ReviewState.OPEN)
        moves.log()
        return self._review_now(row["id"])

    @transactional
    def withdraw(self, item_ids: Sequence[str], *, reason: str, now: datetime) -> None:
        moves, view = Transitions(self.sql, "pass", now, reason=reason), SlotView()
        view.load(self.sql, [self._item(item_id)["slot"] for item_id in item_ids], [])
        Asking(moves, view).close([item for item in view.items.values() if item.id in item_ids], reason)
        moves.log()

    @transactional
    def undo(self, item_id: str, *, actor: str, now: datetime) -> Review:
        row = self._item(item_id)
        if row["state"] == ReviewState.OPEN and row["snoozed_until"]:
            return self._wake(row, actor, now)
        if row["state"] not in (ReviewState.ACCEPTED, ReviewState.REFUSED) or not row["undo_data"]:
            raise NotDecided(f"{row['id']} is {row['state']}: there is no decision to undo", "`afterpass review --all`")
        undo = Undo.from_json(row["undo_data"])
        if self.sql.value("facts_changed_after", slot=row["slot"], mark=row["decided_event"]):
            raise SlotChanged(
                f"the slot of {row['id']} has changed since it was decided",
                "change the fact itself, or wait for review",
            )
        taken = self.sql.value("item_with_open_key", open_key=undo.open_key)
        if taken:
            raise SlotChanged(f"a newer item, {taken}, asks about the same slot", f"decide {taken} first")
        moves = Transitions(self.sql, actor, now, reason=f"undid the decision of {row['id']}", review_id=row["id"])
        take_back(moves, undo)
        self.sql.change("reopen_item", id=row["id"], open_key=undo.open_key, from_state=row["state"], now=now)
        moves.event("reopened", Slot.from_row(row), from_state=row["state"], to_state=ReviewState.OPEN)
        moves.log()
        return self._review_now(row["id"])

    def _wake(self, row: Mapping[str, Any], actor: str, now: datetime) -> Review:
        moves = Transitions(self.sql, actor, now, review_id=row["id"])
        self.sql.change("snooze_item", id=row["id"], snoozed_until=None, now=now)
        moves.event("woken", Slot.from_row(row), from_state=ReviewState.OPEN, to_state=ReviewState.OPEN)
        moves.log()
        return self._review_now(row["id"])

    def _decided(
        self, moves: Transitions, row: Mapping[str, Any], state: ReviewState, value: str | None, undo: Undo
    ) -> Review:
        moves.event(str(state), Slot.from_row(row), from_state=ReviewState.OPEN, to_state=state)
        moves.log()
        changed = self.sql.change(
            "decide_item",
            id=row["id"],
            state=state,
            actor=moves.actor,
            decided_value=value,
            decided_event=self.sql.value("last_event"),
            reason=moves.reason if state is ReviewState.REFUSED else None,
            result_fact=undo.written or undo.restated,
            undo_data=undo.to_json(),
            now=moves.now,
        )
        if changed != 1:
            raise AlreadyDecided(f"{row['id']} was decided by somebody else just now", "`afterpass review --all`")
        return self._review_now(row["id"])

    def _open_item(self, item_id: str) -> Mapping[str, Any]:
        row = self._item(item_id)
        if row["state"] != ReviewState.OPEN:
            by = f" by {row['decided_by']}" if row["decided_by"] else ""
            raise AlreadyDecided(
                f"{row['id']} is {row['state']} since {row['decided_at']:%Y-%m-%d %H:%M}{by}",
                f"`afterpass review undo {row['id']}` takes a decision back",
            )
        return row

    def _item(self, item_id: str) -> Mapping[str, Any]:
        found = full_id(self.sql, "item_ids_like", item_id, "review item", "review --all")
        row = self.sql.one("item_named", id=found)
        assert row is not None  # noqa: S101 - found in this transaction
        return row

    def _review_now(self, item_id: str) -> Review:
        row = self.sql.one("item_named", id=item_id)
        return self._reviews([row] if row else [])[0]


@dataclass(slots=True)
class _Accepting:
    """One acceptance: what it does, and what would take it back."""

    moves: Transitions
    row: Mapping[str, Any]
    edited: str | None
    undo: Undo = field(default_factory=Undo)
    view: SlotView = field(default_factory=SlotView)

    @property
    def value(self) -> str:
        """The value that is accepted: the edited one, else the proposed one."""
        return self.row["proposed"] if self.edited is None else self.edited

    def apply(self) -> None:
        row, kind = self.row, ReviewKind(self.row["kind"])
        self.undo.open_key = row["open_key"]
        slot = Slot.from_row(row)
        self.view.load(self.moves.sql, [slot.key], [row["base_fact"]] if row["base_fact"] else [])
        self.view.items.pop(row["open_key"], None)
        match kind:
            case ReviewKind.PROCEDURE:
                return
            case ReviewKind.FORGET_UNCLEAR:
                self._forget(slot)
            case ReviewKind.CORRECTION if not self._by_files():
                self._correct(slot)
            case _:
                if not self.value:
                    raise ValueNeeded(
                        f"{row['id']} proposes no value", f"`afterpass review accept {row['id']} --value …`"
                    )
                self._put(slot)

    def _by_files(self) -> bool:
        """Whether the repository's files say otherwise by now: the stored value was true until they did."""
        return raised_in(said.session_key for said in self._said()) is Raised.FILES

    def _put(self, slot: Slot) -> None:
        """The value becomes the slot's; what stood there is superseded by it."""
        until, said = self.row["until"], self._said()
        held = self.view.holding(slot, self.value, until)
        before = self._replaced(slot)
        fact_id = held.id if held else self.moves.fact_id(slot, said[0])
        if before and before is not held:
            self.moves.superseded(before, fact_id, said[0].stated_at)
            self.undo.ended.append(before.id)
        if held:
            self._restate(held, said)
            against = items_against(self.view, held, self.moves.now)
            self.undo.closed += Asking(self.moves, self.view).close(against, STOOD_BY)
        else:
            self._write(slot, said, fact_id)
        self._close_answered(slot)

    def _replaced(self, slot: Slot) -> Row | None:
        """What the value takes the place of: the slot's default, in a slot of several values the one asked about."""
        if self.row["until"]:
            return None
        if not slot.multi:
            return self.view.default(slot)
        is_replacement = self.row["kind"] == ReviewKind.REPLACEMENT
        return self.view.rows.get(self.row["base_fact"] or "") if is_replacement else None

    def _correct(self, slot: Slot) -> None:
        """The stored value never was true; without a new one the slot is left empty."""
        base = self.view.rows.get(self.row["base_fact"] or "")
        said = self._said()
        held = self.view.holding(slot, self.value, self.row["until"]) if self.value else None
        fact_id = self.moves.fact_id(slot, said[0]) if self.value and not held else None
        if base and base is not held:
            self.moves.corrected(base, fact_id or (held.id if held else None))
            mark_for_rewriting(self.moves.sql, [base.id], self.moves.now)
            self.undo.ended.append(base.id)
        if held:
            self._restate(held, said)
        elif fact_id:
            self._write(slot, said, fact_id)

    def _forget(self, slot: Slot) -> None:
        """The fact that is meant: the base, the one with the given value or id, or the only one there is."""
        rows = list(self.view.rows.values())
        if self.edited:
            targets = [row for row in rows if row.id == self.edited or same_value(row.value, self.edited)]
        elif self.row["base_fact"]:
            targets = [row for row in rows if row.id == self.row["base_fact"]]
        else:
            targets = [row for row in rows if not self.value or same_value(row.value, self.value)]
            targets = targets if len(targets) == 1 or not slot.multi else []
        if not targets:
            held = ", ".join(repr(row.value) for row in rows) or "nothing"
            raise ValueNeeded(
                f"{self.row['id']} does not say what to forget (the slot holds {held})",
                f"`afterpass review accept {self.row['id']} --value VALUE`, or reject it",
            )
        doomed = rows_to_forget(targets, rows)
        stated_at = self._said()[0].stated_at
        self.undo.tombstones = self.moves.forgotten(
            doomed, forgotten_at=stated_at, erase_at=self.moves.now + timedelta(days=GRACE_DAYS)
        )
        self.undo.ended += [row.id for row in doomed]
        self.undo.closed = Asking(self.moves, self.view).close(items_about(self.view, doomed), "its slot was forgotten")

    def _write(self, slot: Slot, said: list[Statement], fact_id: str) -> None:
        row = self.moves.written(
            slot, self.value, said, until=self.row["until"], confirmed_by=self.moves.actor, fact_id=fact_id
        )
        self.undo.written = row.id

    def _restate(self, held: Row, said: list[Statement]) -> None:
        fresh = [each for each in said if not self.view.fact_said_by(held.slot, held.value, each)]
        _, self.undo.statements = self.moves.reconfirmed(held, fresh, confirmed_by=self.moves.actor)
        self.undo.keep_before(held)

    def _said(self) -> list[Statement]:
        """The distinct statements behind the accepted value, the newest first; for an edited one the newest of all."""
        rows = self.moves.sql.rows("proposal_statements", review_id=self.row["id"])
        wanted = [row for row in rows if same_value(row["value"], self.value)] or rows[:1]
        distinct: list[Statement] = []
        for row in wanted:
            statement = Statement.from_row(row)
            if not any(statement.is_same_as(other) for other in distinct):
                distinct.append(statement)
        return distinct

    def _close_answered(self, slot: Slot) -> None:
        """Other open questions of the slot whose proposal is what it holds now are answered too."""
        items = [
            item
            for item in self.view.items.values()
            if item.slot.key == slot.key
            and item.kind != ReviewKind.FORGET_UNCLEAR
            and same_value(item.proposed, self.value)
        ]
        self.undo.closed += Asking(self.moves, self.view).close(items, f"answered by {self.row['id']}")


def _quoted(value: str | None) -> str:
    return "nothing" if value is None else repr(value)
