"""Where agents keep their transcripts, and which files lie there. Nothing is opened while folders are walked."""

from __future__ import annotations

import contextlib
import errno
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from transcripts.errors import TranscriptError
from transcripts.file import TranscriptFile
from transcripts.jsonl import parse
from transcripts.packed import cut_short
from transcripts.sidefiles import CERTAIN_FOLDERS, CERTAIN_NAMES, CERTAIN_PREFIXES, CERTAIN_SUFFIXES
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from datetime import datetime

DATABASES = ("opencode.db", "sessions.db", "threads.db")
SUFFIXES = (".jsonl", ".json", ".jsonl.zst", ".jsonl.gz", ".md", *DATABASES)


@dataclass(frozen=True, slots=True)
class Root:
    """A folder in which an agent keeps its sessions; ``agent`` is "" for a folder that somebody named."""

    path: Path
    agent: str = ""
    suffixes: tuple[str, ...] = SUFFIXES  # how the names of its transcripts end
    below: str = ""  # the one folder, in each of the root's own folders, that holds them
    flat: bool = False  # they lie in it, not in its folders


class Found(NamedTuple):
    """A file that may hold a session. ``size`` in bytes, ``mtime_ns`` in nanoseconds since 1970."""

    name: str
    size: int
    mtime_ns: int
    agent: str

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.name)


def default_roots(environ: Mapping[str, str] | None = None) -> list[Root]:
    """The folders of the agents that are known, whether or not they exist.

    ``CLAUDE_CONFIG_DIR``, ``CODEX_HOME``, ``COPILOT_HOME`` and ``XDG_DATA_HOME`` are honoured.
    """
    environ = os.environ if environ is None else environ
    home = Path(environ.get("HOME") or Path.home())
    lines = (".jsonl", ".jsonl.zst", ".jsonl.gz")
    moved = environ.get("CLAUDE_CONFIG_DIR")
    claude = [Path(part).expanduser() for part in moved.split(",") if part.strip()] if moved else [home / ".claude"]
    codex = Path(environ.get("CODEX_HOME") or home / ".codex").expanduser()
    roots = [Root(folder / "projects", "claude-code", lines) for folder in claude]
    roots += [Root(folder / "history.jsonl", "claude-code") for folder in claude]
    roots += [Root(codex / name, "codex", lines) for name in ("sessions", "archived_sessions")]
    copilot = Path(environ.get("COPILOT_HOME") or home / ".copilot").expanduser()
    roots += [
        Root(copilot / "session-state", "copilot-cli", ("events.jsonl",)),
        Root(copilot / "session-state", "copilot-cli", (".jsonl",), flat=True),
        Root(copilot / "history-session-state", "copilot-cli", (".json",), flat=True),
    ]
    return roots + _other_roots(home, Path(environ.get("XDG_DATA_HOME") or home / ".local/share"))


_EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code")


def _other_roots(home: Path, data: Path) -> list[Root]:
    """Where agents keep sessions that cannot be moved. Aider and SpecStory write into the repository itself."""
    settings = [home / ".config", home / "Library/Application Support"]
    code = [place / build / "User" for place in settings for build in ("Code", "Code - Insiders")]
    return [
        Root(home / ".cursor/projects", "cursor", (".jsonl", ".txt"), "agent-transcripts"),
        *(Root(user / "workspaceStorage", "vscode-copilot", (".json", ".jsonl"), "chatSessions") for user in code),
        *(Root(user / "globalStorage/emptyWindowChatSessions", "vscode-copilot", (".json", ".jsonl")) for user in code),
        *(
            Root(user / "globalStorage" / name / "tasks", "cline", ("ui_messages.json",))
            for user in code
            for name in _EXTENSIONS
        ),
        Root(home / ".cline/data", "cline", ("ui_messages.json", "session.messages.json")),
        Root(home / ".gemini/tmp", "gemini-cli", (".json", ".jsonl"), "chats"),
        Root(data / "opencode/storage/session", "opencode", (".json",)),
        Root(data / "opencode/opencode.db", "opencode"),
        Root(home / ".pi/agent/sessions", "pi", (".jsonl",)),
        Root(data / "goose/sessions", "goose", (".jsonl", "sessions.db")),
        Root(data / "zed/threads/threads.db", "zed"),
        Root(home / "Library/Application Support/Zed/threads/threads.db", "zed"),
        Root(home / ".qwen/projects", "qwen-code", (".jsonl",), "chats"),
        Root(home / ".factory/sessions", "droid", (".jsonl",)),
        Root(data / "amp/threads", "amp", (".json",)),
        Root(home / ".openhands/conversations", "openhands", ("base_state.json",)),
    ]


Closed = Callable[[str, OSError], None]
"""Told of each folder, or link to a file, that is there and cannot be looked at, and why."""


def discover(roots: Iterable[Root | Path], closed: Closed = lambda _path, _why: None) -> Iterator[Found]:
    """Every file under the roots that may hold a session; each file once, also where roots overlap.

    A root that does not exist gives nothing. A compressed copy is left out where the plain file lies beside it. What
    cannot be looked at is told to ``closed``, and the walk goes on.
    """
    met: set[str] = set()
    several = list(roots)
    for root in several:
        if not isinstance(root, Root):
            root = Root(Path(root))
        if root.path.is_file():
            files: Iterable[Found] = [Found(str(root.path), *measured(str(root.path), root.path.stat()), root.agent)]
        else:
            files = _walk(str(root.path), root, closed)
        for found in files:
            if len(several) > 1:
                if found.name in met:
                    continue
                met.add(found.name)
            yield found


