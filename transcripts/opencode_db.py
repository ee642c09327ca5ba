"""OpenCode's database: ``~/.local/share/opencode/opencode.db``, all sessions in one file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from transcripts.database import only_one, opened, rows, tables_of
from transcripts.opencode import read_session

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.session import Session, Skipped

name = "opencode"
_COLUMNS = frozenset({("session", "directory"), ("message", "session_id"), ("part", "message_id"), ("part", "data")})


def identify(path: Path, head: bytes) -> bool:
    """A database with sessions, messages and their parts."""
    return tables_of(path, head) >= _COLUMNS


def read(path: Path, *, automation: bool = False) -> Session | Skipped:
    """The session of a database that holds one."""
    return only_one(path, name, read_all(path, automation=automation))


def read_all(path: Path, *, automation: bool = False) -> list[Session | Skipped]:
    """Every session of the database, in the order in which they began."""
    with opened(path) as connection:
        sessions = rows(connection, "select * from session")
        messages = rows(connection, "select * from message")
        parts = rows(connection, "select * from part order by rowid")
    parts_of: dict[Any, list[Any]] = {}
    for part in parts:
        parts_of.setdefault(part["message_id"], []).append({"id": part.get("id"), **_decoded(part.get("data"))})
    messages_of: dict[Any, list[dict[str, Any]]] = {}
    for message in sorted(messages, key=lambda message: str(message.get("time_created") or "")):
        info = {"id": message.get("id"), **_decoded(message.get("data"))}
        info.setdefault("time", {"created": message.get("time_created")})
        entry = {"info": info, "parts": parts_of.get(message["id"], [])}
        messages_of.setdefault(message["session_id"], []).append(entry)
    found: list[Session | Skipped] = []
    for session in sorted(sessions, key=lambda session: str(session.get("time_created") or "")):
        info = {
            "id": session["id"],
            "directory": session.get("directory"),
            "parentID": session.get("parent_id"),
            "time": {"created": session.get("time_created")},
        }
        found.append(read_session(path, {"info": info, "messages": messages_of.get(session["id"], [])}))
    return found


def _decoded(data: Any) -> dict[str, Any]:
    try:
        value = json.loads(data) if isinstance(data, str | bytes) else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
