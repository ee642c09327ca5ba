"""Every change of a fact, each by its own name: compare-and-set, with actor, reason and time in the event log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from store.errors import Conflict
from store.ids import short_id
from store.records import FactState
from store.slots import Row, Slot, Statement, owner_of
from store.sql import Sql
from validators.verdict import value_hash

EVIDENCE = ("session", "session_key", "turn", "start_char", "end_char", "quote", "said_at", "turn_id")


@dataclass(slots=True)
class Transitions:
    """The changes of one transaction, made by one actor for one reason. Call :meth:`log` before it is committed."""

    sql: Sql
    actor: str
    now: datetime
    reason: str = ""
    session_key: str | None = None
    review_id: str | None = None
    _events: list[dict[str, Any]] = field(default_factory=list)

    def written(
        self,
        slot: Slot,
        value: str,
        said: Sequence[Statement],
        *,
        until: date | None = None,
        confirmed_by: str | None = None,
        derived_from: Iterable[str] = (),
        fact_id: str | None = None,
    ) -> Row:
        """A new active row. ``said`` are the distinct statements behind it, the first one is its evidence.

        A low-stakes fact counts as confirmed by its statement; a high-stakes one only by ``confirmed_by``, a person.
        """
        first, stated_at = said[0], max(statement.stated_at for statement in said)
        fact_id = fact_id or self.fact_id(slot, first)
        confirmed_at = self.now if confirmed_by else (None if slot.stakes == "high" else stated_at)
        row = Row(fact_id, slot, value, FactState.ACTIVE, stated_at, until, confirmed_at, confirmed_by, len(said))
        kept = self._keep_statements(fact_id, said)
        self.sql.change(
            "add_fact",
            id=fact_id,
            owner=slot.owner,
            scope=slot.scope,
            type=slot.type,
            subject=slot.subject,
            value=value,
            multi=slot.multi,
            stakes=slot.stakes,
            slot=slot.key,
            active_key=slot.active_key(value, until),
            stated_at=stated_at,
            now=self.now,
            valid_from=min(statement.stated_at for statement in said),
            valid_until=until,
            confirmed_at=confirmed_at,
            confirmed_by=confirmed_by,
            times_stated=len(said),
            derived_from=_json_list(derived_from),
            developer=first.developer,
            evidence_id=kept[0],
            path=first.path,
            transcript_hash=first.transcript_hash,
            **{name: first.values()[name] for name in EVIDENCE},
        )
        self.event("written", slot, fact_id=fact_id, to_state=FactState.ACTIVE)
        return row

    def fact_id(self, slot: Slot, first: Statement) -> str:
        """The id of the fact that a statement will be the evidence of."""
        return self.new_id("f", slot.key, first.session_key, first.turn, first.start, first.end)

    def reconfirmed(
        self,
        row: Row,
        said: Sequence[Statement],
        *,
        confirmed_by: str | None = None,
        confirmed_at: datetime | None = None,
    ) -> tuple[Row, list[str]]:
        """The value was said again: its date moves on, never back, and its count goes up by the new statements.

        ``confirmed_by`` is a person who stands by the value, at ``confirmed_at`` where that was not now. Gives the row
        as it now is and the ids of the statements that were added.
        """
        then = confirmed_at or self.now
        stated_at = max([row.stated_at, *(statement.stated_at for statement in said)])
        confirmed_at, by = row.confirmed_at, row.confirmed_by
        if confirmed_by and (confirmed_at is None or then >= confirmed_at):
            confirmed_at, by = then, confirmed_by
        elif row.slot.stakes != "high":
            confirmed_at = max(confirmed_at or stated_at, stated_at)
        after = replace(
            row,
            stated_at=stated_at,
            confirmed_at=confirmed_at,
            confirmed_by=by,
            times_stated=row.times_stated + len(said),
        )
        self._restate(row, after)
        kept = self._keep_statements(row.id, said)
        self.event(
            "confirmed" if confirmed_by else "reconfirmed",
            row.slot,
            fact_id=row.id,
            from_state=FactState.ACTIVE,
            to_state=FactState.ACTIVE,
        )
        return after, kept

    def put_back(self, row: Row, before: Row, statements: list[str]) -> None:
        """Undo of a reconfirmation: the dates and the count as they were, without the statements that it added."""
        self._restate(row, before)
        self.sql.change("drop_statements", ids=statements)
        self.event("unconfirmed", row.slot, fact_id=row.id, from_state=FactState.ACTIVE, to_state=FactState.ACTIVE)

    def superseded(self, row: Row, by: str, said_at: datetime) -> None:
        """A newer value takes the slot: the row was true until then. ``by`` is the successor, which is written next."""
        self._end(row, FactState.SUPERSEDED, superseded_by=by, superseded_at=said_at)

    def corrected(self, row: Row, by: str | None) -> None:
        """The row was never true; ``by`` is what is true instead, where that was said."""
        self._end(row, FactState.WRONG, superseded_by=by)

    def retired(self, row: Row) -> None:
        """A person takes the row out of use."""
        self._end(row, FactState.RETIRED)

    def expired(self, row: Row) -> None:
        """The last day of a dated rule has passed."""
        self._end(row, FactState.EXPIRED)

    def archived(self, row: Row) -> None:
        """The row is past its horizon: out of every reading path, kept for a dispute. It remembers what it was."""
        self._changed(self.sql.change("archive_fact", id=row.id, from_state=row.state), row)
        self.event(str(FactState.ARCHIVED), row.slot, fact_id=row.id, from_state=row.state, to_state=FactState.ARCHIVED)

    def forgotten(self, rows: Sequence[Row], *, forgotten_at: datetime, erase_at: datetime | None = None) -> list[str]:
        """The rows of one slot are no longer loaded, at once, and tombstones without their values stay; their ids."""
        for row in rows:
            self._end(row, FactState.FORGOTTEN, erase_at=erase_at)
        return self._tombstones(rows, forgotten_at)

    def forgotten_past(self, row: Row) -> list[str]:
        """A row of the past is forgotten: it says no more, and what was said of it while it held does not come back."""
        values = self.sql.one("end_of_fact", id=row.id) or {}
        self._changed(self.sql.change("forget_past_fact", id=row.id, from_state=row.state), row)
        self.event(
            str(FactState.FORGOTTEN), row.slot, fact_id=row.id, from_state=row.state, to_state=FactState.FORGOTTEN
        )
        return self._tombstones([row], values.get("superseded_at") or values.get("ended_at") or self.now)

    def _tombstones(self, rows: Sequence[Row], forgotten_at: datetime) -> list[str]:
        slot = rows[0].slot
        hashes: list[str | None] = [None]
        if slot.multi:
            hashes = list(dict.fromkeys(value_hash(row.value) for row in rows))
        stones: list[dict[str, Any]] = [
            {
                "id": self.new_id("x", slot.key, forgotten_at, place),
                "owner": slot.owner,
                "scope": slot.scope,
                "type": slot.type,
                "subject": slot.subject,
                "slot": slot.key,
                "value_hash": digest,
                "forgotten_at": forgotten_at,
                "now": self.now,
                "actor": self.actor,
                "reason": self.reason,
                "session_key": self.session_key,
            }
            for place, digest in enumerate(hashes)
        ]
        self.sql.many("add_tombstone", stones)
        return [stone["id"] for stone in stones]

    def restored(self, row: Row, *, action: str = "restored") -> None:
        """The row is active again. Raises Conflict where its slot has been taken since."""
        if not row.value:
            raise Conflict(f"fact {row.id} was erased", "nothing can bring it back")
        active_key = row.slot.active_key(row.value, row.valid_until)
        if self.sql.value("holder_of", active_key=active_key):
            raise Conflict(f"the slot of {row.id} holds another value now", "look at it with `afterpass facts`")
        self._changed(self.sql.change("revive_fact", id=row.id, from_state=row.state, active_key=active_key), row)
        self.event(action, row.slot, fact_id=row.id, from_state=row.state, to_state=FactState.ACTIVE)

    def event(self, action: str, slot: Slot, **values: Any) -> None:
        """Put one line into the log of this transaction."""
        line = {"fact_id": None, "from_state": None, "to_state": None, **values}
        self._events.append(
            {
                **line,
                "now": self.now,
                "actor": self.actor,
                "action": action,
                "owner": slot.owner,
                "type": slot.type,
                "subject": slot.subject,
                "slot": slot.key,
                "review_id": values.get("review_id", self.review_id),
                "reason": self.reason,
                "session_key": self.session_key,
            }
        )

    def log(self) -> None:
        """Write the log. Its numbers are in the order of what happened; what was snapshot before is dropped."""
        self.sql.snapshots.drop(owner_of(event["slot"]) for event in self._events)
        self.sql.many("add_event", self._events)
        self._events.clear()

    def new_id(self, prefix: str, *parts: object) -> str:
        """An id that no row has yet; the same one for the same place in a transcript, as far as that goes."""
        salt = 0
        while self.sql.value("is_taken", id=(found := short_id(prefix, *parts, salt))):
            salt += 1
        return found

    def _keep_statements(self, fact_id: str, said: Sequence[Statement]) -> list[str]:
        rows = [
            {
                **statement.values(),
                "id": short_id(
                    "s", fact_id, statement.session_key, statement.turn, statement.start, statement.end, length=12
                ),
                "fact_id": fact_id,
                "now": self.now,
            }
            for statement in said
        ]
        self.sql.many("add_statement", rows)
        return [row["id"] for row in rows]

    def _restate(self, row: Row, after: Row) -> None:
        changed = self.sql.change(
            "restate_fact",
            id=row.id,
            stated_at=after.stated_at,
            times_stated=after.times_stated,
            confirmed_at=after.confirmed_at,
            confirmed_by=after.confirmed_by,
            times_before=row.times_stated,
        )
        self._changed(changed, row)

    def _end(
        self,
        row: Row,
        state: FactState,
        *,
        superseded_by: str | None = None,
        superseded_at: datetime | None = None,
        erase_at: datetime | None = None,
    ) -> None:
        changed = self.sql.change(
            "end_fact",
            id=row.id,
            from_state=row.state,
            to_state=state,
            superseded_by=superseded_by,
            superseded_at=superseded_at,
            erase_at=erase_at,
            now=self.now,
        )
        self._changed(changed, row)
        self.event(str(state), row.slot, fact_id=row.id, from_state=row.state, to_state=state)

    def _changed(self, count: int, row: Row) -> None:
        if count != 1:
            raise Conflict(f"fact {row.id} is no longer {row.state}", "look at it with `afterpass facts --all`")


def _json_list(ids: Iterable[str]) -> str:
    import json

    return json.dumps(list(ids))
