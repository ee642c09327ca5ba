"""Zed's agent: ``threads/threads.db``, all threads in one file, most of them compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from transcripts.database import only_one, opened, rows, tables_of
from transcripts.dialogue import Dialogue, listed
from transcripts.session import Origin, Segment, Session, Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from transcripts.file import TranscriptFile

name = "zed"
_COLUMNS = frozenset({("threads", "data_type"), ("threads", "data"), ("threads", "summary")})


def identify(file: TranscriptFile) -> bool:
    """A database with threads and how each is packed."""
    return tables_of(file) >= _COLUMNS


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The session of a database that holds one."""
    return only_one(file.path, name, read_all(file, automation=automation))


def read_all(file: TranscriptFile, *, automation: bool = False, only: str | None = None) -> Iterator[Session | Skipped]:
    """Every thread of the database, or the ``only`` one of that id.

    Text that the developer typed is typed; what a mention brings in is not.
    """
    with opened(file.path) as connection:
        listed_ids = "select id from threads where ?1 is null or id = ?1 order by rowid"
        for row in rows(connection, listed_ids, only):
            for thread in rows(connection, "select * from threads where id = ?", row["id"]):
                yield _session(file.path, thread)


def _session(path: Path, thread: dict[str, Any]) -> Session | Skipped:
    if thread.get("parent_id"):
        return Skipped(path, "sub_agent", "every prompt of this zed thread was written by an agent")
    value = _unpacked(thread)
    talk = Dialogue(name)
    talk.ident = str(thread["id"])
    _where(talk, value.get("initial_project_snapshot"))
    for message in listed(value.get("messages")):
        if isinstance(message, dict):
            _message(talk, message)
    return talk.session(path, ended=parse_time(thread.get("updated_at")))


def _unpacked(thread: dict[str, Any]) -> dict[str, Any]:
    data = thread.get("data")
    if thread.get("data_type") == "zstd" and isinstance(data, bytes):
        import zstandard

        try:
            data = zstandard.ZstdDecompressor().stream_reader(data).read()
        except zstandard.ZstdError:
            return {}
    try:
        value = orjson.loads(data) if isinstance(data, str | bytes) else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _where(talk: Dialogue, snapshot: Any) -> None:
    listed = snapshot.get("worktree_snapshots") if isinstance(snapshot, dict) else None
    first = listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else {}
    talk.cwd = first.get("worktree_path") or None
    git = first.get("git_state")
    if isinstance(git, dict):
        talk.remote, talk.branch = git.get("remote_url"), git.get("current_branch")


def _message(talk: Dialogue, message: dict[str, Any]) -> None:
    user, agent = message.get("User"), message.get("Agent")
    if isinstance(user, dict):
        segments: list[Segment] = []
        for part in listed(user.get("content")):
            text, mention = (part.get("Text"), part.get("Mention")) if isinstance(part, dict) else (None, None)
            if isinstance(text, str):
                segments += talk.words(text)
            elif isinstance(mention, dict):
                segments.append(Segment(Origin.INJECTED, str(mention.get("content") or "")))
        talk.developer("", native=user.get("id"), segments=tuple(segments))
    elif isinstance(agent, dict):
        said = [part.get("Text") for part in listed(agent.get("content")) if isinstance(part, dict)]
        talk.agent("\n".join(text for text in said if isinstance(text, str)))
