"""The patterns of ``policy/cues.toml``, compiled: what a sentence must say for a candidate of a type to be proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from extractors.candidate import Kind
from policy.files import PolicyError, read_cues
from policy.model import Policy

MACRO = re.compile(r"\{([a-z_]+)\}")
RULE_KEYS = frozenset(
    {
        "all",
        "subject",
        "previous",
        "needs",
        "context",
        "unless",
        "kind",
        "importance",
        "quote",
        "value",
        "negatable",
        "note",
    }
    | {"examples", "traps", "enabled"}
)
QUOTES = frozenset({"match", "clause", "sentence"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One cue. Every pattern of ``all`` must be found in the sentence; their named groups give value and subject.

    ``previous`` names the group that may stand in the sentence before ("jira key. ours is SHOP-"). ``needs`` and
    ``unless`` are looked for in the whole sentence, ``context`` in the sentences around it too. ``quote`` says what the
    evidence is: the match, its clause, or the sentence. ``subject`` is a template over the named groups, ``value`` a
    fixed value. ``negatable`` is False where a negation before the value is the statement itself ("never touch …").
    """

    name: str
    type: str
    all: tuple[re.Pattern[str], ...]
    subject: str | None
    previous: str | None
    needs: re.Pattern[str] | None
    context: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    kind: Kind
    importance: float
    quote: str
    value: str | None
    negatable: bool


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All cues of a policy: rules, guards, what a forget and an assent look like, and the tables that values need."""

    rules: tuple[Rule, ...]
    guards: Mapping[str, re.Pattern[str]]
    gates: Mapping[str, re.Pattern[str]]
    names: Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]]
    triggers: Mapping[str, re.Pattern[str]]
    targets: Mapping[str, re.Pattern[str]]
    withdrawals: Mapping[str, re.Pattern[str]]
    assents: Mapping[str, re.Pattern[str]]
    tables: Mapping[str, Any]
    weights: Mapping[str, float]
    path: re.Pattern[str]
    head: re.Pattern[str]


def rulebook(policy: Policy) -> Rulebook:
    """The compiled cues of ``policy``. Raises :class:`~policy.files.PolicyError` where a pattern does not compile."""
    return _compiled(policy.folders)


@lru_cache(maxsize=4)
def _compiled(folders: tuple[Path, ...]) -> Rulebook:
    tables = read_cues(folders)
    words = {name: _alternatives(value) for name, value in tables.get("words", {}).items()}
    origin = folders[-1] / "cues.toml"
    rules = [
        _rule(origin, type_name, name, table, words, tables.get("importance", {}).get(type_name, 5))
        for type_name, cues in tables.get("cues", {}).items()
        for name, table in cues.items()
        if table.get("enabled", True)
    ]

    def group(key: str, entries: Mapping[str, Any]) -> dict[str, re.Pattern[str]]:
        return {n: _pattern(origin, f"{key}.{n}", p, words) for n, p in entries.items() if isinstance(p, str)}

    forgets = tables.get("forgets", {})
    return Rulebook(
        rules=tuple(rules),
        guards=group("guards", tables.get("guards", {})),
        gates=group("gates", tables.get("gates", {})),
        names={kind: tuple(group(f"names.{kind}", e).items()) for kind, e in tables.get("names", {}).items()},
        triggers=group("forgets.triggers", forgets.get("triggers", {})),
        targets=group("forgets.targets", forgets.get("targets", {})),
        withdrawals=group("forgets.withdrawals", forgets.get("withdrawals", {})),
        assents=group("assents", tables.get("assents", {})),
        tables=_with_heads(tables.get("tables", {}), tables.get("words", {})),
        weights={name: float(weight) for name, weight in tables.get("importance", {}).items()},
        path=_pattern(origin, "words.path", "{path}", words),
        head=_pattern(origin, "words.plain_head", "{plain_head}", words),
    )


def _with_heads(tables: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """The tables, with one sub-command for every program whose number of them is not named."""
    heads = words.get("plain_head", ())
    known = dict.fromkeys(heads if isinstance(heads, list) else (), 1)
    return {**tables, "subcommands": {**known, **tables.get("subcommands", {})}}


def _alternatives(value: str | list[str]) -> str:
    """A word list becomes one group, longest first, so that "pip-tools" is not read as "pip"."""
    if isinstance(value, str):
        return value
    return (
        "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(value, key=len, reverse=True)) + ")"
    )


def _pattern(path: Path, key: str, pattern: str, words: Mapping[str, str]) -> re.Pattern[str]:
    def named(found: re.Match[str]) -> str:
        if found[1] not in words:
            raise PolicyError(path, key, f"{{{found[1]}}} is not in [words]")
        return words[found[1]]

    for _ in range(5):  # words may be made of words, a few levels deep
        pattern, count = MACRO.subn(named, pattern)
        if not count:
            break
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise PolicyError(path, key, f"is not a valid pattern: {error}") from error


def _rule(
    path: Path, type_name: str, name: str, table: dict[str, Any], words: Mapping[str, str], weight: float
) -> Rule:
    key = f"cues.{type_name}.{name}"
    if unknown := sorted(table.keys() - RULE_KEYS):
        raise PolicyError(path, f"{key}.{unknown[0]}", "unknown key", f"known keys: {', '.join(sorted(RULE_KEYS))}")
    if not table.get("all"):
        raise PolicyError(path, f"{key}.all", "is missing: a list of patterns that must all be found")
    if table.get("quote", "match") not in QUOTES:
        raise PolicyError(path, f"{key}.quote", f"is not one of {', '.join(sorted(QUOTES))}")
    optional = {
        field: _pattern(path, f"{key}.{field}", table[field], words) if field in table else None
        for field in ("needs", "context", "unless")
    }
    return Rule(
        name=name,
        type=type_name,
        all=tuple(_pattern(path, f"{key}.all", pattern, words) for pattern in table["all"]),
        subject=table.get("subject"),
        previous=table.get("previous"),
        needs=optional["needs"],
        context=optional["context"],
        unless=optional["unless"],
        kind=Kind(table.get("kind", "standing")),
        importance=float(table.get("importance", weight)),
        quote=table.get("quote", "match"),
        value=table.get("value"),
        negatable=table.get("negatable", True),
    )
