"""Lexicons: the words and phrases that one language gives the checks, read from ``lexicons/<language>.toml``.

A file has ``[classes]`` (named word lists), ``[spelling]`` (what a sloppy spelling stands for) and one table
``[GROUP.RULE]`` per rule: ``phrases`` (one or more per line), ``match`` (sentences in which the rule must be found) and
``miss`` (sentences in which it must not be). How phrases are written stands at the top of ``lexicons/en.toml``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from policy.files import PolicyError, merged, read_toml, unknown_key

RULE_KEYS = frozenset({"phrases", "match", "miss"})
OWN_TABLES = frozenset({"classes", "spelling"})
GROUPS = frozenset(
    {
        "standing", "one_off", "dated", "limit", "await", "shield", "frame",
        "question", "tag_confirm", "tag_accept", "embedded", "affirm", "denial", "rhetorical",
        "hedge", "wish", "plan", "hypothesis", "joke", "report", "endorse", "retract",
        "negate", "negate_next", "negate_after", "flip", "ban", "unban",
        "elsewhere", "here", "open_owner", "compare", "habit",
        "forget", "keep", "assent", "refuse",
        "states",
    }
)  # fmt: skip


class Rule(NamedTuple):
    """One entry of a lexicon. ``phrases``, ``match`` and ``miss`` are the raw lines of the file."""

    group: str
    name: str
    phrases: str
    match: str = ""
    miss: str = ""

    @property
    def examples(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The sentences that must match, and those that must not."""
        return lines(self.match), lines(self.miss)


class Lexicon(NamedTuple):
    """One language's words. ``spelling`` pairs a sloppy form with what it stands for; ``classes`` are raw text."""

    language: str
    path: Path
    classes: dict[str, str]
    spelling: tuple[tuple[str, str], ...]
    rules: tuple[Rule, ...]


class Marks(NamedTuple):
    """How a language is recognised: words that only it has, or the characters of its script as [first, last] pairs."""

    words: frozenset[str]
    script: tuple[tuple[str, str], ...]


def lines(text: str) -> tuple[str, ...]:
    """The non-empty lines of a block, without their surrounding blanks."""
    return tuple(line for line in map(str.strip, text.splitlines()) if line)


@cache
def read_lexicon(folders: tuple[Path, ...], language: str) -> Lexicon:
    """The language's lexicon: the shipped file with a team's file of the same name laid over it, rule by rule.

    Raises :class:`PolicyError` for an unknown group, an unknown key or a value that is no text.
    """
    tables: dict[str, Any] = {}
    source = folders[0] / "lexicons" / f"{language}.toml"
    for folder in folders:
        path = folder / "lexicons" / f"{language}.toml"
        if path.exists():
            tables = merged(tables, _checked(path, read_toml(path)))
            source = path
    rules = tuple(
        Rule(group, name, **rule) for group, table in tables.items() if group in GROUPS for name, rule in table.items()
    )
    pairs = (line.partition(" = ") for text in tables.get("spelling", {}).values() for line in lines(text))
    spelling = tuple((short, full) for short, _, full in pairs)
    return Lexicon(language, source, tables.get("classes", {}), spelling, rules)


@cache
def read_marks(folders: tuple[Path, ...]) -> dict[str, Marks]:
    """How each language is recognised, from ``lexicons/languages.toml`` of every folder, in the file's order."""
    tables: dict[str, Any] = {}
    for folder in folders:
        path = folder / "lexicons" / "languages.toml"
        if path.exists():
            tables = merged(tables, read_toml(path))
    return {
        language: Marks(
            words=frozenset(table.get("words", "").split()),
            script=tuple((pair[0], pair[-1]) for pair in table.get("script", [])),
        )
        for language, table in tables.items()
    }


def _checked(path: Path, tables: dict[str, Any]) -> dict[str, Any]:
    for group, table in tables.items():
        if group not in GROUPS and group not in OWN_TABLES:
            raise unknown_key(path, group, group, GROUPS | OWN_TABLES)
        if not isinstance(table, dict):
            raise PolicyError(path, group, "is not a table")
        for name, rule in table.items():
            if group in OWN_TABLES:
                if not isinstance(rule, str):
                    raise PolicyError(path, f"{group}.{name}", "is not a text")
                continue
            if not isinstance(rule, dict):
                raise PolicyError(path, f"{group}.{name}", "is not a table")
            for key, text in rule.items():
                if key not in RULE_KEYS:
                    raise unknown_key(path, f"{group}.{name}.{key}", key, RULE_KEYS)
                if not isinstance(text, str):
                    raise PolicyError(path, f"{group}.{name}.{key}", "is not a text")
            if "phrases" not in rule:
                raise PolicyError(path, f"{group}.{name}", "has no phrases")
    return tables
