"""The commands that a repository offers: package scripts, Makefile and justfile targets, tox and nox."""

from __future__ import annotations

import re
from pathlib import Path

from transcripts.lazy import lazy
from validators.context import Hint
from validators.machine_read.files import json_of, text_of

NAMES = {
    "test_command": ("test", "tests"),
    "build_command": ("build",),
    "lint_command": ("lint",),
    "run_command": ("dev", "start", "serve"),
}
JUSTFILES = ("justfile", "Justfile", ".justfile")
NO_TEST = "no test specified"  # what `npm init` writes
RECIPE = lazy(r"^@?([A-Za-z_][\w-]*)\s*:(?!=)")  # one with parameters cannot be called by its name alone


def offered(root: Path, type_name: str, manager: str | None, targets: dict[str, list[str]]) -> list[Hint]:
    """Every command of a type that a file offers under one of the usual names, in the order of the files.

    ``manager`` runs the package scripts, without one there are none; ``targets`` are the Makefile's.
    """
    names = NAMES.get(type_name, ())
    found = [Hint(_script(manager, name), "package.json") for name in _scripts(root, names) if manager]
    found += [Hint(f"make {name}", "Makefile") for name in names if name in targets]
    for file in JUSTFILES:
        recipes = {match[1] for line in (text_of(root / file) or "").splitlines() if (match := RECIPE.match(line))}
        found += [Hint(f"just {name}", file) for name in names if name in recipes]
        if recipes:
            break  # where case does not count in file names, two of them are one
    return found + (_test_runners(root) if type_name == "test_command" else [])


def _scripts(root: Path, names: tuple[str, ...]) -> list[str]:
    scripts = json_of(root / "package.json").get("scripts")
    if not isinstance(scripts, dict):
        return []
    return [name for name in names if isinstance(scripts.get(name), str) and NO_TEST not in scripts[name]]


def _script(manager: str | None, name: str) -> str:
    """How a manager runs a script: ``pnpm test``, ``pnpm run lint``; ``bun test`` would be bun's own runner."""
    if manager == "deno":
        return f"deno task {name}"
    return f"{manager} test" if name == "test" and manager != "bun" else f"{manager} run {name}"


def _test_runners(root: Path) -> list[Hint]:
    found = []
    if re.search(r"^\[testenv\]", text_of(root / "tox.ini") or "", re.MULTILINE):
        found.append(Hint("tox", "tox.ini"))
    if re.search(
        r"^@nox\.session\b[^\n]*\n(?:@[^\n]*\n)*def tests?\w*\(", text_of(root / "noxfile.py") or "", re.MULTILINE
    ):
        found.append(Hint("nox", "noxfile.py"))
    return found
