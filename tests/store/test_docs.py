"""The page about the store names the tables and columns that there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from store.store import Store

PAGE = (Path(__file__).parents[2] / "docs" / "store.md").read_text(encoding="utf-8")


@pytest.fixture
def store(home: Path) -> Store:
    """These are about the file."""
    return Store(home, lock_timeout=5)


def documented() -> dict[str, list[str]]:
    sections = re.split(r"^### `(\w+)`$", PAGE, flags=re.MULTILINE)[1:]
    return {
        table: re.findall(r"^\| `(\w+)` \|", text.split("\n## ")[0], flags=re.MULTILINE)
        for table, text in zip(sections[::2], sections[1::2], strict=True)
    }


def real(work: Any, kind: str) -> dict[str, list[str]]:
    rows = work.db.sql.raw.execute(
        "SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t"
        " USING (table_name) WHERE t.table_type = ? ORDER BY c.table_name, c.ordinal_position",
        [kind],
    ).fetchall()
    found: dict[str, list[str]] = {}
    for table, column in rows:
        found.setdefault(table, []).append(column)
    return found


def test_every_table_and_column_is_documented_in_its_order(work: Any) -> None:
    assert real(work, "BASE TABLE") == documented()


def test_the_views_are_named_with_their_evidence_columns(work: Any) -> None:
    views = real(work, "VIEW")
    assert set(views) == set(re.findall(r"`(\w+_with_evidence)`", PAGE))
    named = set(re.findall(r"`(evidence_\w+)`", PAGE.split("## Views")[1]))
    for columns in views.values():
        assert named <= set(columns)


QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("query", QUERIES, ids=[str(place) for place in range(len(QUERIES))])
def test_the_example_queries_run(work: Any, query: str) -> None:
    work.write("preview")
    assert work.db.sql.raw.execute(query).description
