"""Landing: everything that one session's reading came to, in one transaction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from store.answered import mark_answered
from store.applying import Applying
from store.asking import Asking
from store.errors import LeaseLost, StaleDecision
from store.ids import short_id
from store.kept import KeptTurns
from store.ledger import add_session, see
from store.log_rows import call_rows, candidate_columns, forgotten_in, is_acting
from store.notes import keep_note
from store.readback import mark_used
from store.records import Applied, Landed, LandedDecision, Landing, SessionState
from store.slots import Statement
from store.sql import Sql, transactional
from store.transitions import Transitions
from store.view import SlotView
from validators.verdict import Decision


class LandingOf:
    """The landing's part of an open store; see :class:`store.interface.Database`."""

    sql: Sql

    @transactional
    def land(self, landing: Landing) -> Landed:
        file = landing.file
        mark_used(self.sql, [landing.session])
        mark_answered(self.sql, [landing.session])
        self._finish_session(landing)
        see(self.sql, file, landing.now)
        forgotten = forgotten_in(landing.decisions)
        self.sql.many("add_call", call_rows(landing, forgotten))
        keep_note(self.sql, landing, forgotten)
        decisions = _Landing(self.sql, landing).apply() if landing.decisions else []
        return Landed(file.key, tuple(decisions))

    def _finish_session(self, landing: Landing) -> None:
        file = landing.file
        if landing.worker is None and not self.sql.value("has_session", key=file.key):
            session = landing.session
            whose = replace(file, agent=session.agent, native_id=session.id, repo=session.repo)
            add_session(self.sql, whose, SessionState.PENDING, landing.now)
        changed = self.sql.change("finish_session", **finished_values(landing), worker=landing.worker, now=landing.now)
        if changed != 1:
            raise LeaseLost(f"session {file.key} was taken over by another worker", "nothing: that one answers for it")


def finished_values(landing: Landing) -> dict[str, Any]:
    """The columns of a session that was read to its end."""
    file, session, calls = landing.file, landing.session, landing.calls
    return {
        "key": file.key,
        "path": file.path,
        "size": file.size,
        "mtime_ns": file.mtime_ns,
        "fingerprint": file.fingerprint,
        "repo": session.repo,
        "developer": session.developer,
        "started_at": session.started,
        "ended_at": session.ended,
        "last_turn": landing.last_turn,
        "turn_count": landing.turn_count,
        "input_tokens": sum(call.input_tokens for call in calls),
        "output_tokens": sum(call.output_tokens for call in calls),
        "seconds": float(sum(call.seconds for call in calls)),
        "model": next((call.model for call in reversed(calls) if call.model), None),
    }


class _Landing:
    """The decisions of one session, applied in the order in which they were said."""

    def __init__(self, sql: Sql, landing: Landing) -> None:
        self.sql = sql
        self.landing = landing
        self.turns = KeptTurns(landing.file.key, landing)
        self.view = SlotView()
        self.moves = Transitions(sql, "pass", landing.now, session_key=landing.file.key)
        asking = Asking(self.moves, self.view)
        self.applying = Applying(landing.policy, self.moves, self.view, asking, landing.second_hand)
        places = range(len(landing.decisions))
        self.ids = [short_id("c", landing.file.key, landing.now, place, length=10) for place in places]
        self.said = [self._statement(place) for place in places]

    def apply(self) -> list[LandedDecision]:
        """Do it all; what became of each decision, in their own order."""
        decisions = self.landing.decisions
        self._look([decision for decision in decisions if is_acting(decision)])
        results = {
            place: self._one(place, decisions[place]) for place in sorted(range(len(decisions)), key=self._order)
        }
        applied = [results[place] for place in range(len(decisions))]
        forgotten = forgotten_in(decisions)
        acting = [
            said.quote for said, decision in zip(self.said, decisions, strict=True) if said and is_acting(decision)
        ]
        self.turns.save(self.sql, forgotten, acting)
        self.sql.change("add_candidates", **candidate_columns(self.landing, applied, self.said, forgotten))
        self.moves.log()
        return applied

    def _statement(self, place: int) -> Statement | None:
        decision = self.landing.decisions[place]
        if decision.evidence is None:
            return None
        return self.turns.statement(decision.evidence, decision.stated_at, self.ids[place])

    def _order(self, place: int) -> tuple[bool, float, int, int, int]:
        """By what was said: time, turn, place in the turn. What has no evidence comes last and does nothing."""
        said = self.said[place]
        if said is None:
            return (True, 0.0, 0, 0, place)
        return (False, said.stated_at.timestamp(), self.turns.place(said.turn), said.start, place)

    def _look(self, acting: list[Decision]) -> None:
        """Read the slots that will be touched; dated rules that have run out leave them now."""
        if not acting:
            return
        slots = sorted({self.applying.slot(decision).key for decision in acting})
        targets = [target.id for decision in acting for target in decision.targets if target.id]
        self.view.load(self.sql, slots, targets)
        if self.landing.mark is not None and self.sql.value("slots_changed_after", mark=self.landing.mark, slots=slots):
            raise StaleDecision(
                "what is known was changed after this session was judged", "read what is known and judge it again"
            )
        for row in list(self.view.rows.values()):
            if row.valid_until and row.valid_until < self.landing.now.date():
                self.moves.expired(row)
                self.view.take_out(row)

    def _one(self, place: int, decision: Decision) -> LandedDecision:
        said = self.said[place]
        if not is_acting(decision):
            return LandedDecision(self.ids[place], Applied.KEPT)
        if said is None:
            raise ValueError(f"a decision to {decision.disposition} has evidence")
        return LandedDecision(self.ids[place], *self.applying.apply(decision, said))
