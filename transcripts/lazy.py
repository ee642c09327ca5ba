"""Patterns that are compiled when they are first used: compiling them all would cost a command more than its work."""

from __future__ import annotations

import re
from typing import Any, cast

METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class _Lazy:
    """Stands for a compiled pattern; the first call to one of its methods compiles it."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern for ``re.compile(source, flags)``, compiled on first use. Raises :class:`re.error` only then."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
