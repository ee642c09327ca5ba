"""The markers that the hook leaves: which sessions somebody said have ended.

A marker stays until the ledger says that what its transcript holds is done, so a pass that dies loses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

LOOKED_FOR = timedelta(days=1)
"""How long a transcript that does not exist yet is looked for."""

FINAL_EVENTS = frozenset({"SessionEnd"})


@dataclass(frozen=True, slots=True)
class Marker:
    """One word of a hook. ``final`` says that the session has ended; otherwise only a turn has."""

    file: Path
    final: bool
    session: str | None
    path: Path | None
    cwd: str | None
    at: datetime

    @property
    def label(self) -> str:
        """What to call the session in a report."""
        return self.session or str(self.path)

    def given_up(self, now: datetime) -> bool:
        """Whether a missing transcript has been looked for long enough."""
        return now - self.at > LOOKED_FOR

    def remove(self) -> None:
        """Take the marker away: its session is on record."""
        self.file.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class BrokenMarker:
    """A marker that says nothing (a disk that lost a write); it is set aside under ``.bad`` and reported."""

    file: Path
    reason: str


def read_inbox(inbox: Path) -> tuple[list[Marker], list[BrokenMarker]]:
    """All markers, the oldest first, and those that cannot be read."""
    markers: list[Marker] = []
    broken: list[BrokenMarker] = []
    for file in sorted(inbox.glob("*.json")) if inbox.is_dir() else []:
        try:
            markers.append(_parse(file, json.loads(file.read_bytes())))
        except FileNotFoundError:
            continue  # another pass was quicker
        except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
            broken.append(BrokenMarker(file, f"{type(error).__name__}: {error}"))
    return markers, broken


def _parse(file: Path, told: dict[str, object]) -> Marker:
    session, path, cwd, at = told["session"], told["path"], told["cwd"], told["at"]
    if not isinstance(at, (int, float)):
        raise TypeError("the marker has no time")
    return Marker(
        file=file,
        final=told["event"] in FINAL_EVENTS,
        session=session if isinstance(session, str) else None,
        path=Path(path) if isinstance(path, str) else None,
        cwd=cwd if isinstance(cwd, str) else None,
        at=datetime.fromtimestamp(at, UTC),
    )


def set_aside(marker: BrokenMarker) -> None:
    """Keep a broken marker for a person, out of the way of the next pass."""
    try:
        marker.file.rename(marker.file.with_suffix(".bad"))
    except FileNotFoundError:
        return


def transcript_of(marker: Marker, known: Iterable[str]) -> Path | None:
    """The marker's transcript: the path it gave, else the one of the ``known`` files that carries the session's id.

    An agent that moves into a worktree leaves a line in the old folder and goes on in the new one: of files of one name
    the largest holds the session. Never the newest file of a project: a session that is missed can be found later, a
    wrong one cannot be unread.
    """
    if marker.path is not None and marker.path.is_file():
        return marker.path
    if not marker.session:
        return None
    matches = [Path(name) for name in known if _carries(name, marker.session)]
    if len({match.name for match in matches}) != 1:
        return None
    return max(matches, key=_size)


def _size(path: Path) -> int:
    """In bytes; of a file that has just gone, none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _carries(name: str, session: str) -> bool:
    """Claude Code names the file by the id, Codex ends the name with it."""
    stem = name.rpartition("/")[2].partition(".jsonl")[0]
    return stem == session or stem.endswith(f"-{session}")
