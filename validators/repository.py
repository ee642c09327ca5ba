"""A repository asked what it says itself: only files that programs read, and only where they leave one answer."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from transcripts.lazy import lazy
from validators.context import Hint, RepoAnswers
from validators.machine_read import ci, codeowners, deploys, locks, marks, scripts
from validators.machine_read.files import json_of, text_of
from validators.values import command, path, person
from validators.values import manager as managers

if TYPE_CHECKING:
    from policy.model import FactType

__all__ = ["RepoAnswers", "RepoFiles", "read_repository"]

COMMANDS = frozenset(ci.PURPOSES)
SCRIPT_RUN = lazy(r"^(npm|pnpm|yarn|bun)\s+run\s+")
GENERATED = lazy(r"^\s*(?P<pattern>\S+)\s.*?\blinguist-generated(?:=true)?(?=\s|$)")
ECOSYSTEM_ALIASES = {
    "js": "javascript",
    "node": "javascript",
    "typescript": "javascript",
    "ts": "javascript",
    "py": "python",
}
ECOSYSTEM_ALIASES |= {
    "golang": "go",
    "jvm": "java",
    "kotlin": "java",
    ".net": "dotnet",
    "c#": "dotnet",
    "csharp": "dotnet",
}


def files_behind(type_name: str) -> str:
    """Which files :meth:`RepoFiles.answer` reads for a type, in words."""
    return {"package_manager": "packageManager and lock files", "reviewer": "CODEOWNERS"}.get(type_name, "CI run lines")


def read_repository(directory: Path) -> RepoFiles:
    """The answers of the repository in a directory.
    Files are read when a question needs them; unreadable ones say nothing.
    """
    return RepoFiles(directory)


class RepoFiles:
    """What a directory's machine-read files say, each kind of file read at most once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def answer(self, type_name: str, subject: str) -> str | None:
        """The value that the files give for a slot, or None where they give none or more than one.

        ``package_manager``: ``packageManager``, else the lock files; ``test_command``, ``build_command``,
        ``lint_command``: the only CI run line that plainly is one; ``reviewer``: CODEOWNERS.
        """
        if type_name == "package_manager":
            return self._manager(subject)
        if type_name in COMMANDS:
            found = self._run_lines(type_name, subject)
            return found[0] if len(found) == 1 else None
        if type_name == "reviewer" and subject:
            return " ".join(codeowners.owners_of(subject, self._rules)) or None
        return None

    def holds(self, type_name: str, subject: str, value: str) -> bool:
        """Whether the files already say this value: their answer, what its script or target does, or one of its
        owners.
        """
        if type_name == "do_not_edit":
            return path.normalise(value) in self._generated
        found = self.answer(type_name, subject)
        if found is None:
            return False
        if type_name == "package_manager":
            return managers.base(found) == managers.base(value)
        if type_name in COMMANDS:
            return _plain(value) in {_plain(found), *map(_plain, self._meanings(found))}
        owners = found.split()
        return any(_same_person(owner, value) for owner in owners) or set(value.split()) <= set(owners)

    def hint(self, fact_type: FactType, subject: str) -> Hint | None:
        """What weaker files agree on for a slot that nothing else answers, or None where they differ.

        Commands of the whole project: package scripts, Makefile and justfile targets, tox, nox. ``deploy_target``: the
        branch whose pushes a workflow deploys to the environment.
        """
        if fact_type.name == "deploy_target":
            return _agreed(deploys.deployed(self.root, fact_type, subject)) if subject else None
        if subject or fact_type.name not in scripts.NAMES:
            return None
        found = scripts.offered(self.root, fact_type.name, self._manager("javascript"), self._make_targets)
        return _agreed([hint for hint in found if not any(self._does(other, hint) for other in found)])

    def _does(self, outer: Hint, inner: Hint) -> bool:
        """Whether a command is another one in a dress: ``make test`` that runs ``tox``."""
        return outer is not inner and _plain(inner.value) in map(_plain, self._meanings(outer.value))

    def mark_on(self, path: str) -> Hint | None:
        """What marks a file of the checkout as generated or vendored: a pattern, or the file's own first lines."""
        return marks.mark_on(self.root, path)

    def _manager(self, subject: str) -> str | None:
        ecosystem = ECOSYSTEM_ALIASES.get(subject, subject)
        if not ecosystem:
            return locks.only_manager(self.root)
        if ecosystem in locks.LOCKS:
            return locks.manager(self.root, ecosystem)
        folder = locks.folder_of(self.root, subject)
        return locks.only_manager(folder) if folder else None

    def _run_lines(self, type_name: str, subject: str) -> list[str]:
        """The different commands of a type that the CI runs for the whole project, or for a named part of it.

        A command whose name limits it to a part stands for the whole where there is no other.
        """
        wanted = subject.replace(" ", "-")
        found: dict[str, str] = {}
        parts: dict[str, str] = {}
        for line in self._ci:
            if ci.purpose(line.command) == type_name:
                folder = line.folder.rpartition("/")[2].casefold()
                if (folder or ci.part_of(line.command)) == wanted:
                    found.setdefault(_plain(line.command), line.command)
                elif not folder:
                    parts.setdefault(_plain(line.command), line.command)
        return list((found or (parts if not wanted else {})).values())

    def _meanings(self, found: str) -> list[str]:
        """What a target or script that the CI runs does, where it does one thing."""
        words = found.split()
        if len(words) == 2 and words[0] == "make":
            recipe = self._make_targets.get(words[1], [])
            return recipe if len(recipe) == 1 else []
        name = SCRIPT_RUN.sub("", found).split() if SCRIPT_RUN.match(found) else words[1:]
        if words and words[0] in ("npm", "pnpm", "yarn", "bun") and len(name) == 1:
            script = json_of(self.root / "package.json").get("scripts")
            body = script.get(name[0]) if isinstance(script, dict) else None
            return [body] if isinstance(body, str) else []
        return []

    @cached_property
    def _ci(self) -> list[ci.RunLine]:
        try:
            return ci.run_lines(self.root)
        except OSError:
            return []

    @cached_property
    def _rules(self) -> list[codeowners.Rule]:
        return codeowners.rules(self.root)

    @cached_property
    def _make_targets(self) -> dict[str, list[str]]:
        """The Makefile's targets with their recipe lines."""
        targets: dict[str, list[str]] = {}
        current: list[str] = []
        for line in (text_of(self.root / "Makefile") or "").splitlines():
            target = re.match(r"([A-Za-z0-9_.-]+)\s*:(?!=)", line)
            if target:
                current = targets.setdefault(target[1], [])
            elif line.startswith("\t") and line.strip():
                current.append(line.strip().lstrip("@-"))
        return targets

    @cached_property
    def _generated(self) -> frozenset[str]:
        """The paths that ``.gitattributes`` marks as generated."""
        lines = (text_of(self.root / ".gitattributes") or "").splitlines()
        return frozenset(
            path.normalise(match["pattern"].lstrip("/")) for line in lines if (match := GENERATED.match(line))
        )


def _agreed(found: list[Hint]) -> Hint | None:
    """The first of several hints that say the same, None where they differ."""
    return found[0] if len({hint.value for hint in found}) == 1 else None


def _plain(value: str) -> str:
    """A command as two ways to spell it are compared: ``npm run test`` is ``npm test``."""
    bare = command.normalise(value)
    bare = re.sub(r"^npm t(?=\s|$)", "npm test", bare)
    return SCRIPT_RUN.sub(r"\1 ", bare)


def _same_person(owner: str, value: str) -> bool:
    """Whether an owner's handle is the named person or team: ``@acme/data-team`` is the data team."""
    spoken = person.normalise(value).replace("-", " ")
    handle = person.normalise(owner)
    return spoken in {handle.replace("-", " "), person.normalise(handle.rpartition("/")[2]).replace("-", " ")}
