"""Putting on record what a command or a tool has read back, like the hooks do: ids, never values."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from afterpass.recall.render import tokens_of
from store.recalls import append

if TYPE_CHECKING:
    from afterpass.recall.memory import Answer
    from afterpass.recall.notes import LookingBack
    from policy.settings import Settings


def put_on_record(
    settings: Settings,
    by: str,
    record: dict[str, Any],
    *,
    repo: str,
    developer: str | None,
    query: str,
    session: str = "",
) -> None:
    """One recall of ``by`` (``command``, ``mcp``). Whoever cannot write it down answers all the same.

    The query is kept without credentials, and only where it stays on this machine.
    """
    if not settings.home.is_dir():
        return  # nothing was ever kept here, and a question is no reason to begin
    if query and settings.store is None:
        from transcripts.secrets import redact

        record = {**record, "query": redact(query)}
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    line = {"at": at, "by": by, "session": session, "repo": repo, "developer": developer, **record}
    with suppress(OSError):
        append(str(settings.home), line)


def record_of_answer(found: Answer) -> dict[str, Any]:
    """What goes on record of an answer: the facts that it rests on, and how they were placed."""
    facts = list(found.facts)
    placed = dict.fromkeys(facts, found.placement.value) if found.placement else {}
    return {"placed": placed, "shown": facts, "asked": facts if found.ask_first else []}


def record_of_notes(told: LookingBack) -> dict[str, Any]:
    """What goes on record of notes: their ids. They are no facts, so none is eligible or shown."""
    return {
        "event": "notes",
        "on": told.on.isoformat(),
        "notes": [each.note.id for each in told.kept],
        "tokens": tokens_of(told.text),
    }
