"""Notes: what is built on sessions and facts. They know what they were built on, and are never evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

from store.facts import full_id
from store.ids import short_id
from store.records import Forgotten, Landing, Note
from store.redaction import clean
from store.scrub import Scrub
from store.sql import Sql, one_query, transactional

NOTE = "note"  # the kind of a session's note


class NotesOf:
    """The notes' part of an open store; see :class:`store.interface.Keeping`."""

    sql: Sql

    @transactional
    def add_note(
        self,
        kind: str,
        text: str,
        *,
        owner: str,
        now: datetime,
        scope: str = "repo",
        session_key: str | None = None,
        happened_at: datetime | None = None,
        derived_from: Sequence[str] = (),
        embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> str:
        return _add(
            self.sql,
            kind=kind,
            owner=owner,
            scope=scope,
            session_key=session_key,
            text=clean(text),
            embedding=embedding,
            embedding_model=embedding_model,
            derived_from=derived_from,
            happened_at=happened_at or now,
            now=now,
        )

    @transactional
    def forget_note(self, note_id: str, *, now: datetime) -> Forgotten:
        found = full_id(self.sql, "note_ids_like", note_id, "note", "recall --notes")
        calls = self.sql.change("empty_note_replies", id=found)
        notes = self.sql.change("erase_notes", ids=[found])
        if not self.sql.value("chore", name="compact"):
            self.sql.change("add_chore", name="compact", now=now)
        return Forgotten((found,), {"notes": notes, "calls": calls})

    @one_query
    def notes(
        self, owner: str, developer: str | None = None, *, kind: str | None = None, vectors: bool = True
    ) -> list[Note]:
        narrow = {"repo": owner, "developer": developer, "kind": kind, "vectors": vectors}
        return [_note(row) for row in self.sql.rows("notes_in", **narrow)]

    @one_query
    def note_of(self, session_key: str) -> Note | None:
        row = self.sql.one("note_of", session_key=session_key)
        return _note(row) if row else None


def keep_note(sql: Sql, landing: Landing, forgotten: Scrub) -> None:
    """Put a session's note in the place of its earlier one, without ``forgotten`` values; or why there is none.

    Inside a transaction, after the session's own row.
    """
    note, key = landing.note, landing.file.key
    if note is None and landing.note_problem is None:
        return
    problem = landing.note_problem and forgotten.clean(clean(landing.note_problem))
    sql.change("tell_of_note", session_key=key, problem=problem)
    if note is None:
        return
    text, files = clean(note.text), [name for name in map(clean, note.files) if not forgotten.finds(name)]
    is_whole = not forgotten.finds(text)
    note_id = _add(
        sql,
        kind=NOTE,
        owner=landing.session.repo,
        scope="repo",
        session_key=key,
        text=forgotten.clean(text),
        embedding=note.embedding if is_whole else None,
        embedding_model=note.embedding_model if is_whole else None,
        happened_at=landing.session.ended or landing.session.started or landing.now,
        now=landing.now,
        developer=landing.session.developer,
        outcome=note.outcome.value,
        files=files,
        importance=note.importance,
    )
    sql.change("drop_earlier_notes", session_key=key, id=note_id)


def _add(
    sql: Sql,
    *,
    kind: str,
    owner: str,
    session_key: str | None,
    now: datetime,
    embedding: Sequence[float] | None,
    derived_from: Sequence[str] = (),
    files: Sequence[str] = (),
    developer: str | None = None,
    outcome: str | None = None,
    importance: int | None = None,
    **columns: Any,
) -> str:
    salt = 0
    while sql.value("note_exists", id=(note_id := short_id("d", owner, session_key, kind, now, salt))):
        salt += 1
    sql.change(
        "add_note",
        id=note_id,
        kind=kind,
        owner=owner,
        session_key=session_key,
        now=now,
        embedding=None if embedding is None else json.dumps(list(embedding)),
        derived_from=json.dumps(list(derived_from)),
        files=json.dumps(list(files), ensure_ascii=False),
        developer=developer,
        outcome=outcome,
        importance=importance,
        **columns,
    )
    return note_id


def _note(row: Mapping[str, Any]) -> Note:
    return Note(
        **{
            **row,
            "embedding": tuple(orjson.loads(row["embedding"])) if row["embedding"] else None,
            "derived_from": tuple(json.loads(row["derived_from"])),
            "files": tuple(json.loads(row["files"] or "[]")),
        }
    )
