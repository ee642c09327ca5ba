"""Moving a store: table by table, in whole rows, to files or to another store, with counts and digests to check by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from store.errors import StoreError
from store.sql import Sql

# In the order in which they are written; nothing depends on it but a reader's eye.
TABLES = (
    "sessions", "files", "calls", "turns", "candidates", "facts", "statements", "reviews", "proposals", "tombstones",
    "refusals", "events", "notes", "recalls", "recalled", "answered", "passes", "chores",
)  # fmt: skip
TIMES = ("TIMESTAMP WITH TIME ZONE", "timestamp with time zone")
DAYS = ("DATE", "date")
BATCH = 2_000
MANIFEST = "manifest.json"
FORMATS = ("jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name and what Python makes of its values."""

    name: str
    kind: str  # time, day, other

    @classmethod
    def of(cls, name: str, sql_type: str) -> Column:
        """From the database's own description."""
        return cls(name, "time" if sql_type in TIMES else "day" if sql_type in DAYS else "other")

    def to_json(self, value: Any) -> Any:
        """A value as JSON has it: times in UTC, days as they are."""
        if value is None or self.kind == "other":
            return value
        return value.astimezone(UTC).isoformat() if self.kind == "time" else value.isoformat()

    def from_json(self, value: Any) -> Any:
        """The value back."""
        if value is None or self.kind == "other":
            return value
        return datetime.fromisoformat(value) if self.kind == "time" else date.fromisoformat(value)


@dataclass(slots=True)
class Digest:
    """A table's content as a count and a sum of hashes that does not depend on the order of rows."""

    rows: int = 0
    total: int = 0

    def add(self, columns: Sequence[Column], row: Sequence[Any]) -> None:
        """Take a row in."""
        text = json.dumps(
            [column.to_json(value) for column, value in zip(columns, row, strict=True)], ensure_ascii=False
        )
        self.rows += 1
        self.total += int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=16).digest(), "big")

    def to_json(self) -> dict[str, Any]:
        """``{"rows", "digest"}``."""
        return {"rows": self.rows, "digest": f"{self.total % 2**128:032x}"}


def columns_of(sql: Sql, table: str) -> list[Column]:
    """A table's columns but for the team, which is the connection's own."""
    rows = sql.rows("columns_of", table=table)
    return [Column.of(row["column_name"], row["data_type"]) for row in rows if row["column_name"] != "team"]


def rows_of(sql: Sql, table: str, columns: Sequence[Column]) -> Iterator[tuple[Any, ...]]:
    """A table's rows of the connection's team."""
    return sql.dialect.read_rows(sql.raw, table, [column.name for column in columns], sql.team, BATCH)


