"""The log of what was read back: one line of JSON for each recall, appended to a file beside the store.

It is a file because whoever reads back must not wait for the database; passes and upkeep move its lines into tables.
Values are not in it, only ids; of a request the redacted text is, so that forgetting reaches here too.
"""

from __future__ import annotations

import fcntl
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from store.scrub import Scrub

# Whoever starts a session waits for this module, so it imports next to nothing: paths are strings here.
# ruff: noqa: PTH103, PTH105, PTH110, PTH116, PTH118, PTH123

FILE = "recalls.jsonl"
LARGEST = 4 << 20
"""Bytes. Beyond it the file is set aside, and the one that was set aside before is dropped."""


def append(home: str, line: Mapping[str, Any]) -> None:
    """Put one recall on record. Raises OSError."""
    path = os.path.join(home, FILE)
    os.makedirs(home, 0o700, exist_ok=True)
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
    file = _locked(path, os.O_CREAT)
    try:
        os.write(file, text.encode("utf-8", "replace"))
        if os.fstat(file).st_size > LARGEST:
            os.replace(path, f"{path}.1")
    finally:
        os.close(file)


def _locked(path: str, flags: int = 0) -> int:
    """The file, opened for appending and locked, still in its place: not one that was set aside meanwhile."""
    while True:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | flags, 0o600)
        fcntl.flock(file, fcntl.LOCK_EX)  # against a scrub; lines of two processes would not mix anyway
        try:
            if os.path.samestat(os.fstat(file), os.stat(path)):
                return file
        except FileNotFoundError:
            pass
        os.close(file)


def set_aside(home: str) -> Iterator[str]:
    """The files of the log, the oldest first, each out of the way of those who append. Delete each once it is taken."""
    path = os.path.join(home, FILE)
    if os.path.exists(f"{path}.1"):
        yield f"{path}.1"
    try:
        file = _locked(path)
    except FileNotFoundError:
        return
    try:
        os.replace(path, f"{path}.1")
    finally:
        os.close(file)
    yield f"{path}.1"


def read(home: str) -> Iterator[dict[str, Any]]:
    """Every recall on record, the oldest first. A line that was cut off is passed over."""
    for name in (f"{FILE}.1", FILE):
        yield from lines_of(os.path.join(home, name))


def lines_of(path: str) -> Iterator[dict[str, Any]]:
    """The recalls of one file; none where there is no file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found


def scrub(home: str, forgotten: Scrub) -> int:
    """Take a forgotten value out of the requests on record; how many lines were changed. Raises OSError."""
    changed = 0
    for name in (f"{FILE}.1", FILE):
        try:
            file = open(os.path.join(home, name), "r+", encoding="utf-8", errors="replace", newline="\n")  # noqa: SIM115 - closed below
        except FileNotFoundError:
            continue
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            lines = file.readlines()
            cleaned = [_cleaned(line, forgotten) for line in lines]
            if cleaned == lines:
                continue
            changed += sum(one != other for one, other in zip(lines, cleaned, strict=True))
            file.seek(0)
            file.writelines(cleaned)
            file.truncate()
    return changed


def _cleaned(line: str, forgotten: Scrub) -> str:
    """The line without the value in its request. What is no line of ours goes where it holds the value."""
    try:
        found = json.loads(line)
        query = found["query"]
    except (ValueError, KeyError, TypeError):
        return "" if forgotten.finds(line) else line
    if not isinstance(query, str) or not forgotten.finds(query):
        return line
    return json.dumps({**found, "query": forgotten.clean(query)}, ensure_ascii=False, separators=(",", ":")) + "\n"
