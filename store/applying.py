"""What each disposition does to the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from policy.model import Policy
from store.asking import Asking
from store.errors import StaleDecision
from store.records import Applied, ReviewKind
from store.redaction import clean
from store.slots import Row, Slot, Statement, same_value
from store.transitions import Transitions
from store.view import OpenItem, SlotView
from validators.verdict import Decision, Disposition

GRACE_DAYS = 7  # how long what a pass forgot can be taken back before it is erased

AGAINST = frozenset(
    {
        ReviewKind.REPLACEMENT,
        ReviewKind.CORRECTION,
        ReviewKind.CONTRADICTS_REPO,
        ReviewKind.CONFIRMATION,
        ReviewKind.FORGET_UNCLEAR,
    }
)
"""The kinds of items that put a stored row in question."""
STOOD_BY = "a person stood by the stored value since"
"""Why an item is closed that a confirmation has answered. It is not asked again for what was known then."""

Outcome = tuple[Applied, str | None, str | None]  # what was done, the fact's id, the review item's id


@dataclass(slots=True)
class Applying:
    """Applies decisions one after another; the view is what the slots hold by now."""

    policy: Policy
    moves: Transitions
    view: SlotView
    asking: Asking
    second_hand: bool = False  # the words stand in no transcript: they may ask, and nothing else

    def apply(self, decision: Decision, said: Statement) -> Outcome:
        """One decision that changes something. Raises StaleDecision where the slot is not what was judged."""
        if self.second_hand and decision.disposition is not Disposition.QUEUE:
            raise ValueError(f"words that somebody passed on cannot {decision.disposition}")
        match decision.disposition:
            case Disposition.WRITE:
                return self._write(decision, said)
            case Disposition.RECONFIRM:
                return self._reconfirm(decision, said)
            case Disposition.QUEUE:
                return self._queue(decision, said)
            case Disposition.FORGET:
                return self._forget(decision, said)
            case _:
                return Applied.KEPT, None, None

    def slot(self, decision: Decision) -> Slot:
        """The slot that a decision is about."""
        if not decision.owner:
            raise ValueError(f"a decision to {decision.disposition} has an owner")
        return Slot.of(self.policy.types[decision.type], decision.owner, clean(decision.subject))

    def _write(self, decision: Decision, said: Statement) -> Outcome:
        slot, value = self.slot(decision), clean(decision.value)
        used = self.view.fact_said_by(slot, value, said)
        if used:
            return Applied.ALREADY_USED, used, None
        same = self.view.holding(slot, value, decision.until)
        if same:
            return self._restate(same, said)
        default = None if slot.multi or decision.until else self.view.default(slot)
        if default and default.id not in self.view.born_here:
            raise _stale(default)
        if default:
            # Two values for one slot in one session: the checks let the later one pass, a person decides.
            return self._ask(decision, slot, ReviewKind.REPLACEMENT, said, default)
        row = self.moves.written(slot, value, [said], until=decision.until)
        self.view.put(row, [said], born=True)
        self._answered(slot, value)
        return Applied.WRITTEN, row.id, None

    def _reconfirm(self, decision: Decision, said: Statement) -> Outcome:
        targets = self._targets(decision)
        if not targets and self._ended_here(decision):
            return self._write(decision, said)
        slot = self.slot(decision)
        row = targets[0] if targets else self.view.holding(slot, clean(decision.value), decision.until)
        if row is None:
            raise _stale(None, decision)
        return self._restate(row, said, confirms=decision.confirms)

    def _restate(self, row: Row, said: Statement, *, confirms: bool = False) -> Outcome:
        if self.view.fact_said_by(row.slot, row.value, said):
            return Applied.ALREADY_USED, row.id, None
        person = (said.developer or "the developer") if confirms else None
        after, _ = self.moves.reconfirmed(row, [said], confirmed_by=person, confirmed_at=said.stated_at)
        self.view.put(after, [said], born=False)
        self._answered(row.slot, row.value)
        return Applied.RECONFIRMED, row.id, None

    def _queue(self, decision: Decision, said: Statement) -> Outcome:
        kind, slot = ReviewKind(decision.code.value), self.slot(decision)
        targets = self._targets(decision)
        if decision.targets and not targets and not self._ended_here(decision):
            raise _stale(None, decision)
        held = self.view.holding(slot, clean(decision.value), decision.until)
        if kind is ReviewKind.CONFIRMATION and held and not self.second_hand:
            return self._restate(held, said)  # stated by now: an assent to it says it again, and asks nothing
        if kind is ReviewKind.FORGET_UNCLEAR:
            base = targets[0] if len(targets) == 1 else None
        else:
            base = targets[0] if targets else (None if slot.multi else self.view.default(slot))
        return self._ask(decision, slot, kind, said, base)

    def _ask(self, decision: Decision, slot: Slot, kind: ReviewKind, said: Statement, base: Row | None) -> Outcome:
        value, detail = clean(decision.value), clean(decision.detail)
        if base and base.slot.key != slot.key:
            slot = base.slot  # the same slot under an older name
        applied, item = self.asking.ask(slot, kind, value, said, until=decision.until, detail=detail, base=base)
        return applied, base.id if base else None, item

    def _forget(self, decision: Decision, said: Statement) -> Outcome:
        rows = self._to_forget(decision)
        if not rows:
            if self._ended_here(decision):
                return Applied.ALREADY_USED, None, None
            raise _stale(None, decision)
        erase_at = self.moves.now + timedelta(days=GRACE_DAYS)
        for slot in {row.slot.key: row.slot for row in rows}.values():
            ours = [row for row in rows if row.slot.key == slot.key]
            self.moves.forgotten(ours, forgotten_at=said.stated_at, erase_at=erase_at)
            for row in ours:
                self.view.take_out(row)
            self.asking.close(items_about(self.view, ours), "its slot was forgotten")
        return Applied.FORGOT, rows[0].id, None

    def _to_forget(self, decision: Decision) -> list[Row]:
        """The targets; with them all rows of a slot with one value, or those of the same value where it has several."""
        targets = self._targets(decision)
        if not targets and not decision.targets:
            slot, value = self.slot(decision), clean(decision.value)
            targets = [row for row in self.view.active(slot) if not value or same_value(row.value, value)]
        return rows_to_forget(targets, self.view.rows.values())

    def _answered(self, slot: Slot, value: str) -> None:
        """The developer now said what a confirmation asked about: there is nothing left to decide."""
        items = [
            item
            for item in self.view.items.values()
            if item.slot.key == slot.key and item.kind == ReviewKind.CONFIRMATION and same_value(item.proposed, value)
        ]
        self.asking.close(items, "the developer has stated it since")

    def _targets(self, decision: Decision) -> list[Row]:
        """The rows that a decision names and that are still active. Without an id a row is known by slot and value."""
        found = []
        for target in decision.targets:
            row = self.view.rows.get(target.id or "")
            if row is None and target.id is None:
                row = self.view.holding(self.slot(decision), target.value, target.until)
            if row is not None:
                found.append(row)
        return found

    def _ended_here(self, decision: Decision) -> bool:
        return any(target.id in self.view.ended_here for target in decision.targets)


def rows_to_forget(targets: Sequence[Row], active: Iterable[Row]) -> list[Row]:
    """The targets and what goes with them: a slot's dated rules, and in a multi-valued slot those of the same value."""
    found = {row.id: row for row in targets}
    for row in list(active):
        for target in targets:
            if row.slot.key == target.slot.key and (not row.slot.multi or same_value(row.value, target.value)):
                found[row.id] = row
    return list(found.values())


