"""Read snapshots: what reading back needs of one owner, in a small file beside the store.

A database file is held by one process at a time, and opening it costs more than a session that starts can wait for. A
snapshot is taken away before a change of its owner is committed and written again after it: a crash in between leaves
none, never an old one. Where there is none, the store is asked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from store.errors import StoreError

if TYPE_CHECKING:
    from store.sql import Sql

# Whoever starts a session waits for the reader of these files, so it imports next to nothing: paths are strings here.
# ruff: noqa: PTH103, PTH105, PTH108, PTH118, PTH123, PTH208

DATABASE = "afterpass.duckdb"
FOLDER = "recall"
VERSION = 2
MOST_FACTS = 5000
"""An owner with more is not written at every change: the first reader who finds no snapshot has it written."""

PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@")
LONGEST_NAME = 56

Owner = tuple[str, str]
"""A scope (``repo``, ``developer``) and the owner's key in it."""


def name_of(owner: Owner) -> str:
    """The owner as a part of a file name: letters, digits, ``-_.@%`` and, where it was cut, ``+``."""
    scope, key = owner
    text = "".join(char if char in PLAIN else _escaped(char) for char in key)
    if len(text) > LONGEST_NAME:
        import zlib

        text = f"{text[:LONGEST_NAME]}+{zlib.crc32(key.encode('utf-8', 'surrogatepass')):08x}"
    return f"{scope}-{text}"


def _escaped(char: str) -> str:
    return "".join(f"%{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))


def path_of(home: str, owner: Owner) -> str:
    """Where an owner's snapshot lies, whether it is there or not."""
    return os.path.join(home, FOLDER, name_of(owner) + ".json")


def read_snapshot(home: str, owner: Owner) -> dict[str, Any] | None:
    """``{"facts": [row], "reviews": [row]}``, or None where there is no snapshot that can be used.

    A fact's row is id, type, subject, value, stated, confirmed, until, times stated, said by. A review's row is id,
    kind, type, subject, current, proposed, until, stated, and whether only the repository's files raised it; stale ones
    are left out. Times are ISO texts.
    """
    try:
        with open(path_of(home, owner), "rb") as file:
            found = json.loads(file.read())
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("snapshot") != VERSION or found.get("owner") != list(owner):
        return None  # of another version, or of an owner whose name is cut to the same one
    return found


class Snapshots:
    """The snapshots of one store, as one connection changes them. A store on a server has none."""

    def __init__(self, home: str | None) -> None:
        self.home = home
        self._due: dict[Owner, bool] = {}  # to be written before the connection ends; True whatever the size

    def drop(self, owners: Iterable[Owner]) -> None:
        """Take the snapshots of these owners away, and what was made from them. Before the commit that changes them."""
        if self.home is None:
            return
        changed = set(owners)
        names = {name_of(owner) for owner in changed}
        self._remove(file for file in self._files() if names & set(file.removesuffix(".json").split("~")))
        self._due |= dict.fromkeys(changed, False)

    def drop_all(self) -> None:
        """Take every snapshot away: something changed the store as a whole."""
        self._remove(self._files())

    def renew_all(self) -> None:
        """Have every snapshot that there is written anew: none outlives a database that was put back from a backup."""
        for file in list(self._files()):
            with suppress(OSError, ValueError, KeyError, TypeError):
                with open(os.path.join(self.home or "", FOLDER, file), "rb") as content:
                    scope, key = json.loads(content.read())["owner"]
                self._due[scope, key] = True
        self.drop_all()

    def want(self, owners: Iterable[Owner]) -> None:
        """Have these owners' snapshots written although nothing changed: somebody looked for them in vain."""
        self._due |= dict.fromkeys(owners, True)

    def write(self, sql: Sql) -> None:
        """Write what was dropped and what is wanted, as the store now holds it.

        One that cannot be written stays away: the store answers in its place.
        """
        due, self._due = self._due, {}
        for owner, whatever_the_size in due.items() if self.home is not None else ():
            with suppress(OSError, StoreError):
                # Inside a transaction no other thread of this process can commit, and no other process has the file.
                sql.transact(partial(self._write, sql, owner, large=whatever_the_size))

    def _write(self, sql: Sql, owner: Owner, *, large: bool) -> None:
        from store.raised import BY_FILES  # the readers of snapshots do not need it

        assert self.home is not None  # noqa: S101 - for the type checker
        scope, key = owner
        if not large and sql.value("count_to_recall", scope=scope, owner=key) > MOST_FACTS:
            return
        facts = [_fact(row) for row in sql.rows("facts_to_recall", scope=scope, owner=key)]
        files = f"{BY_FILES}:%"
        reviews = [_review(row) for row in sql.rows("items_to_recall", scope=scope, owner=key, files=files)]
        content = {"snapshot": VERSION, "owner": owner, "facts": facts, "reviews": [row for row in reviews if row]}
        write_private(path_of(self.home, owner), json.dumps(content, ensure_ascii=False, separators=(",", ":")))

    def _files(self) -> Iterator[str]:
        if self.home is None:
            return
        with suppress(FileNotFoundError, NotADirectoryError):
            yield from os.listdir(os.path.join(self.home, FOLDER))

    def _remove(self, files: Iterable[str]) -> None:
        """Remove files of the folder, for good: a power cut must not bring an old one back."""
        if self.home is None:
            return
        folder, removed = os.path.join(self.home, FOLDER), False
        for file in files:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, file))
                removed = True
        if removed:
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def write_private(path: str, text: str) -> None:
    """Write a file that only the user may read: whole, or not at all. Its folder is made where there is none."""
    folder, name = os.path.split(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    temporary = os.path.join(folder, f"{name.removesuffix('.json')}~new{os.getpid()}.json")
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(file, "wb") as handle:
            handle.write(text.encode("utf-8", "surrogatepass"))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _fact(row: Mapping[str, Any]) -> list[Any]:
    times = [_iso(row[name]) for name in ("stated_at", "confirmed_at", "valid_until")]
    return [row["id"], row["type"], row["subject"], row["value"], *times, row["times_stated"], row["developer"]]


def _review(row: Mapping[str, Any]) -> list[Any] | None:
    from store.reviews import is_stale  # the readers of snapshots do not need it

    if is_stale(row):
        return None
    names = ("id", "kind", "type", "subject", "base_value")
    proposed, until, said = row["proposed"] or None, _iso(row["until"]), _iso(row["said"])
    return [*(row[name] for name in names), proposed, until, said, row["by_files"]]


def _iso(moment: Any) -> str | None:
    return None if moment is None else str(moment.isoformat())
