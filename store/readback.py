"""What was read back, in the store: the log beside it is taken in, and sessions that were read say what was used."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store import recalls
from store.ids import short_id
from store.redaction import clean
from store.scrub import Scrub
from store.sql import Sql, columns
from transcripts.session import Speaker

if TYPE_CHECKING:
    from transcripts.session import Session


class ReadbackOf:
    """The part of an open store that keeps what was read back; see :class:`store.interface.Keeping`."""

    sql: Sql
    home: Path

    def take_recalls(self, *, now: datetime) -> int:
        taken = 0
        for path in recalls.set_aside(str(self.home)):
            # Inside the transaction: an erasure has cleaned the file before, or will clean the rows.
            taken += self.sql.transact(lambda path=path: self._take(path, now))  # type: ignore[misc]  # its default is its type
            os.unlink(path)  # noqa: PTH108 - the log's module knows its files as texts
        return taken

    def _take(self, path: str, now: datetime) -> int:
        found = {}
        for place, line in enumerate(recalls.lines_of(path)):
            recall = _recall(line)
            if recall is not None:
                found[short_id("l", json.dumps(line, sort_keys=True), place, length=12)] = (line, recall)
        there = {row["id"] for row in self.sql.rows("recalls_there", ids=list(found))} if found else set()
        fresh = {recall_id: pair for recall_id, pair in found.items() if recall_id not in there}
        if not fresh:
            return 0
        rows = [{"id": recall_id, **recall} for recall_id, (_, recall) in fresh.items()]
        self.sql.change("add_recalls", **columns(rows), now=now)
        told = [row for recall_id, (line, recall) in fresh.items() for row in _recalled(recall_id, line, recall)]
        facts = {row["id"] for row in self.sql.rows("facts_there", ids=sorted({row["fact_id"] for row in told}))}
        known = [row for row in told if row["fact_id"] in facts]
        if known:
            self.sql.change("add_recalled", **columns(known))
        return len(fresh)


def mark_used(sql: Sql, sessions: Iterable[Session]) -> None:
    """Put on record, of all that these sessions were told, what the agent spoke of afterwards. Inside a transaction."""
    by_id = {session.id: session for session in sessions}
    told = sql.rows("told_to", sessions=list(by_id)) if by_id else []
    texts = {name: _agent_texts(by_id[name]) for name in {row["session"] for row in told}}
    marks = [
        {
            "recall_id": row["recall_id"],
            "fact_id": row["fact_id"],
            "used": _speaks_of(row["value"], texts[row["session"]], row["happened_at"]),
        }
        for row in told
    ]
    if marks:
        sql.change("mark_used", **columns(marks))


def _agent_texts(session: Session) -> list[tuple[datetime | None, str]]:
    return [(turn.time, turn.text.casefold()) for turn in session.turns if turn.speaker is Speaker.AGENT]


def _speaks_of(value: str, texts: Sequence[tuple[datetime | None, str]], since: datetime) -> bool:
    """Whether a value stands in what an agent said since; what has no time counts."""
    scrub, words = Scrub.of([value]), value.casefold().split()[:1]
    later = (text for time, text in texts if time is None or time >= since)
    return any(words[0] in text and scrub.finds(text) for text in later) if words else False


def _recall(line: Mapping[str, Any]) -> dict[str, Any] | None:
    """The row of a recall, or None for a line that says no time."""
    try:
        moment = datetime.fromisoformat(line["at"])
    except (KeyError, TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        return None
    eligible = [fact for fact in _list(line, "eligible") if isinstance(fact, str)]
    return {
        "happened_at": moment,
        "caller": _text(line, "by") or "",
        "event": _text(line, "event") or "",
        "session": _text(line, "session") or "",
        "repo": _text(line, "repo"),
        "developer": _text(line, "developer"),
        "query": clean(_text(line, "query") or ""),
        "eligible": json.dumps(eligible),
        "tokens": _number(line, "tokens") or 0,
        "ms": _number(line, "ms"),
    }


def _recalled(recall_id: str, line: Mapping[str, Any], recall: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of the facts that a recall selected."""
    placed = line.get("placed")
    placed = placed if isinstance(placed, dict) else {}
    shown, asked = _list(line, "shown"), _list(line, "asked")
    return [
        {
            "recall_id": recall_id,
            "fact_id": fact,
            "session": recall["session"],
            "placement": str(placed.get(fact, "")),
            "shown": fact in shown,
            "asked": fact in asked,
        }
        for fact in dict.fromkeys([*placed, *shown])
        if isinstance(fact, str)
    ]


def _text(line: Mapping[str, Any], name: str) -> str | None:
    found = line.get(name)
    return found if isinstance(found, str) else None


def _number(line: Mapping[str, Any], name: str) -> int | None:
    found = line.get(name)
    return found if isinstance(found, int) and abs(found) < 1 << 31 else None


def _list(line: Mapping[str, Any], name: str) -> list[Any]:
    found = line.get(name)
    return found if isinstance(found, list) else []
