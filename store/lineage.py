"""What is built on what: found through ``derived_from``, however many steps away."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from store.sql import Sql


def built_on(sql: Sql, sources: Iterable[str]) -> dict[str, str]:
    """Everything built on these rows, directly or through others: id to noun (``fact`` or ``note``)."""
    rows = [(row["id"], row["noun"], set(json.loads(row["derived_from"]))) for row in sql.rows("built_on")]
    found: dict[str, str] = {}
    frontier = set(sources)
    while frontier:
        step = {row_id: noun for row_id, noun, below in rows if below & frontier and row_id not in found}
        found |= step
        frontier = set(step)
    return found


def mark_for_rewriting(sql: Sql, sources: Iterable[str], now: datetime) -> list[str]:
    """Whatever was built on these rows is no longer to be relied on until it is written anew; the ids."""
    found = built_on(sql, sources)
    facts = [row_id for row_id, noun in found.items() if noun == "fact"]
    notes = [row_id for row_id, noun in found.items() if noun == "note"]
    if facts:
        sql.change("mark_facts_for_rewriting", ids=facts, now=now)
    if notes:
        sql.change("mark_notes_for_rewriting", ids=notes, now=now)
    return sorted(found)