def write_rows(sql: Sql, table: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> None:
    """Rows into a table, for the connection's team."""
    names = ["team", *(column.name for column in columns)]
    sql.dialect.write_rows(sql.raw, table, names, ((sql.team, *row) for row in rows))


def copy_all(source: Sql, target: Sql) -> dict[str, dict[str, Any]]:
    """Everything of one store into an empty other one, in one transaction of the target; digests by table.

    Raises StoreError where the target is not empty, or where what arrived is not what was sent.
    """

    def work() -> dict[str, dict[str, Any]]:
        _must_be_empty(target)
        sent: dict[str, dict[str, Any]] = {}
        for table in TABLES:
            columns = columns_of(source, table)
            digest = Digest()
            write_rows(target, table, columns, _counted(rows_of(source, table, columns), columns, digest))
            sent[table] = digest.to_json()
        _advance(target)
        _must_match(sent, digests(target))
        return sent

    return source.transact(lambda: target.transact(work))


def digests(sql: Sql) -> dict[str, dict[str, Any]]:
    """Count and digest of every table, as of one moment."""

    def work() -> dict[str, dict[str, Any]]:
        found = {}
        for table in TABLES:
            columns, digest = columns_of(sql, table), Digest()
            for row in rows_of(sql, table, columns):
                digest.add(columns, row)
            found[table] = digest.to_json()
        return found

    return sql.transact(work)


def export_all(sql: Sql, folder: Path, kind: str) -> dict[str, dict[str, Any]]:
    """Every table into a file of ``folder`` (``jsonl`` or ``parquet``), and a manifest; the digests by table."""
    writer = _write_jsonl if kind == "jsonl" else _write_parquet

    def work() -> dict[str, dict[str, Any]]:
        sent: dict[str, dict[str, Any]] = {}
        for table in TABLES:
            columns, digest = columns_of(sql, table), Digest()
            writer(folder / f"{table}.{kind}", columns, _counted(rows_of(sql, table, columns), columns, digest))
            sent[table] = digest.to_json()
        manifest = {"afterpass_store": int(sql.value("schema_version")), "format": kind, "tables": sent}
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        return sent

    return sql.transact(work)


def import_all(sql: Sql, folder: Path) -> dict[str, dict[str, Any]]:
    """An export into an empty store, checked against its manifest, in one transaction. Raises StoreError."""
    manifest = _manifest(folder)
    version = int(sql.value("schema_version"))
    if manifest["afterpass_store"] != version:
        raise StoreError(
            f"the export in {folder} has schema {manifest['afterpass_store']}, this store has {version}",
            "export it with this version of Afterpass",
        )
    kind = manifest["format"]
    reader = _read_jsonl if kind == "jsonl" else _read_parquet

    def work() -> dict[str, dict[str, Any]]:
        _must_be_empty(sql)
        for table in TABLES:
            columns = columns_of(sql, table)
            write_rows(sql, table, columns, reader(folder / f"{table}.{kind}", columns))
        _advance(sql)
        arrived = digests(sql)
        _must_match(manifest["tables"], arrived)
        return arrived

    return sql.transact(work)


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{folder} holds no export ({MANIFEST}: {error})", "give the folder of a `store export`"
        ) from error
    if manifest.get("format") not in FORMATS:
        raise StoreError(f"{folder / MANIFEST} names no format that is known", f"known are {', '.join(FORMATS)}")
    return manifest


def _must_be_empty(sql: Sql) -> None:
    for table in TABLES:
        columns = columns_of(sql, table)
        if next(iter(rows_of(sql, table, columns)), None) is not None:
            raise StoreError(f"the target is not empty: it has {table}", "give an empty home, or a team without rows")


def _must_match(sent: dict[str, Any], arrived: dict[str, Any]) -> None:
    different = [table for table in TABLES if sent.get(table) != arrived[table]]
    if different:
        raise StoreError(
            f"what arrived differs from what was sent: {', '.join(different)}", "nothing was kept; try again"
        )


def _advance(sql: Sql) -> None:
    """The counter of events goes on after the last one that was brought."""
    missing = int(sql.value("highest_event")) - int(sql.value("next_event"))
    if missing > 0:
        sql.rows("skip_events", missing=missing)


def _counted(rows: Iterable[Sequence[Any]], columns: Sequence[Column], digest: Digest) -> Iterator[Sequence[Any]]:
    for row in rows:
        digest.add(columns, row)
        yield row


def _write_jsonl(path: Path, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            pairs = zip(columns, row, strict=True)
            file.write(json.dumps({each.name: each.to_json(value) for each, value in pairs}, ensure_ascii=False) + "\n")


def _read_jsonl(path: Path, columns: Sequence[Column]) -> Iterator[tuple[Any, ...]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            values = json.loads(line)
            yield tuple(column.from_json(values[column.name]) for column in columns)


def _write_parquet(path: Path, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> None:
    import pyarrow as pa  # type: ignore[import-untyped]  # pyarrow carries no annotations
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    kept = list(rows)
    arrays = [_array(pa, column, [row[place] for row in kept]) for place, column in enumerate(columns)]
    pq.write_table(pa.table(arrays, names=[column.name for column in columns]), path)


def _array(pa: Any, column: Column, values: list[Any]) -> Any:
    kinds = {"time": pa.timestamp("us", tz="UTC"), "day": pa.date32()}
    if column.kind in kinds:
        return pa.array(values, kinds[column.kind])
    return pa.array(values) if any(value is not None for value in values) else pa.array(values, pa.string())


def _read_parquet(path: Path, columns: Sequence[Column]) -> Iterator[tuple[Any, ...]]:
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(path).iter_batches(batch_size=BATCH):
        for row in batch.to_pylist():
            yield tuple(row[column.name] for column in columns)