def items_about(view: SlotView, rows: Sequence[Row]) -> list[OpenItem]:
    """The open items that ask about these rows of one slot; where it has several values, about one of theirs."""
    slot = rows[0].slot
    found = []
    for item in view.items.values():
        about = [value for value in (item.proposed, item.base_value) if value]
        named = any(same_value(row.value, value) for row in rows for value in about)
        if item.slot.key == slot.key and (not slot.multi or named):
            found.append(item)
    return found


def items_against(view: SlotView, row: Row, until: datetime) -> list[OpenItem]:
    """The open items that would take the row's place or end it, raised by ``until``: who stands by it answers them.

    A dated rule stands beside its default: confirming one answers nothing about the other, and what is proposed for
    some days only is left alone.
    """
    others = set(view.rows) - {row.id}
    return [
        item
        for item in view.items.values()
        if item.slot.key == row.slot.key
        and item.kind in AGAINST
        and item.until is None
        and item.newest <= until
        and (item.base == row.id or (_has_default(row, item) and item.base not in others))
        and (item.kind == ReviewKind.FORGET_UNCLEAR or not same_value(item.proposed, row.value))
    ]


def _has_default(row: Row, item: OpenItem) -> bool:
    """Whether what is asked of the slot is asked of this row, whatever row it was asked about then."""
    return not row.slot.multi and row.valid_until is None and item.kind != ReviewKind.FORGET_UNCLEAR


def _stale(row: Row | None, decision: Decision | None = None) -> StaleDecision:
    what = f"fact {row.id}" if row else f"the {decision.type} slot" if decision else "a slot"
    return StaleDecision(f"{what} was changed after this session was judged", "read what is known and judge it again")
