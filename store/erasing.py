"""Erasing: a forgotten value leaves every place that the store has, and only the tombstone stays.

The rows that rest on the forgotten fact are emptied. Texts of the same owner that merely mention the value (logs, raw
replies, turns that other facts rest on) have it replaced by a mark. A live fact, an open question (one of the same slot
was asked after the forgetting) or a refusal of another slot that happens to have the same value, or to hold it ("pnpm
test"), is left whole, with its words: half a command is none.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from store import recalls
from store.ids import text_hash
from store.lineage import built_on
from store.records import FactState, ReviewState
from store.scrub import MARK, Scrub
from store.slots import Row, same_value
from store.transitions import Transitions


def erase(moves: Transitions, rows: Sequence[Row]) -> dict[str, int]:
    """Erase forgotten rows of one slot; how many rows were changed or deleted, by place.

    Other rows of the slot that held the same value before are erased with them. What was said again after the
    forgetting is active, and stays.
    """
    return _Erasing(moves, rows).run()


@dataclass(slots=True)
class _Erasing:
    moves: Transitions
    rows: Sequence[Row]
    changed: Counter[str] = field(default_factory=Counter)
    doomed: list[Row] = field(default_factory=list)
    twins: set[str] = field(default_factory=set)  # other facts of the owner with the same value: left whole
    sessions: set[str] = field(default_factory=set)  # in which the value was stated for this slot
    kept_items: set[str] = field(default_factory=set)  # questions that are left whole
    scrub: Scrub = field(default_factory=lambda: Scrub(None))

    def run(self) -> dict[str, int]:
        self._choose()
        self.moves.log()
        self.moves.reason = self.scrub.clean(self.moves.reason)
        self._statements()
        self._questions()
        self._session_texts()
        self._notes()
        self._reasons()
        self._recalls()
        ids = [row.id for row in self.doomed]
        self.changed["facts"] += self.moves.sql.change("erase_facts", ids=ids, now=self.moves.now)
        for row in self.doomed:
            self.moves.event("erased", row.slot, fact_id=row.id, from_state=row.state, to_state=row.state)
        if not self.moves.sql.value("chore", name="compact"):
            self.moves.sql.change("add_chore", name="compact", now=self.moves.now)
        return dict(self.changed)

    @property
    def _owner(self) -> dict[str, str]:
        slot = self.rows[0].slot
        return {"scope": slot.scope, "owner": slot.owner}

    def _is_ours(self, value: str | None) -> bool:
        return bool(value) and any(same_value(row.value, value or "") for row in self.rows)

    def _choose(self) -> None:
        """The rows to erase, and the live rows with the same value that are not to be touched."""
        slot_key = self.rows[0].slot.key
        for values in self.moves.sql.rows("rows_of_owner", **self._owner):
            row = Row.from_row(values)
            if not self._is_ours(row.value):
                continue
            if row.slot.key == slot_key and row.state != FactState.ACTIVE:
                self.doomed.append(row)
            else:
                self.twins.add(row.id)
        self.scrub = Scrub.of(row.value for row in self.doomed)

    def _statements(self) -> None:
        ids = [row.id for row in self.doomed]
        for row in self.moves.sql.rows("statements_of_owner", **self._owner):
            if row["fact_id"] in ids:
                self.sessions.add(row["session_key"])
            elif row["fact_id"] not in self.twins and self.scrub.finds(row["quote"]):
                self._reword("statement", row, ("quote",), id=row["id"])
                self.moves.sql.change("reword_evidence", id=row["id"], quote=self._cleaned(row["quote"]))
        self.changed["statements"] += self.moves.sql.change("erase_statements", ids=ids)

    def _questions(self) -> None:
        """Review items, their proposals, and refusals of the slot."""
        slot_key = self.rows[0].slot.key
        for row in self.moves.sql.rows("items_of_owner", **self._owner):
            ours = row["slot"] == slot_key
            proposes = self._is_ours(row["proposed"]) or (not ours and self.scrub.finds(row["proposed"] or ""))
            stands = row["state"] == ReviewState.OPEN or (row["state"] == ReviewState.REFUSED and not ours)
            if (proposes and stands) or {row["base_fact"], row["result_fact"]} & self.twins:
                self.kept_items.add(row["id"])
                continue
            blank = {
                name: "" if ours and self._is_ours(row[name]) else self._cleaned(row[name])
                for name in ("base_value", "proposed", "decided_value", "detail", "reason")
            }
            touched = any(blank[name] != row[name] for name in blank)
            if touched:
                self.moves.sql.change("reword_item", id=row["id"], **blank, undoable=False)
                self.changed["reviews"] += 1
        for row in self.moves.sql.rows("proposals_of_owner", **self._owner):
            if row["review_id"] in self.kept_items:
                continue
            if row["slot"] == slot_key and self._is_ours(row["value"]):
                self.sessions.add(row["session_key"])
                self.moves.sql.change("reword_proposal", id=row["id"], value="", quote="")
                self.changed["proposals"] += 1
            else:
                self._reword("proposal", row, ("value", "quote"), id=row["id"])
        refused = self.moves.sql.rows("refusals_of_slot", slot=slot_key)
        ours_refused = [row["id"] for row in refused if self._is_ours(row["value"])]
        self.changed["refusals"] += self.moves.sql.change("erase_refusals", ids=ours_refused)

    def _session_texts(self) -> None:
        """Candidates, raw replies and kept turns of every session of the owner."""
        sessions = self.moves.sql.rows("session_texts_of_owner", **self._owner)
        for row in sessions:
            self._reword("session", row, ("error", "error_next", "skip_reason", "note_problem"), key=row["key"])
        keys = sorted({row["key"] for row in sessions} | self.sessions)
        for row in self.moves.sql.rows("candidate_texts", keys=keys):
            self._candidate(row)
        for row in self.moves.sql.rows("call_texts", keys=keys):
            if row["session_key"] in self.sessions and self.scrub.finds(row["reply"]):
                row = {**row, "reply": MARK}
                self.moves.sql.change(
                    "reword_call",
                    id=row["id"],
                    reply=MARK,
                    parameters=self._cleaned(row["parameters"]),
                    error=self._cleaned(row["error"]),
                )
                self.changed["calls"] += 1
            else:
                self._reword("call", row, ("parameters", "reply", "error"), id=row["id"])
        self._turns(keys)

    def _candidate(self, row: Mapping[str, Any]) -> None:
        slot = self.rows[0].slot
        if row["fact_id"] in self.twins or row["review_id"] in self.kept_items:
            return
        ours = row["fact_id"] in {each.id for each in self.doomed} or (
            (row["owner"], row["type"], row["subject"]) == (slot.owner, slot.type, slot.subject)
            and self._is_ours(row["value"])
        )
        if not ours:
            self._reword("candidate", row, ("value", "subject", "raw", "quote", "detail", "verdicts"), id=row["id"])
            return
        self.sessions.add(row["session_key"])
        verdicts = [{**verdict, "detail": ""} for verdict in json.loads(row["verdicts"])]
        self.moves.sql.change(
            "reword_candidate",
            id=row["id"],
            value="",
            subject=row["subject"],
            raw=json.dumps(MARK),
            quote="",
            detail="",
            verdicts=json.dumps(verdicts, ensure_ascii=False),
        )
        self.changed["candidates"] += 1

    def _turns(self, keys: list[str]) -> None:
        """A turn that nothing else rests on is emptied; one that other facts rest on loses the value only."""
        quotes = self._resting_quotes()
        turns = self.moves.sql.rows("turn_texts", keys=keys)
        before = {row["before_id"] for row in turns if row["id"] in quotes}
        for row in turns:
            if not self.scrub.finds(row["text"]):
                continue
            if row["id"] in quotes or row["id"] in before or row["session_key"] not in self.sessions:
                text = self.scrub.clean(row["text"], quotes.get(row["id"], ()))
            else:
                text = MARK
            if text != row["text"]:
                self.moves.sql.change("reword_turn", id=row["id"], text=text, text_hash=text_hash(text))
                self.changed["turns"] += 1

    def _resting_quotes(self) -> dict[str, list[str]]:
        """The turns that facts and questions still rest on, with the words of those that are left whole."""
        quotes: dict[str, list[str]] = {}
        for row in self.moves.sql.rows("statements_of_owner", **self._owner):
            quotes.setdefault(row["turn_id"], []).append(row["quote"] if row["fact_id"] in self.twins else "")
        for row in self.moves.sql.rows("proposals_of_owner", **self._owner):
            if row["value"]:
                quotes.setdefault(row["turn_id"], []).append(
                    row["quote"] if row["review_id"] in self.kept_items else ""
                )
        return quotes

    def _notes(self) -> None:
        """What was built on the forgotten rows is deleted; a note that mentions the value is reworded and marked."""
        derived = built_on(self.moves.sql, [row.id for row in self.doomed])
        notes = [row_id for row_id, noun in derived.items() if noun == "note"]
        self.changed["notes"] += self.moves.sql.change("erase_notes", ids=notes)
        facts = [row_id for row_id, noun in derived.items() if noun == "fact"]
        if facts:
            self.moves.sql.change("mark_facts_for_rewriting", ids=facts, now=self.moves.now)
        for row in self.moves.sql.rows("notes_of_owner", **self._owner):
            if self.scrub.finds(row["text"]) or self.scrub.finds(row["files"]):
                files = [name for name in json.loads(row["files"] or "[]") if not self.scrub.finds(name)]
                self.changed["notes"] += self.moves.sql.change(
                    "reword_note",
                    id=row["id"],
                    text=self.scrub.clean(row["text"]),
                    files=json.dumps(files, ensure_ascii=False),
                    now=self.moves.now,
                )

    def _reasons(self) -> None:
        owner = self._owner["owner"]
        for row in self.moves.sql.rows("event_reasons", owner=owner):
            self._reword("event", row, ("reason",), number=row["number"])
        for row in self.moves.sql.rows("tombstone_reasons", owner=owner):
            self._reword("tombstone", row, ("reason",), id=row["id"])
        for row in self.moves.sql.rows("pass_summaries"):
            self._reword("pass", row, ("summary",), id=row["id"])

    def _recalls(self) -> None:
        """The requests for which something was read back: in the store, and in the log that was not taken in yet."""
        for row in self.moves.sql.rows("requests_of_owner", owner=self._owner["owner"]):
            self._reword("recall", row, ("query",), id=row["id"])
        home = self.moves.sql.snapshots.home
        reworded = recalls.scrub(home, self.scrub) if home else 0
        if reworded:
            self.changed["recalls"] += reworded

    def _cleaned(self, text: str | None) -> str | None:
        return self.scrub.clean(text) if text else text

    def _reword(self, noun: str, row: Mapping[str, Any], columns: Sequence[str], **key: Any) -> None:
        """Write the row's texts again where one of them mentions the value."""
        if any(self.scrub.finds(row[name]) for name in columns):
            self.moves.sql.change(f"reword_{noun}", **key, **{name: self._cleaned(row[name]) for name in columns})
            self.changed["passes" if noun == "pass" else f"{noun}s"] += 1
