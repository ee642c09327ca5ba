"""Who owns an area by CODEOWNERS: the last rule that matches decides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from validators.machine_read.files import text_of

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
WHOLE = frozenset({"everything", "all", "*", "the repo", "repo", "repository", "the repository", "the rest"})
MOST_RULES = 2000


class Rule(NamedTuple):
    """One line: a pattern and its owners (none: nobody)."""

    pattern: str
    owners: tuple[str, ...]


def rules(root: Path) -> list[Rule]:
    """The rules of the first CODEOWNERS file that there is."""
    text = next((found for place in PLACES if (found := text_of(root / place)) is not None), "")
    lines = [line.split("#", 1)[0].split() for line in text.splitlines()[:MOST_RULES]]
    return [Rule(words[0], tuple(words[1:])) for words in lines if words and not words[0].startswith(("[", "^["))]


def owners_of(area: str, found: list[Rule]) -> tuple[str, ...]:
    """The owners of an area that a rule's path names; empty where no path stands for it or two disagree."""
    if area in WHOLE:
        return _last_match("\x00anything", found)
    if "/" in area:
        return _last_match(_inside(area.strip("/")), found)
    paths = {rule.pattern.strip("/") for rule in found if _names(rule.pattern, area)}
    if not paths and all(rule.pattern in ("*", "**", "/") for rule in found):
        return _last_match("\x00anything", found)
    answers = {_last_match(_inside(path), found) for path in paths}
    return answers.pop() if len(answers) == 1 else ()


def _names(pattern: str, area: str) -> bool:
    """Whether the last telling part of a pattern is the area's name."""
    parts = [part for part in pattern.strip("/").split("/") if part not in ("*", "**", "*.*")]
    wanted = area.replace(" ", "-")
    return bool(parts) and parts[-1].casefold() in {wanted, area.replace(" ", "_"), area.replace(" ", "")}


def _inside(path: str) -> str:
    """A file that lies under a pattern's path."""
    bare = "/".join(part for part in path.split("/") if part not in ("*", "**"))
    return f"{bare}/\x00file" if "*" not in bare else bare.replace("*", "x")


def _last_match(path: str, found: list[Rule]) -> tuple[str, ...]:
    return next((rule.owners for rule in reversed(found) if regex(rule.pattern).match(path)), ())


def regex(pattern: str) -> re.Pattern[str]:
    """A pattern in git's way, which matches a path or a folder above it from the start."""
    anchored = "/" in pattern.rstrip("/")
    body = "".join(
        {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(piece, re.escape(piece))
        for piece in re.split(r"(\*\*/|\*\*|\*|\?)", pattern.strip("/"))
    )
    if not body:
        return re.compile("")  # the root: everything
    return re.compile(("" if anchored else "(?:.*/)?") + body + (r"/" if pattern.endswith("/") else r"(?:/|$)"))
