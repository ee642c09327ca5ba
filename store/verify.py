"""Verify: every invariant of the store derived again from its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from store.ids import text_hash
from store.kept import LONGEST_TURN
from store.scrub import MARK
from store.slots import Row
from store.sql import Sql, transactional

# What a query finds is broken, in words.
RULES = {
    "broken_active_keys": "a fact has an active key exactly while it is active",
    "broken_slots": "a slot holds at most one active value",
    "broken_successors": "a superseded fact names a successor that exists",
    "broken_ends": "a fact has an end exactly when it is not active",
    "broken_evidence": "a fact has its evidence until it is erased",
    "broken_counts": "a fact was stated as often as it has statements",
    "broken_erasures": "an erased fact has neither value nor words",
    "orphaned_statements": "a statement belongs to a fact and stands in a kept turn",
    "orphaned_proposals": "a proposal belongs to a review item and stands in a kept turn",
    "orphaned_candidates": "a candidate belongs to a session, and what it names exists",
    "broken_open_keys": "a review item has an open key exactly while it is open",
    "broken_items": "a review item has a proposal, and the facts that it names exist",
    "broken_fact_stories": "the event log replays to the state of every fact",
    "broken_item_stories": "the event log replays to the state of every review item",
    "orphaned_events": "an event is about something that exists",
    "missing_tombstones": "a forgotten fact left a tombstone",
    "orphaned_recalled": "what was read back belongs to a recall, and its fact exists",
    "orphaned_answered": "what was answered is a fact that exists",
    "broken_notes": "a session that was read has one note at most",
    "broken_leases": "a session has a lease exactly while it is running",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One row that breaks a rule."""

    rule: str
    id: str
    says: str

    def to_json(self) -> dict[str, Any]:
        """``{"rule", "id", "says"}``."""
        return {"rule": self.rule, "id": self.id, "says": self.says}


class VerifyOf:
    """The verification's part of an open store; see :class:`store.interface.Safety`."""

    sql: Sql

    @transactional
    def verify(self) -> list[Problem]:
        found = [Problem(rule, str(row["id"]), says) for rule, says in RULES.items() for row in self.sql.rows(rule)]
        return [*found, *_keys(self.sql), *_quotes(self.sql), *_hashes(self.sql), *_sources(self.sql)]


def _keys(sql: Sql) -> Iterator[Problem]:
    for values in sql.rows("active_keys"):
        row = Row.from_row(values)
        expected = (row.slot.key, row.slot.active_key(row.value, row.valid_until))
        if expected != (values["slot"], values["active_key"]):
            yield Problem("wrong_keys", row.id, "slot and active key are those of the row's own columns")


def _quotes(sql: Sql) -> Iterator[Problem]:
    """The words stand in their turn, unless the turn was too long to be kept whole or a value was forgotten in it."""
    for row in sql.rows("statements_in_turns"):
        cut = len(row["text"]) >= LONGEST_TURN or MARK in row["text"] or MARK in row["quote"]
        if not cut and row["quote"] not in row["text"]:
            yield Problem("wrong_quotes", row["id"], "a statement's words stand in its turn")


def _hashes(sql: Sql) -> Iterator[Problem]:
    for row in sql.rows("kept_texts"):
        if text_hash(row["text"]) != row["text_hash"]:
            yield Problem("wrong_hashes", row["id"], "a kept turn has the hash of its text")


def _sources(sql: Sql) -> Iterator[Problem]:
    known = None
    for row in sql.rows("named_sources"):
        known = known or {each["id"] for each in sql.rows("source_ids")}
        if not set(json.loads(row["derived_from"])) <= known:
            yield Problem("missing_sources", row["id"], "what something was built on exists")
