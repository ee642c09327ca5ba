"""What of a transcript is kept: the developer turn behind each proposal and the agent turn before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from store.ids import short_id, text_hash
from store.records import Landing
from store.redaction import clean
from store.scrub import Scrub
from store.slots import Statement
from store.sql import Sql
from transcripts.session import Speaker, Turn
from validators.verdict import Evidence

LONGEST_TURN = 200_000  # characters; a longer turn is a paste, of which its beginning is kept
LONGEST_BEFORE = 20_000  # characters of the agent's turn before: its end, where it asks or proposes


@dataclass(slots=True)
class KeptTurns:
    """The turns of one session that evidence points into, each once."""

    key: str
    landing: Landing
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    _places: dict[str, int] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, turn in enumerate(self.landing.session.turns):
            self._places.setdefault(turn.id, place)

    def statement(self, evidence: Evidence, stated_at: datetime | None, candidate_id: str) -> Statement:
        """The statement that a piece of evidence is; its turn is kept."""
        session = self.landing.session
        turn = self._turn(evidence.turn)
        said_at = turn.time if turn else None
        return Statement(
            session_key=self.key,
            session=session.id,
            turn=evidence.turn,
            start=evidence.start,
            end=evidence.end,
            quote=clean(evidence.text),
            stated_at=stated_at or said_at or session.ended or self.landing.now,
            said_at=said_at,
            turn_hash=text_hash(self._text(turn)) if turn else text_hash(evidence.text),
            turn_id=self.keep(turn) if turn else None,
            candidate_id=candidate_id,
            developer=(turn.developer if turn else None) or session.developer,
            path=self.landing.file.path,
            transcript_hash=self._transcript_hash,
        )

    def keep(self, turn: Turn) -> str:
        """Keep a developer's turn with the agent's turn before it; the id of its row."""
        turn_id = self._row_id(turn)
        if turn_id not in self.rows:
            before = self._before(turn)
            self._add(turn, self._text(turn), before_id=self._row_id(before) if before else None)
            if before and self._row_id(before) not in self.rows:
                self._add(before, clean(before.text)[-LONGEST_BEFORE:], before_id=None)
        return turn_id

    @property
    def _transcript_hash(self) -> str:
        return self.landing.transcript_hash or self.landing.file.fingerprint

    def place(self, turn_id: str) -> int:
        """The turn's position in the session; after all others where the session does not have it."""
        return self._places.get(turn_id, len(self._places))

    def _turn(self, turn_id: str) -> Turn | None:
        place = self._places.get(turn_id)
        return None if place is None else self.landing.session.turns[place]

    def _text(self, turn: Turn) -> str:
        if turn.id not in self._texts:
            self._texts[turn.id] = clean(turn.text[:LONGEST_TURN])
        return self._texts[turn.id]

    def _before(self, turn: Turn) -> Turn | None:
        for earlier in reversed(self.landing.session.turns[: self._places[turn.id]]):
            if earlier.speaker is Speaker.AGENT and not earlier.withdrawn:
                return earlier
        return None

    def _row_id(self, turn: Turn) -> str:
        return short_id("t", self.key, turn.id, self._places[turn.id], length=12)

    def _add(self, turn: Turn, text: str, *, before_id: str | None) -> None:
        self.rows[self._row_id(turn)] = {
            "id": self._row_id(turn),
            "turn": turn.id,
            "speaker": turn.speaker.value,
            "said_at": turn.time,
            "text": text,
            "text_hash": text_hash(text),
            "before_id": before_id,
        }

    def save(self, sql: Sql, forgotten: Scrub, keep: Iterable[str]) -> None:
        """Write the turns that the store does not have yet, without what was forgotten; ``keep`` are the words that
        facts of this landing rest on.
        """
        quotes = list(keep)
        for row in self.rows.values():
            if forgotten.finds(row["text"]):
                row["text"] = forgotten.clean(row["text"], quotes)
                row["text_hash"] = text_hash(row["text"])
        there = {row["id"] for row in sql.rows("kept_turns", ids=list(self.rows))} if self.rows else set()
        fresh = [row for turn_id, row in self.rows.items() if turn_id not in there]
        if not fresh:
            return
        columns: dict[str, Any] = {name: [row[name] for row in fresh] for name in fresh[0]}
        sql.change(
            "keep_turns",
            **columns,
            session_key=self.key,
            path=self.landing.file.path,
            transcript_hash=self._transcript_hash,
            now=self.landing.now,
        )
