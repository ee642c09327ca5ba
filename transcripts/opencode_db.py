"""OpenCode's database: ``~/.local/share/opencode/opencode.db``, all sessions in one file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from transcripts.database import only_one, opened, rows, tables_of
from transcripts.opencode import read_session

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from transcripts.file import TranscriptFile
    from transcripts.session import Session, Skipped

name = "opencode"
_COLUMNS = frozenset({("session", "directory"), ("message", "session_id"), ("part", "message_id"), ("part", "data")})


def identify(file: TranscriptFile) -> bool:
    """A database with sessions, messages and their parts."""
    return tables_of(file) >= _COLUMNS


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The session of a database that holds one."""
    return only_one(file.path, name, read_all(file, automation=automation))


def read_all(file: TranscriptFile, *, automation: bool = False, only: str | None = None) -> Iterator[Session | Skipped]:
    """Every session of the database in the order in which they began, or the ``only`` one of that id."""
    query = "select * from session where ?1 is null or id = ?1 order by time_created, id"
    with opened(file.path) as connection:
        for session in rows(connection, query, only):
            info = {
                "id": session["id"],
                "directory": session.get("directory"),
                "parentID": session.get("parent_id"),
                "time": {"created": session.get("time_created")},
                "revert": _decoded(session.get("revert")),
            }
            yield read_session(file.path, {"info": info, "messages": _messages(connection, session["id"])})


def _messages(connection: sqlite3.Connection, session: Any) -> list[dict[str, Any]]:
    """A session's messages with their parts, in the shape of an export."""
    query = "select part.* from part join message on message.id = message_id where message.session_id = ?"
    parts_of: dict[Any, list[Any]] = {}
    for part in rows(connection, f"{query} order by part.rowid", session):
        parts_of.setdefault(part["message_id"], []).append({"id": part.get("id"), **_decoded(part.get("data"))})
    entries: list[dict[str, Any]] = []
    query = "select * from message where session_id = ? order by time_created, rowid"
    for message in rows(connection, query, session):
        info = {"id": message.get("id"), **_decoded(message.get("data"))}
        info.setdefault("time", {"created": message.get("time_created")})
        entries.append({"info": info, "parts": parts_of.get(message["id"], [])})
    return entries


def _decoded(data: Any) -> dict[str, Any]:
    try:
        value = json.loads(data) if isinstance(data, str | bytes) else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
