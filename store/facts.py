"""Reading what is believed and what was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from store.errors import AmbiguousId, NotFound
from store.records import Fact, FactState, StoredEvidence
from store.sql import Sql, one_query, transactional
from validators.verdict import KnownFact, Refusal, Tombstone

LEAST_OF_AN_ID = 4  # characters, as git has it


class FactsOf:
    """The facts' part of an open store; see :class:`store.interface.Facts`."""

    sql: Sql

    @one_query
    def known(self, owner: str, developer: str | None) -> list[KnownFact]:
        return [
            KnownFact(
                row["type"],
                row["subject"],
                row["value"],
                row["stated_at"],
                confirmed=row["confirmed_at"],
                until=row["valid_until"],
                id=row["id"],
            )
            for row in self.sql.rows("known_facts", repo=owner, developer=developer)
        ]

    @one_query
    def tombstones(self, owner: str, developer: str | None, *, as_of: datetime | None = None) -> list[Tombstone]:
        return [
            Tombstone(row["type"], row["subject"], row["forgotten_at"], row["value_hash"])
            for row in self.sql.rows("known_tombstones", repo=owner, developer=developer)
            if as_of is None or row["recorded_at"] <= as_of
        ]

    @one_query
    def refusals(self, owner: str, developer: str | None) -> list[Refusal]:
        return [
            Refusal(row["type"], row["subject"], row["value"], row["refused_at"])
            for row in self.sql.rows("known_refusals", repo=owner, developer=developer)
        ]

    @one_query
    def mark(self) -> int:
        return int(self.sql.value("last_event"))

    @transactional
    def facts(
        self,
        *,
        all: bool = False,  # noqa: A002 - the command's own word
        as_of: datetime | None = None,
        repo: str | None = None,
        developer: str | None = None,
        on: date | None = None,
    ) -> list[Fact]:
        found = self._listed(every=all or as_of is not None, repo=repo, developer=developer)
        if as_of is not None:
            return self._as_of(found, as_of, every=all)
        return found if on is None else _over(found, on, every=all)

    def _listed(self, *, every: bool, repo: str | None, developer: str | None) -> list[Fact]:
        """The rows of a repository, of a developer, of both, or of everybody; without the turns around their words."""
        if repo is None and developer is None:
            return [fact_of(row) for row in self.sql.rows("facts_of_all", every=every)]
        owners = [("developer", developer), ("repo", repo)]
        return [
            fact_of(row)
            for scope, owner in owners
            if owner is not None
            for row in self.sql.rows("facts_of", scope=scope, owner=owner, every=every)
        ]

    def _as_of(self, found: list[Fact], as_of: datetime, *, every: bool) -> list[Fact]:
        """The rows in the states recorded by then; a dated rule only while its last day had not passed."""
        states = {row["fact_id"]: FactState(row["to_state"]) for row in self.sql.rows("states_as_of", as_of=as_of)}
        then = [replace(fact, state=states[fact.id]) for fact in found if fact.id in states]
        if every:
            return then
        day = as_of.date()
        active = (fact for fact in then if fact.state is FactState.ACTIVE)
        return [fact for fact in active if fact.valid_until is None or fact.valid_until >= day]

    @transactional
    def fact(self, fact_id: str) -> Fact:
        return self._facts_by_id([full_id(self.sql, "fact_ids_like", fact_id, "fact", "facts --all")])[0]

    def _facts_by_id(self, ids: list[str]) -> list[Fact]:
        return [fact_of(row) for row in self.sql.rows("facts_named", ids=ids)]


def _over(found: list[Fact], day: date, *, every: bool) -> list[Fact]:
    """Dated rules whose last day has passed, before upkeep says so: left out, or shown as the expired ones they are."""
    over = {fact.id for fact in found if fact.state is FactState.ACTIVE and fact.valid_until and fact.valid_until < day}
    if every:
        return [replace(fact, state=FactState.EXPIRED) if fact.id in over else fact for fact in found]
    return [fact for fact in found if fact.id not in over]


def full_id(sql: Sql, query: str, beginning: str, noun: str, command: str) -> str:
    """The one id that begins so. Raises NotFound, AmbiguousId.

    A few characters are too little: what fits one row today fits another after the next pass, and may erase it.
    """
    found = [row["id"] for row in sql.rows(query, beginning=beginning)] if beginning else []
    if beginning in found:
        return beginning
    if not found:
        raise NotFound(f"there is no {noun} {beginning!r}", f"`afterpass {command}` lists them")
    if len(found) > 1:
        raise AmbiguousId(f"{beginning!r} begins {len(found)} ids", f"give more of it: {', '.join(found[:5])}")
    if len(beginning.partition("_")[2]) < LEAST_OF_AN_ID:
        raise AmbiguousId(
            f"{beginning!r} is too short for an id", f"give at least {LEAST_OF_AN_ID} characters after {found[0][:2]}"
        )
    return str(found[0])


def fact_of(row: Mapping[str, Any]) -> Fact:
    """A fact with its evidence from a row of ``facts_with_evidence``."""
    own = {name: value for name, value in row.items() if not name.startswith("evidence_") and name != "team"}
    own["state"] = FactState(own["state"])
    own["derived_from"] = tuple(json.loads(own["derived_from"]))
    return Fact(**own, evidence=evidence_of(row))


def evidence_of(row: Mapping[str, Any]) -> StoredEvidence | None:
    """The evidence columns of a row of one of the views, or None where there is none."""
    if row["evidence_turn"] is None:
        return None
    return StoredEvidence(
        **{name.removeprefix("evidence_"): value for name, value in row.items() if name.startswith("evidence_")}
    )
