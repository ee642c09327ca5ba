"""The kinds of work of a policy: which words ask for each, and which fact types it needs."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import fields
from pathlib import Path
from typing import Any

from policy.files import SHIPPED, PolicyError, unknown_key
from policy.model import TaskKind

TASK_KEYS = frozenset(each.name for each in fields(TaskKind))


def task_kind(path: Path, name: str, table: dict[str, Any], types: Collection[str]) -> TaskKind:
    """One kind of work, which names only known ``types``; keys were checked. Raises PolicyError."""

    def texts(key: str) -> tuple[str, ...]:
        given = table.get(key, [])
        if not isinstance(given, list) or not all(isinstance(each, str) and each for each in given):
            raise PolicyError(path, f"tasks.{name}.{key}", "is not a list of texts")
        return tuple(given)

    kind = TaskKind(**{key: texts(key) for key in TASK_KEYS})
    if not kind.words:
        raise PolicyError(path, f"tasks.{name}.words", "names no word", "types = [] takes a kind out")
    for named in kind.types:
        if named not in types:
            raise unknown_key(path, f"tasks.{name}.types: {named}", named, types)
    if path.parent != SHIPPED:  # the shipped words are compiled by the tests
        _check_words(path, name, kind.words)
    return kind


def _check_words(path: Path, name: str, words: tuple[str, ...]) -> None:
    for word in words:
        try:
            re.compile(word)
        except re.error as error:
            raise PolicyError(path, f"tasks.{name}.words", f"{word!r} is no regular expression: {error}") from error
