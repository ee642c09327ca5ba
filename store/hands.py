"""Hands on: a person adds, edits, confirms, retires, restores or forgets a fact, through the same transitions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from policy.model import FactType, Scope
from store.applying import STOOD_BY, items_about, items_against, rows_to_forget
from store.asking import Asking
from store.erasing import erase
from store.errors import Conflict, NotFound, ValueNeeded
from store.facts import FactsOf, full_id
from store.ids import text_hash
from store.lineage import mark_for_rewriting
from store.records import Fact, FactState, Forgotten
from store.redaction import clean
from store.slots import Row, Slot, Statement, same_value
from store.sql import transactional
from store.transitions import Transitions
from store.view import SlotView
from validators.verdict import value_hash

BY_HAND = "by hand"
CHANGED = "the value was changed by hand"


class HandsOf(FactsOf):
    """What persons do to facts; see :class:`store.interface.Hands`."""

    @transactional
    def add_fact(
        self,
        fact_type: FactType,
        *,
        owner: str,
        subject: str,
        value: str,
        actor: str,
        now: datetime,
        until: date | None = None,
        derived_from: Sequence[str] = (),
        replace: bool = False,
    ) -> Fact:
        subject = "" if fact_type.subject.value == "none" else fact_type.canonical_subject(clean(subject))
        slot, value = Slot.of(fact_type, owner, subject), _value(value)
        moves = Transitions(self.sql, actor, now, reason=BY_HAND)
        view = SlotView()
        view.load(self.sql, [slot.key], [])
        said = [_said_by_hand(slot, value, actor, now)]
        held = view.holding(slot, value, until)
        if held:
            moves.reconfirmed(held, said, confirmed_by=actor)
            _close_against(moves, view, held, STOOD_BY)
            fact_id = held.id
        else:
            default = None if slot.multi or until else view.default(slot)
            if default and not replace:
                raise Conflict(
                    f"the slot holds {default.value!r} ({default.id})",
                    f"`afterpass facts edit {default.id} --value VALUE` changes it, --replace supersedes it",
                )
            fact_id = moves.fact_id(slot, said[0])
            if default:
                moves.superseded(default, fact_id, now)
                _close_against(moves, view, default, CHANGED)
            row = moves.written(
                slot, value, said, until=until, confirmed_by=actor, fact_id=fact_id, derived_from=derived_from
            )
            _close_against(moves, view, row, CHANGED)  # asked where the slot was empty
        _close_answered(moves, view, slot, value)
        moves.log()
        return self._fact_now(fact_id)

    @transactional
    def edit_fact(self, fact_id: str, value: str, *, actor: str, now: datetime, wrong: bool = False) -> Fact:
        """A new row takes the place of the old one: superseded, or marked wrong where it never was true."""
        row, value = self._row(fact_id), _value(value)
        _must_be(row, FactState.ACTIVE)
        if same_value(row.value, value):
            raise Conflict(f"{row.id} holds {row.value!r} already", f"`afterpass facts confirm {row.id}`")
        moves = Transitions(self.sql, actor, now, reason=BY_HAND)
        view = SlotView()
        view.load(self.sql, [row.slot.key], [row.id])
        said = [_said_by_hand(row.slot, value, actor, now)]
        held = view.holding(row.slot, value, row.valid_until)
        new_id = held.id if held else moves.fact_id(row.slot, said[0])
        _close_answered(moves, view, row.slot, value)
        _close_against(moves, view, row, CHANGED)
        if wrong:
            moves.corrected(row, new_id)
            mark_for_rewriting(self.sql, [row.id], now)
        else:
            moves.superseded(row, new_id, now)
        if held:
            moves.reconfirmed(held, said, confirmed_by=actor)
        else:
            moves.written(row.slot, value, said, until=row.valid_until, confirmed_by=actor, fact_id=new_id)
        moves.log()
        return self._fact_now(new_id)

    @transactional
    def confirm_fact(self, fact_id: str, *, actor: str, now: datetime) -> Fact:
        """A person stands by the value: its confirmation moves, its count of statements does not.

        What was asked about it until now is answered.
        """
        row = self._row(fact_id)
        _must_be(row, FactState.ACTIVE)
        moves = Transitions(self.sql, actor, now, reason=BY_HAND)
        view = SlotView()
        view.load(self.sql, [row.slot.key], [row.id])
        moves.reconfirmed(row, [], confirmed_by=actor)
        _close_against(moves, view, row, STOOD_BY)
        _close_answered(moves, view, row.slot, row.value)
        moves.log()
        return self._fact_now(row.id)

    @transactional
    def retire_fact(self, fact_id: str, *, actor: str, now: datetime, reason: str = "") -> Fact:
        row = self._row(fact_id)
        _must_be(row, FactState.ACTIVE)
        moves = Transitions(self.sql, actor, now, reason=clean(reason) or BY_HAND)
        view = SlotView()
        view.load(self.sql, [row.slot.key], [row.id])
        moves.retired(row)
        about = [item for item in view.items.values() if item.base == row.id]
        Asking(moves, view).close(about, "its fact was retired")
        moves.log()
        return self._fact_now(row.id)

    @transactional
    def restore_fact(self, fact_id: str, *, actor: str, now: datetime) -> Fact:
        """A retired, archived, wrong or superseded row, or a forgotten one that was not erased yet, is active again."""
        row = self._row(fact_id)
        if row.state in (FactState.ACTIVE, FactState.EXPIRED):
            raise Conflict(
                f"{row.id} is {row.state}", "a dated rule that has ended is added anew with `afterpass facts add`"
            )
        if not row.value:
            raise Conflict(f"{row.id} was erased", "nothing can bring it back; add it anew if it is needed")
        moves = Transitions(self.sql, actor, now, reason=BY_HAND)
        if row.state == FactState.FORGOTTEN:
            self._withdraw_tombstones(row, now)
        moves.restored(row)
        moves.log()
        return self._fact_now(row.id)

    @transactional
    def forget_fact(
        self, fact_id: str, *, actor: str, now: datetime, reason: str = "", at_once: bool = True, grace_days: float = 7
    ) -> Forgotten:
        """Gone from loading with everything that goes with it; ``at_once`` erases the value everywhere too.

        A fact that a pass has forgotten already is erased before its grace time is over. Erased values leave the bytes
        of the file when :meth:`store.store.Store.compact` has run.
        """
        row = self._row(fact_id)
        if not row.value:
            raise Conflict(f"{row.id} was erased before", "there is nothing left to forget")
        moves = Transitions(self.sql, actor, now, reason=clean(reason) or BY_HAND)
        rows = [row]
        if row.state == FactState.ACTIVE:
            rows = self._forget_active(moves, row, None if at_once else grace_days)
        elif not at_once:
            raise Conflict(f"{row.id} is {row.state} and not loaded", f"`afterpass facts forget {row.id}` erases it")
        else:
            self._forget_past(moves, row)
        changed = erase(moves, [self._row(each.id) for each in rows]) if at_once else {}
        moves.log()
        return Forgotten(tuple(each.id for each in rows), changed)

    def _forget_active(self, moves: Transitions, row: Row, grace_days: float | None) -> list[Row]:
        view = SlotView()
        view.load(self.sql, [row.slot.key], [row.id])
        rows = rows_to_forget([row], view.rows.values())
        erase_at = None if grace_days is None else moves.now + timedelta(days=grace_days)
        moves.forgotten(rows, forgotten_at=moves.now, erase_at=erase_at)
        Asking(moves, view).close(items_about(view, rows), "its slot was forgotten")
        return rows

    def _forget_past(self, moves: Transitions, row: Row) -> None:
        """A row that is not loaded goes for good, and with it every open question that would bring its value back."""
        if row.state != FactState.FORGOTTEN:
            moves.forgotten_past(row)
        view = SlotView()
        view.load(self.sql, [row.slot.key], [row.id])
        proposing = [
            item
            for item in view.items.values()
            if item.slot.key == row.slot.key and same_value(item.proposed, row.value)
        ]
        Asking(moves, view).close(proposing, "its value was forgotten")

    def _withdraw_tombstones(self, row: Row, now: datetime) -> None:
        ended_at = self._fact_now(row.id).ended_at
        ids = [
            stone["id"]
            for stone in self.sql.rows("tombstones_of_slot", slot=row.slot.key)
            if stone["recorded_at"] == ended_at and stone["value_hash"] in (None, _hash_of(row))
        ]
        self.sql.change("withdraw_tombstones", ids=ids, now=now)

    def _row(self, fact_id: str) -> Row:
        values = self.sql.one("fact_row", id=full_id(self.sql, "fact_ids_like", fact_id, "fact", "facts --all"))
        if values is None:
            raise NotFound(f"there is no fact {fact_id!r}", "`afterpass facts --all` lists them")
        return Row.from_row(values)

    def _fact_now(self, fact_id: str) -> Fact:
        return self._facts_by_id([fact_id])[0]


def _value(value: str) -> str:
    value = clean(value).strip()
    if not value:
        raise ValueNeeded("a fact needs a value", "give one")
    return value


def _hash_of(row: Row) -> str:
    return value_hash(row.value)


def _must_be(row: Row, state: FactState) -> None:
    if row.state != state:
        raise Conflict(f"{row.id} is {row.state}", f"`afterpass facts restore {row.id}` makes it active again")


def _said_by_hand(slot: Slot, value: str, actor: str, now: datetime) -> Statement:
    """What a person says to Afterpass itself is a statement too; it stands in no transcript."""
    turn = f"{BY_HAND} {now.isoformat()}"
    developer = slot.owner if slot.scope == Scope.DEVELOPER.value else actor
    return Statement(
        session_key=BY_HAND,
        session=BY_HAND,
        turn=turn,
        start=0,
        end=len(value),
        quote=value,
        stated_at=now,
        said_at=now,
        turn_hash=text_hash(turn),
        developer=developer,
    )


def _close_against(moves: Transitions, view: SlotView, row: Row, reason: str) -> None:
    """What a person does to a fact answers what was asked about it before."""
    Asking(moves, view).close(items_against(view, row, moves.now), reason)


def _close_answered(moves: Transitions, view: SlotView, slot: Slot, value: str) -> None:
    items = [
        item
        for item in view.items.values()
        if item.slot.key == slot.key and item.proposed and same_value(item.proposed, value)
    ]
    Asking(moves, view).close(items, "answered by hand")
