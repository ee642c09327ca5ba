"""Reading what is measured: JSON Lines files whose mistakes are named by file and line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from policy.errors import AfterpassError, reason
from policy.places import read_bytes


class EvalError(AfterpassError):
    """A file of cases, gold or recorded replies that cannot be used."""


def read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """``(where, object)`` of every line that is not blank. Raises EvalError for a missing file or a broken line."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except FileNotFoundError as error:
        raise EvalError(f"{path}: no such file", "give a file with one JSON object a line") from error
    except (OSError, UnicodeDecodeError) as error:
        raise EvalError(f"{path}: cannot be read: {reason(error)}", f"`ls -ld {path}` shows what it is") from error
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            record = json.loads(line)
        except ValueError as error:
            raise EvalError(f"{where}: not JSON: {error}") from error
        except RecursionError:
            raise EvalError(f"{where}: too deeply nested") from None
        if not isinstance(record, dict):
            raise EvalError(f"{where}: not a JSON object")
        yield where, record


def need(record: dict[str, Any], key: str, kind: type[Any], where: str) -> Any:
    """A field that must be there with its type. Raises EvalError."""
    found = record.get(key)
    if not isinstance(found, kind):
        raise EvalError(f"{where}: {key} is missing or not {kind.__name__}")
    return found


def parse_day(text: str | None, where: str) -> date | None:
    """An ISO date or None. Raises EvalError."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise EvalError(f"{where}: {text!r} is not a date") from error


def parse_time(text: str, where: str) -> datetime:
    """An ISO time as an aware one. Raises EvalError."""
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise EvalError(f"{where}: {text!r} is not a time") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def write_files(files: Mapping[str, str], folder: Path, where: str) -> Path:
    """A case's repository files in a folder, which is made. Raises EvalError for a path that leads out of it."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise EvalError(f"{where}: the file {name} lies outside the repository")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def write_session(lines: Iterable[Mapping[str, Any]], path: Path) -> Path:
    """A header and turns as a session file in the neutral format."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path
