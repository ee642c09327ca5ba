"""Loading a policy: the shipped fact types with a team's file laid over them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from policy.files import SHIPPED, PolicyError, read_toml, together, unknown_key
from policy.model import FactType, NoteRanking, PastTrust, Policy, Scope, Stakes, SubjectRule
from policy.tasks import TASK_KEYS, task_kind

DEFAULT = SHIPPED / "default.toml"
VALUE_CHECKS = frozenset({"manager", "command", "ref", "person", "path", "identifier", "statement"})
TOP_KEYS = frozenset({"types", "tasks", "notes"})
NOTE_COUNTS = frozenset({"candidates", "keep", "tokens"})
NOTE_KEYS = frozenset(each.name for each in fields(NoteRanking))
GATES = {Stakes.LOW: 3, Stakes.HIGH: 1}
CHOICES: Mapping[str, type[StrEnum]] = {
    "scope": Scope,
    "subject": SubjectRule,
    "stakes": Stakes,
    "past_trust": PastTrust,
}
KEYS = frozenset({*CHOICES, "value", "multi", "gate", "trust_days", "aliases", "describes", "enabled"})

__all__ = ["PolicyError", "load_policy"]


def load_policy(path: Path | None = None) -> Policy:
    """The policy in force: the shipped one, changed and extended by the team's file at ``path``.

    Lexicons and cue patterns are read on first use, from the shipped folder and from the folder of ``path``
    (``lexicons/<language>.toml`` and ``cues.toml`` beside it). Raises :class:`PolicyError`.
    """
    return _load(path.resolve() if path else None)


@cache
def _load(path: Path | None) -> Policy:
    tables: dict[str, dict[str, dict[str, Any]]] = {"types": {}, "tasks": {}}
    origin: dict[tuple[str, str], Path] = {}
    notes: dict[str, float] = {}
    for source in [DEFAULT, *([path] if path else [])]:
        document = read_toml(source)
        _check_keys(source, document)
        notes |= _checked_notes(source, document.get("notes", {}))
        for section, merged in tables.items():
            for name, table in document.get(section, {}).items():
                merged[name] = {**merged.get(name, {}), **table}
                origin[section, name] = source
    known = tables["types"]
    types = {n: _fact_type(origin["types", n], n, t) for n, t in known.items() if t.get("enabled", True)}
    tasks = {n: task_kind(origin["tasks", n], n, t, known) for n, t in tables["tasks"].items()}
    folders = (SHIPPED,) if path is None or path.parent == SHIPPED else (SHIPPED, path.parent)
    ranking = NoteRanking(**notes)  # type: ignore[arg-type]  # counts were checked to be whole
    return Policy(types=types, tasks=tasks, notes=ranking, files=_files(path, folders), folders=folders)


def _files(path: Path | None, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    files = [DEFAULT, *([path] if path else [])]
    for folder in folders:
        files += sorted((folder / "lexicons").glob("*.toml"))
        files += [cues] if (cues := folder / "cues.toml").exists() else []
    return tuple(files)


def _checked_notes(path: Path, table: dict[str, Any]) -> dict[str, float]:
    """What one file says about the ranking of notes, each number in its range. Raises PolicyError."""
    for key, given in table.items():
        if key in NOTE_COUNTS and (type(given) is not int or given < 1):
            raise PolicyError(path, f"notes.{key}", f"{given!r} is not a positive whole number")
        if type(given) not in (int, float) or not 0 <= given < math.inf:
            raise PolicyError(path, f"notes.{key}", f"{given!r} is not a number from 0 on")
        if key == "half_life_days" and not given:
            raise PolicyError(path, f"notes.{key}", f"{given!r} is not a number above 0")
    return table


def _check_keys(path: Path, document: dict[str, Any]) -> None:
    """Every key of one file is known, and what holds keys is a table.

    Raises PolicyError, which names every key that is not known.
    """
    for key in TOP_KEYS:
        if not isinstance(document.get(key, {}), dict):
            raise PolicyError(path, key, "is not a table")
    unknown = [unknown_key(path, key, key, TOP_KEYS) for key in document if key not in TOP_KEYS]
    unknown += [
        unknown_key(path, f"notes.{key}", key, NOTE_KEYS) for key in document.get("notes", {}) if key not in NOTE_KEYS
    ]
    for section, keys in (("types", KEYS), ("tasks", TASK_KEYS)):
        for name, table in document.get(section, {}).items():
            if not isinstance(table, dict):
                raise PolicyError(path, f"{section}.{name}", "is not a table")
            unknown += [unknown_key(path, f"{section}.{name}.{key}", key, keys) for key in table if key not in keys]
    if unknown:
        raise together(unknown)


def _fact_type(path: Path, name: str, table: dict[str, Any]) -> FactType:
    def bad(key: str, problem: str) -> PolicyError:
        return PolicyError(path, f"types.{name}.{key}", problem)

    def choice(key: str, default: str) -> str:
        given = table.get(key, default)
        allowed = [member.value for member in CHOICES[key]]
        if given not in allowed:
            raise bad(key, f"{given!r} is not one of {', '.join(allowed)}")
        return str(given)

    value = table.get("value")
    if value not in VALUE_CHECKS:
        raise bad("value", f"{value!r} is not one of {', '.join(sorted(VALUE_CHECKS))}")
    stakes = Stakes(choice("stakes", Stakes.LOW))
    gate = table.get("gate", GATES[stakes])
    if type(gate) is not int or not 1 <= gate <= 10:
        raise bad("gate", f"{gate!r} is not a whole number from 1 to 10")
    multi = table.get("multi", False)
    if not isinstance(multi, bool):
        raise bad("multi", f"{multi!r} is not true or false")
    trust_days = _trust_days(table, bad)
    return FactType(
        name=name,
        scope=Scope(choice("scope", Scope.REPO)),
        subject=SubjectRule(choice("subject", SubjectRule.OPTIONAL)),
        value=value,
        multi=multi,
        stakes=stakes,
        gate=gate,
        trust_days=trust_days,
        past_trust=PastTrust(choice("past_trust", PastTrust.LOAD if trust_days is None else PastTrust.FLAG)),
        aliases=_aliases(table, bad),
        describes=str(table.get("describes", "")),
    )


def _trust_days(table: dict[str, Any], bad: Any) -> int | None:
    days = table.get("trust_days", "never")
    if days == "never":
        return None
    if type(days) is not int or days < 1:
        raise bad("trust_days", f'{days!r} is not a positive number of days or "never"')
    return days


def _aliases(table: dict[str, Any], bad: Any) -> tuple[tuple[str, ...], ...]:
    groups = table.get("aliases", [])
    if not isinstance(groups, list) or not all(
        isinstance(group, list) and group and all(isinstance(name, str) for name in group) for group in groups
    ):
        raise bad("aliases", "is not a list of lists of names")
    return tuple(tuple(" ".join(name.casefold().split()) for name in group) for group in groups)
