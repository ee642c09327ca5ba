"""The kinds of value by the name that a fact type gives."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

from validators.values import command, identifier, manager, path, person, ref, statement


class ValueKind(NamedTuple):
    """The four functions of one kind of value (see the package's docstring)."""

    name: str
    clean: Callable[[str], str]
    check: Callable[[str], str | None]
    normalise: Callable[[str], str]
    supported: Callable[[str, str], bool]


def _kind(module: ModuleType) -> ValueKind:
    name = module.__name__.rpartition(".")[2]
    return ValueKind(name, module.clean, module.check, module.normalise, module.supported)


KINDS = {kind.name: kind for kind in map(_kind, (manager, command, ref, person, path, identifier, statement))}


def same_value(kind: ValueKind, one: str, other: str) -> bool:
    """Whether two values of a kind are the same fact."""
    return one == other or kind.normalise(one) == kind.normalise(other)