def _walk(top: str, root: Root, closed: Closed) -> Iterator[Found]:
    suffixes, agent, below = root.suffixes, root.agent, root.below
    folders = [top]
    inside = {top} if below else set[str]()  # folders of which only one folder is entered, and the root above them
    entered: set[tuple[int, int]] = set()  # folders that were reached by a link
    while folders:
        here: list[Found] = []
        packed = False
        folder = folders.pop()
        narrow = below if folder in inside and folder != top else ""
        above = folder in inside  # not yet in a folder that counts
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if name.endswith(suffixes) and not above:
                        if (
                            name.endswith(CERTAIN_SUFFIXES)
                            or name.startswith(CERTAIN_PREFIXES)
                            or name in CERTAIN_NAMES
                        ):
                            continue
                        status = _status(entry, closed)
                        if status is not None:
                            packed = packed or not name.endswith(("l", "n", "d"))
                            path = entry.path
                            if name.endswith(".db"):
                                here.append(Found(path, *measured(path, status), agent))
                            else:
                                here.append(Found(path, status.st_size, status.st_mtime_ns, agent))
                    elif not root.flat and name not in _NEVER and _enters(entry, entered, closed):
                        if narrow and name != narrow:
                            continue
                        folders.append(entry.path)
                        if folder == top and below:
                            inside.add(entry.path)
        except OSError as error:
            _tell(folder, error, closed)  # what was found in it so far counts
        yield from _without_packed_copies(here) if packed else here


def measured(path: str, status: os.stat_result) -> tuple[int, int]:
    """Size in bytes and time in nanoseconds; those of a database with its log, where new sessions stand at first."""
    size, mtime_ns = status.st_size, status.st_mtime_ns
    if path.endswith(".db"):
        with contextlib.suppress(OSError):
            log = os.stat(f"{path}-wal")  # noqa: PTH116 - a path object costs more than the call
            if log.st_size:
                return size + log.st_size, max(mtime_ns, log.st_mtime_ns)
    return size, mtime_ns


_NEVER = CERTAIN_FOLDERS | {".git", "node_modules", "__pycache__", ".venv"}


def _tell(path: str, error: OSError, closed: Closed) -> None:
    """What went away meanwhile, and a link that leads nowhere, hide no session."""
    if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
        closed(path, error)


def _status(entry: os.DirEntry[str], closed: Closed) -> os.stat_result | None:
    """The file's status; None for what is gone or no regular file."""
    try:
        return entry.stat() if entry.is_file() else None
    except OSError as error:
        _tell(entry.path, error, closed)
        return None


def _enters(entry: os.DirEntry[str], entered: set[tuple[int, int]], closed: Closed) -> bool:
    """Whether to go into this: a folder, or a link to one that was not followed before."""
    try:
        return entry.is_dir() and (not entry.is_symlink() or _first(entry, entered))
    except OSError as error:
        _tell(entry.path, error, closed)
        return False


def _first(entry: os.DirEntry[str], entered: set[tuple[int, int]]) -> bool:
    """Links may lead in circles: each place is entered by a link once."""
    try:
        status = entry.stat()
    except OSError:
        return False
    place = (status.st_dev, status.st_ino)
    if place in entered:
        return False
    entered.add(place)
    return True


def _without_packed_copies(found: list[Found]) -> list[Found]:
    plain = {file.name for file in found if file.name.endswith(".jsonl")}
    return [
        file for file in found if file.name.removesuffix(".zst").removesuffix(".gz") not in plain or file.name in plain
    ]


_TAIL_BYTES = 1 << 17
_STAMPS = ("timestamp", "time", "ts", "created_at", "updated_at", "lastUpdated", "created")


def last_record_time(path: Path) -> datetime | None:
    """The latest time that the last records of a file carry; None when they carry none or it cannot be read."""
    try:
        with TranscriptFile(path) as file:
            tail = _tail(file.stream())
    except (OSError, TranscriptError):
        return None
    latest: datetime | None = None
    for line in tail.split(b"\n"):
        for record in parse(line.strip()).objects if b"{" in line else ():
            for moment in _stamps_of(record):
                if latest is None or moment > latest:
                    latest = moment
    return latest


def _tail(stream: BinaryIO) -> bytes:
    """The last part of a stream, from a line's beginning on."""
    plain = isinstance(stream, io.BufferedReader) and isinstance(stream.raw, io.FileIO)
    if plain or isinstance(stream, io.BytesIO):
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(0, size - _TAIL_BYTES))
        data = stream.read()
        return data if size <= _TAIL_BYTES else data[data.find(b"\n") + 1 :]
    last = b""
    try:
        while chunk := stream.read(1 << 20):
            last = (last + chunk)[-_TAIL_BYTES:]
    except cut_short():
        pass
    return last


def _stamps_of(record: dict[str, Any]) -> Iterator[datetime]:
    for key in _STAMPS:
        moment = parse_time(record.get(key))
        if moment is not None:
            yield moment
