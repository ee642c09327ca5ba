"""What the checkout's own files answer, kept while they stay as they are: reading a CI workflow takes long."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from afterpass.arrival import kept

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.model import FactType
    from validators.context import Hint
    from validators.repository import RepoFiles

# Whoever starts a session waits for this module: paths are strings here.
# ruff: noqa: PTH118, PTH208

ASKED = frozenset({"package_manager", "test_command", "build_command", "lint_command", "reviewer"})
"""The types that the files answer; for any other there is nothing to read."""


class KeptFiles:
    """The answers of a checkout's machine-read files. :meth:`keep` keeps the new ones for the next process."""

    def __init__(self, home: str, top: str) -> None:
        self.top = top
        self._file = kept.path_in(home, "files", kept.name_of_place(top))
        found = kept.load(self._file, {"top": top})
        self.stamps: dict[str, kept.Stamp] = {}
        self._answers: dict[str, str | None] = {}
        if found is not None:
            self._answers = found["answers"]
            self.stamps = found["stamps"]
        self._fresh = False
        self._live: RepoFiles | None = None
        self.lasting = True
        """Whether every answer given so far rests on nothing but the files in ``stamps``."""

    def answer(self, type_name: str, subject: str) -> str | None:
        """See :class:`validators.repository.RepoFiles`."""
        if type_name not in ASKED:
            return None
        key = f"{type_name}\x1f{subject}"
        if key not in self._answers:
            value = self._files.answer(type_name, subject)
            if type_name == "package_manager" and subject:
                self.lasting = False  # it may rest on a folder of that name
                return value
            self._answers[key], self._fresh = value, True
        return self._answers[key]

    def holds(self, type_name: str, subject: str, value: str) -> bool:
        """See :class:`validators.repository.RepoFiles`."""
        return self._files.holds(type_name, subject, value)

    def hint(self, fact_type: FactType, subject: str) -> Hint | None:
        """See :class:`validators.repository.RepoFiles`."""
        self.lasting = False  # it rests on more files than the stamps tell
        return self._files.hint(fact_type, subject)

    def mark_on(self, path: str) -> Hint | None:
        """See :class:`validators.repository.RepoFiles`."""
        self.lasting = False
        return self._files.mark_on(path)

    def keep(self) -> None:
        """Keep what was asked for the first time."""
        if self._fresh:
            kept.save(self._file, {"top": self.top}, self.stamps, {"answers": self._answers, "stamps": self.stamps})

    @property
    def _files(self) -> RepoFiles:
        if self._live is None:
            from pathlib import Path

            from validators.repository import read_repository

            self.stamps = self.stamps or kept.stamps_of(_machine_read(self.top))
            self._live = read_repository(Path(self.top))
        return self._live


def _machine_read(top: str) -> Iterator[str]:
    """The files that the answers without a part of the project rest on, whether they are there or not."""
    from validators.machine_read.codeowners import PLACES
    from validators.machine_read.locks import LOCKS

    names = [name for locks in LOCKS.values() for name, _ in locks]
    names += [*PLACES, "package.json", ".gitlab-ci.yml", ".circleci/config.yml", ".github/workflows/"]
    yield from (os.path.join(top, name) for name in names)
    workflows = os.path.join(top, ".github", "workflows")
    if os.path.isdir(workflows):  # noqa: PTH112 - see above
        yield from (os.path.join(workflows, name) for name in sorted(os.listdir(workflows)))
