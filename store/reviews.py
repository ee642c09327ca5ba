"""The queue: what is asked, and reading it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from store.facts import evidence_of, fact_of, full_id
from store.records import Fact, Proposal, Review, ReviewKind, ReviewState
from store.sql import Sql, transactional
from validators.verdict import fold_value


class ReviewsOf:
    """The reading half of the queue's part; see :class:`store.interface.Reviews`."""

    sql: Sql

    @transactional
    def reviews(self, *, all: bool = False, repo: str | None = None) -> list[Review]:  # noqa: A002 - the command's word
        rows = self.sql.rows("items_in", every=all, any_owner=repo is None, repo=repo, developer=None)
        return self._reviews(rows)

    @transactional
    def open_reviews(self, owner: str, developer: str | None) -> list[Review]:
        rows = self.sql.rows("items_in", every=False, any_owner=False, repo=owner, developer=developer)
        return self._reviews(rows)

    @transactional
    def review(self, item_id: str) -> Review:
        found = full_id(self.sql, "item_ids_like", item_id, "review item", "review --all")
        row = self.sql.one("item_named", id=found)
        return self._reviews([row] if row else [])[0]

    def _reviews(self, rows: Sequence[Mapping[str, Any]]) -> list[Review]:
        """The items with their proposals and the facts they were made against, each read at once."""
        if not rows:
            return []
        proposals: dict[str, list[Proposal]] = {}
        for row in self.sql.rows("proposals_of", ids=[row["id"] for row in rows]):
            proposal = Proposal(
                row["value"], row["stated_at"], row["recorded_at"], row["candidate_id"], evidence_of(row)
            )
            proposals.setdefault(row["review_id"], []).append(proposal)
        bases = [row["base_fact"] for row in rows if row["base_fact"]]
        facts = {row["id"]: fact_of(row) for row in self.sql.rows("facts_named", ids=bases)} if bases else {}
        refused = self._refused([row["slot"] for row in rows])
        return [
            replace(
                _review(row, facts.get(row["base_fact"]), tuple(proposals.get(row["id"], ()))),
                refusals=refused[row["slot"], fold_value(row["proposed"])],
            )
            for row in rows
        ]

    def _refused(self, slots: list[str]) -> Counter[tuple[str, str]]:
        """How often each value of these slots was refused."""
        rows = self.sql.rows("refusals_of_slots", slots=slots)
        return Counter((row["slot"], fold_value(row["value"])) for row in rows)


def is_stale(row: Mapping[str, Any]) -> bool:
    """Whether the fact that an open item was made against has changed, or its empty slot was filled, since."""
    if row["state"] != ReviewState.OPEN:
        return False
    if row["base_fact"]:
        return bool(row["base_state"] != "active")
    if row["multi"] or row["until"] or row["kind"] == ReviewKind.FORGET_UNCLEAR or row["now_value"] is None:
        return False
    return fold_value(row["now_value"]) != fold_value(row["proposed"])


def _review(row: Mapping[str, Any], base: Fact | None, proposals: tuple[Proposal, ...]) -> Review:
    return Review(
        id=row["id"],
        kind=ReviewKind(row["kind"]),
        owner=row["owner"],
        scope=row["scope"],
        type=row["type"],
        subject=row["subject"],
        current=row["base_value"],
        proposed=row["proposed"] or None,
        until=row["until"],
        state=ReviewState(row["state"]),
        stale=is_stale(row),
        now=row["now_value"],
        multi=row["multi"],
        stakes=row["stakes"],
        detail=row["detail"],
        opened_at=row["opened_at"],
        updated_at=row["updated_at"],
        snoozed_until=row["snoozed_until"],
        decided_at=row["decided_at"],
        decided_by=row["decided_by"],
        decided_value=row["decided_value"],
        reason=row["reason"],
        base=base,
        result_fact=row["result_fact"],
        proposals=proposals,
    )
