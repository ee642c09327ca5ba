"""Goose's database: ``~/.local/share/goose/sessions/sessions.db``, all sessions in one file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from transcripts.database import only_one, opened, rows, tables_of
from transcripts.dialogue import Dialogue, text_of
from transcripts.goose import BY_PROGRAM
from transcripts.session import Session, Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transcripts.file import TranscriptFile

name = "goose"
_COLUMNS = frozenset({("sessions", "working_dir"), ("messages", "content_json"), ("messages", "session_id")})


def identify(file: TranscriptFile) -> bool:
    """A database with sessions that have a folder, and messages in JSON."""
    return tables_of(file) >= _COLUMNS


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The session of a database that holds one."""
    return only_one(file.path, name, read_all(file, automation=automation))


def read_all(file: TranscriptFile, *, automation: bool = False, only: str | None = None) -> Iterator[Session | Skipped]:
    """Every session of the database in the order of its rows, or the ``only`` one of that id."""
    with opened(file.path) as connection:
        for session in rows(connection, "select * from sessions where ?1 is null or id = ?1 order by rowid", only):
            kind = session.get("session_type")
            if kind in BY_PROGRAM or session.get("parent_session_id"):
                yield Skipped(file.path, "sub_agent", f"a {kind} session: a program sent its prompts")
                continue
            talk = Dialogue(name)
            talk.ident = str(session["id"])
            talk.cwd = session.get("working_dir") or None
            for message in rows(
                connection, "select * from messages where session_id = ? order by rowid", session["id"]
            ):
                _message(talk, message)
            yield talk.session(file.path)


def _message(talk: Dialogue, message: dict[str, Any]) -> None:
    text = text_of(_decoded(message.get("content_json")), "text")
    time = parse_time(message.get("created_timestamp"))
    ident = message.get("message_id") or f"{talk.ident}:{message.get('id')}"
    metadata = _decoded(message.get("metadata_json"))
    if message.get("role") == "assistant":
        talk.agent(text, time, ident)
    elif isinstance(metadata, dict) and metadata.get("userVisible") is False:
        talk.system(text, time, ident)
    else:
        talk.developer(text, time, native=ident, human=False)


def _decoded(data: Any) -> Any:
    try:
        return json.loads(data) if isinstance(data, str | bytes) else None
    except ValueError:
        return None
