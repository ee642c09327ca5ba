"""Putting a question into the queue: one open item for each slot and kind, which newer proposals join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from store.ids import short_id
from store.records import Applied, ReviewKind, ReviewState
from store.slots import Row, Slot, Statement
from store.transitions import Transitions
from store.view import OpenItem, Said, SlotView


@dataclass(slots=True)
class Asking:
    """Opens, joins and closes the items of the slots in view."""

    moves: Transitions
    view: SlotView

    def ask(
        self,
        slot: Slot,
        kind: ReviewKind,
        value: str,
        said: Statement,
        *,
        until: date | None,
        detail: str,
        base: Row | None,
    ) -> tuple[Applied, str]:
        """Open an item, or let the open one of this slot and kind take the proposal in."""
        asked = self.view.item_asked_by(slot, kind, value, said)
        if asked:
            return (Applied.JOINED if asked.state == ReviewState.OPEN else Applied.ALREADY_USED), asked.row_id
        about = base.id if base and kind is ReviewKind.CORRECTION else value
        open_key = slot.open_key(kind, about)
        item = self.view.items.get(open_key)
        if item:
            self._join(item, value, said, until=until, detail=detail, base=base)
            applied = Applied.JOINED
        else:
            item = self._open(slot, kind, open_key, value, said, until=until, detail=detail, base=base)
            applied = Applied.QUEUED
        self._propose(item, value, said, until=until)
        action = "queued" if applied is Applied.QUEUED else "joined"
        self.moves.event(action, slot, review_id=item.id, to_state=ReviewState.OPEN)
        return applied, item.id

    def close(self, items: Iterable[OpenItem], reason: str) -> list[str]:
        """Close items that nobody needs to decide any more; their ids. They are shown as expired, with the reason."""
        closed = list(items)
        ids = [item.id for item in closed]
        if closed:
            self.moves.sql.change("close_items", ids=ids, reason=reason, actor=self.moves.actor, now=self.moves.now)
        for item in closed:
            self.moves.event(
                "closed", item.slot, review_id=item.id, from_state=ReviewState.OPEN, to_state=ReviewState.EXPIRED
            )
            self.view.items.pop(item.open_key, None)
        return ids

    def _open(
        self,
        slot: Slot,
        kind: ReviewKind,
        open_key: str,
        value: str,
        said: Statement,
        *,
        until: date | None,
        detail: str,
        base: Row | None,
    ) -> OpenItem:
        item_id = self.moves.new_id("r", slot.key, kind, said.session_key, said.turn, said.start)
        item = OpenItem(
            item_id,
            kind,
            slot,
            open_key,
            base.id if base else None,
            base.value if base else None,
            value,
            said.stated_at,
            until,
        )
        self.moves.sql.change(
            "open_item",
            id=item.id,
            kind=kind,
            owner=slot.owner,
            scope=slot.scope,
            type=slot.type,
            subject=slot.subject,
            multi=slot.multi,
            stakes=slot.stakes,
            slot=slot.key,
            open_key=open_key,
            base_fact=item.base,
            base_value=item.base_value,
            proposed=value,
            until=until,
            detail=detail,
            now=self.moves.now,
        )
        self.view.items[open_key] = item
        return item

    def _join(
        self, item: OpenItem, value: str, said: Statement, *, until: date | None, detail: str, base: Row | None
    ) -> None:
        """The proposal that was said last is the proposed one, whichever was read last."""
        if said.stated_at < item.newest:
            return
        item.proposed, item.newest, item.until = value, said.stated_at, until
        item.base, item.base_value = (base.id, base.value) if base else (None, None)
        self.moves.sql.change(
            "renew_item",
            id=item.id,
            proposed=value,
            until=until,
            detail=detail,
            base_fact=item.base,
            base_value=item.base_value,
            now=self.moves.now,
        )

    def _propose(self, item: OpenItem, value: str, said: Statement, *, until: date | None) -> None:
        self.moves.sql.change(
            "add_proposal",
            **said.values(),
            id=short_id("p", item.id, said.session_key, said.turn, said.start, said.candidate_id, length=12),
            review_id=item.id,
            value=value,
            until=until,
            developer=said.developer,
            now=self.moves.now,
        )
        self.view.said.append(Said(item.id, "review", item.slot.key, value, item.kind, ReviewState.OPEN, said))
