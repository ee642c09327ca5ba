"""Upkeep: what ends by itself, what is past its horizon, and what is not kept for ever."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from store.asking import Asking
from store.erasing import erase
from store.records import Upkeep
from store.slots import Row
from store.sql import Sql, one_query, transactional
from store.transitions import Transitions
from store.view import SlotView

ACTOR = "upkeep"


@dataclass(frozen=True, slots=True)
class Horizons:
    """After how many days what happens; a policy may choose others."""

    review: float = 90  # an open item that nobody decides expires
    archive: float = 730  # a row that is no longer believed leaves every reading path
    reply: float = 90  # a raw model reply is emptied
    turn: float = 180  # a kept turn that no fact and no question rests on is deleted
    recall: float = 365  # the record of what was read back is deleted
    note: float = 730  # a note is deleted: what came of a session two years ago helps nobody


class UpkeepOf:
    """The upkeep's part of an open store; see :class:`store.interface.Keeping`."""

    sql: Sql

    @transactional
    def upkeep(self, *, now: datetime, horizons: Horizons | None = None, dry_run: bool = False) -> Upkeep:
        horizons = horizons or Horizons()
        moves = Transitions(self.sql, ACTOR, now)
        over = _rows(self.sql, "dated_rules_over", today=now.date())
        old = _rows(self.sql, "rows_past_horizon", before=_ago(now, horizons.archive))
        doomed = _rows(self.sql, "due_for_erasure", now=now)
        items = self.sql.rows("undecided_items", before=_ago(now, horizons.review), now=now)
        found = Upkeep(
            expired=_ids(over),
            archived=_ids(old),
            erased=_ids(doomed),
            reviews=tuple(row["id"] for row in items),
            replies=int(self.sql.value("old_replies", before=_ago(now, horizons.reply))),
            turns=tuple(row["id"] for row in self.sql.rows("loose_turns", before=_ago(now, horizons.turn))),
            recalls=tuple(row["id"] for row in self.sql.rows("old_recalls", before=_ago(now, horizons.recall))),
            notes=tuple(row["id"] for row in self.sql.rows("old_notes", before=_ago(now, horizons.note))),
            compact=bool(doomed) or self.needs_compacting(),
        )
        if dry_run:
            return found
        moves.reason = "its last day has passed"
        for row in over:
            moves.expired(row)
        moves.reason = f"ended more than {horizons.archive:g} days ago"
        for row in old:
            moves.archived(row)
        moves.reason = f"nobody decided it for {horizons.review:g} days"
        self._close(moves, items)
        moves.reason = "its grace time is over"
        for _, group in groupby(doomed, key=lambda row: row.slot.key):
            erase(moves, list(group))
        if found.replies:
            self.sql.change("empty_old_replies", before=_ago(now, horizons.reply))
        if found.turns:
            self.sql.change("drop_turns", ids=list(found.turns))
            self.sql.change("loosen_candidates", ids=list(found.turns))
        if found.recalls:
            self.sql.change("drop_recalled", ids=list(found.recalls))
            self.sql.change("drop_recalls", ids=list(found.recalls))
        if found.notes:
            self.sql.change("erase_notes", ids=list(found.notes))
        moves.log()
        return found

    @one_query
    def needs_compacting(self) -> bool:
        return self.sql.value("chore", name="compact") is not None

    def _close(self, moves: Transitions, rows: list[dict[str, object]]) -> None:
        view = SlotView()
        Asking(moves, view).close([view.add_item(row) for row in rows], moves.reason)


def _rows(sql: Sql, query: str, **values: object) -> list[Row]:
    return [Row.from_row(row) for row in sql.rows(query, **values)]


def _ids(rows: list[Row]) -> tuple[str, ...]:
    return tuple(row.id for row in rows)


def _ago(now: datetime, days: float) -> datetime:
    return now - timedelta(days=days)
