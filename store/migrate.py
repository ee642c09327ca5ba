"""The schema, brought up to date on open: numbered files, each applied in one transaction with its record."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from store.errors import StoreTooNew
from store.sql import Sql

FOLDER = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the schema."""

    version: int
    name: str
    script: str


@cache
def migrations(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """All steps in order. Raises ValueError where the numbers have a gap: a step would be left out silently."""
    steps = []
    for file in sorted(folder.glob("[0-9]*_*.sql")):
        number, name = re.match(r"(\d+)_(.+)\.sql$", file.name).groups()  # type: ignore[union-attr]  # the glob saw to it
        steps.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    if [step.version for step in steps] != list(range(1, len(steps) + 1)):
        raise ValueError(f"migrations in {folder} are not numbered 1, 2, 3 …")
    return tuple(steps)


def bring_up_to_date(sql: Sql, where: str, steps: tuple[Migration, ...] | None = None) -> int:
    """Apply what is missing; the version afterwards. Raises StoreTooNew for a schema that is not known here."""
    steps = migrations() if steps is None else steps
    version = _version(sql)
    if version > len(steps):
        raise StoreTooNew(
            f"{where} has schema {version}, and this version of Afterpass knows schemas up to {len(steps)}",
            "upgrade Afterpass, or give another folder with --home",
        )
    if version < len(steps):
        with sql.dialect.alone(sql.raw):
            for step in steps[version:]:
                sql.transact(partial(_apply, sql, step))
        sql.snapshots.drop_all()  # they tell what the rows said before
    return len(steps)


def _version(sql: Sql) -> int:
    if not sql.value("has_migrations"):
        return 0
    return int(sql.value("schema_version") or 0)


def _apply(sql: Sql, step: Migration) -> None:
    """Another process may have been faster on a server: its record is seen inside the transaction."""
    sql.change("make_migrations")
    if int(sql.value("schema_version") or 0) >= step.version:
        return
    sql.script(step.script)
    sql.change("record_migration", version=step.version, name=step.name)
