"""Notes: what is built on sessions and facts. They know what they were built on, and are never evidence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from store.ids import short_id
from store.records import Note
from store.redaction import clean
from store.sql import Sql, one_query, transactional


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
        salt = 0
        while self.sql.value("note_exists", id=(note_id := short_id("d", owner, session_key, kind, now, salt))):
            salt += 1
        self.sql.change(
            "add_note",
            id=note_id,
            kind=kind,
            owner=owner,
            scope=scope,
            session_key=session_key,
            text=clean(text),
            embedding=None if embedding is None else json.dumps(list(embedding)),
            embedding_model=embedding_model,
            derived_from=json.dumps(list(derived_from)),
            happened_at=happened_at or now,
            now=now,
        )
        return note_id

    @one_query
    def notes(self, owner: str, developer: str | None = None, *, kind: str | None = None) -> list[Note]:
        return [
            Note(
                **{
                    **row,
                    "embedding": tuple(json.loads(row["embedding"])) if row["embedding"] else None,
                    "derived_from": tuple(json.loads(row["derived_from"])),
                }
            )
            for row in self.sql.rows("notes_in", repo=owner, developer=developer, kind=kind)
        ]
