"""Looking back at past sessions: whose notes are read, the query's vector, and what is told of them."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TYPE_CHECKING

from afterpass.recall.notes import LookingBack, Query, look_back
from afterpass.recall.reading import LOCK_SECONDS

if TYPE_CHECKING:
    from policy.model import Policy
    from policy.settings import Settings
    from store.records import Note

PATIENCE = 20.0
"""Seconds that the query's vector is waited for: somebody waits for this answer."""


def notes_of(settings: Settings, repo: str, who: str | None, on: date | None = None) -> list[Note]:
    """The notes of a repository's sessions that a developer may see, the newest first. Empty where no store exists yet.

    ``on`` leaves out sessions that ended after that day, in the local time zone. Raises StoreError.
    """
    from store.notes import NOTE
    from store.store import Store

    store = Store(settings.home, url=settings.store, lock_timeout=LOCK_SECONDS)
    if settings.store is None and not store.path.exists():
        return []
    with store.connect() as db:
        read = db.notes(repo, who, kind=NOTE, vectors=settings.embedding_model is not None)
    until = None if on is None else datetime.combine(on, time.max).astimezone()
    return [note for note in read if note.outcome and (until is None or note.happened_at <= until)]


def look(
    settings: Settings, policy: Policy, text: str, notes: list[Note], *, repo: str, who: str | None, on: date
) -> tuple[LookingBack, str | None]:
    """What is told of these notes about a text, and why their vectors could not be asked, if they could not."""
    query, problem = _query(settings, text, notes)
    return look_back(query, notes, policy.notes, repo=repo, developer=who, on=on), problem


def _query(settings: Settings, text: str, notes: list[Note]) -> tuple[Query, str | None]:
    """The query with its vector, where a model for it is configured and a note has one to compare it with."""
    model = settings.embedding_model
    if not text.strip() or model is None or not any(note.embedding_model == model for note in notes):
        return Query(text), None
    from extractors.errors import ExtractorError
    from extractors.registry import embedder
    from extractors.retrying import RetryPolicy
    from transcripts.secrets import redact

    try:
        asks = embedder(
            settings.extractor,
            model,
            base_url=settings.base_url,
            timeout=min(settings.timeout, PATIENCE),
            api_key=settings.api_key,
            retry=RetryPolicy(attempts=1),
        )
        vector = asks.embed([redact(text)])[0] if asks else None
    except ExtractorError as error:
        return Query(text), error.error
    return Query(text, vector, model), None
