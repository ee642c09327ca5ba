"""Custom commands: prompts in files, which an agent puts in the place of the line that the developer typed."""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from transcripts.session import Origin, Segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# agent: (folders in the home, folders in the project); a home that a variable moves stands first.
_FOLDERS = {
    "codex": (("$CODEX_HOME/prompts", "~/.codex/prompts"), (".codex/prompts",)),
    "opencode": (
        ("~/.config/opencode/command", "~/.config/opencode/commands"),
        (".opencode/command", ".opencode/commands"),
    ),
    "gemini-cli": (("~/.gemini/commands",), (".gemini/commands",)),
    "qwen-code": (("~/.qwen/commands",), (".qwen/commands",)),
    "droid": (("~/.factory/commands",), (".factory/commands",)),
    "pi": (("~/.pi/agent/prompts",), (".pi/prompts",)),
}
_MOST = 200  # templates in a folder
_LEAST_TEXT = 40  # characters of a template besides its places: nobody types these by chance
_LONGEST = 50_000  # characters of a message


def expanded(text: str, agent: str, cwd: str | None) -> list[tuple[int, int]] | None:
    """Where the developer's arguments stand in a message that an agent made of a command; None when it is none."""
    if agent not in _FOLDERS or not _LEAST_TEXT <= len(text) <= _LONGEST:
        return None
    bare = text.strip()
    for template in _templates(agent, cwd or ""):
        match = template.fullmatch(bare)
        if match:
            shift = len(text) - len(text.lstrip())
            spans = {match.span(index) for index in range(1, template.groups + 1) if (match[index] or "").strip()}
            return sorted((start + shift, end + shift) for start, end in spans)
    return None


def with_arguments(
    text: str, arguments: list[tuple[int, int]], cut: Callable[[str], tuple[Segment, ...]]
) -> tuple[Segment, ...]:
    """The segments of a message of which only ``arguments`` are the developer's."""
    out: list[Segment] = []
    at = 0
    for start, end in arguments:
        if start > at:
            out.append(Segment(Origin.INJECTED, text[at:start]))
        out += cut(text[start:end])
        at = end
    if at < len(text):
        out.append(Segment(Origin.INJECTED, text[at:]))
    return tuple(out)


@lru_cache(maxsize=64)
def _templates(agent: str, cwd: str) -> tuple[re.Pattern[str], ...]:
    """The commands that a session in ``cwd`` could use, as patterns with a group for each place of an argument."""
    home, project = _FOLDERS[agent]
    folders = [Path(os.path.expandvars(folder)).expanduser() for folder in home]
    if cwd and Path(cwd).is_absolute():
        folders += [Path(cwd) / folder for folder in project]
    patterns = (_pattern(body) for folder in folders if folder.is_absolute() for body in _bodies(folder))
    return tuple(pattern for pattern in patterns if pattern is not None)


def _bodies(folder: Path) -> Iterator[str]:
    """The prompts in a folder and below it: Markdown behind its front matter, or the ``prompt`` of a TOML file."""
    try:
        files = sorted(file for file in folder.rglob("*") if file.suffix in (".md", ".toml") and file.is_file())[:_MOST]
    except OSError:
        return
    for file in files:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
            prompt = _prompt_of(text) if file.suffix == ".toml" else text
        except (OSError, ValueError):
            continue
        if isinstance(prompt, str):
            yield re.sub(r"\A---\n.*?\n---\n", "", prompt, flags=re.DOTALL).strip()


def _prompt_of(text: str) -> object:
    """The prompt of a TOML file. Raises ValueError."""
    import tomllib

    return tomllib.loads(text).get("prompt")


@cache
def _place() -> re.Pattern[str]:
    """A place that an argument fills, or (second group) what a command or a file fills."""
    return re.compile(r"(\$(?:ARGUMENTS|@|[1-9]\b|[A-Z][A-Z0-9_]*\b)|\{\{\s*args\s*\}\})|(!`[^`\n]*`|[!@]\{[^}\n]*\})")


def _pattern(body: str) -> re.Pattern[str] | None:
    """What a template looks like once it is filled; None for one that is little more than its places.

    One without a place for arguments has them behind it, with or without the command's name.
    """
    pieces: list[str] = []
    at = size = 0
    takes_arguments = False
    for place in _place().finditer(body):
        size += place.start() - at
        takes_arguments = takes_arguments or bool(place[1])
        pieces += [re.escape(body[at : place.start()]), r"([\s\S]*?)" if place[1] else r"[\s\S]*?"]
        at = place.end()
    if size + len(body) - at < _LEAST_TEXT:
        return None
    behind = "" if takes_arguments else r"(?:\n\n(?:/[\w:-]+[ \t]*)?([\s\S]*))?"
    return re.compile("".join(pieces) + re.escape(body[at:]) + behind)
