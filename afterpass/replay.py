"""Judge stored candidates again under today's rules: no model is called, nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractors.candidate import parse_candidate
from policy.model import Policy, Scope
from store.scrub import MARK
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.judge import judge
from validators.verdict import Decision, KnownFact

if TYPE_CHECKING:
    from store.interface import Database
    from store.records import CandidateRow, Fact, LedgerRow


@dataclass(frozen=True, slots=True)
class Change:
    """One candidate that would fare differently today. ``before`` and ``after`` are ``(disposition, code)``."""

    candidate: str
    session: str
    type: str
    subject: str
    value: str
    before: tuple[str, str]
    after: tuple[str, str]
    detail: str

    def to_json(self) -> dict[str, Any]:
        """``{"id", "session", "type", "subject", "value", "before", "after", "detail"}``."""
        return {
            "id": self.candidate,
            "session": self.session,
            "type": self.type,
            "subject": self.subject,
            "value": self.value,
            "before": {"disposition": self.before[0], "code": self.before[1]},
            "after": {"disposition": self.after[0], "code": self.after[1]},
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Replay:
    """How many candidates were judged again, what would change, and the sessions whose words are no longer there."""

    judged: int
    changes: tuple[Change, ...]
    unreadable: tuple[str, ...]


def replay(db: Database, policy: Policy) -> Replay:
    """Every stored candidate, session by session, against what was known when its session landed."""
    judged, changes, unreadable = 0, [], []
    for key, group in groupby(db.replayable(), key=lambda row: row.session_key):
        ledger = db.ledger(key)
        if ledger is not None and not ledger.in_transcript:
            continue  # said by files, or passed on by an agent: whatever the checks say, a person was asked
        rows = [row for row in group if MARK not in str(row.raw)]  # what lost words to a forgetting cannot be judged
        if not rows:
            continue
        session = _session(ledger, rows) if ledger else None
        if ledger is None or session is None:
            unreadable.append(key)
            continue
        decisions = _judge_then(db, policy, session, ledger, rows)
        judged += len(rows)
        changes += [change for row, decision in zip(rows, decisions, strict=True) if (change := _change(row, decision))]
    return Replay(judged, tuple(changes), tuple(unreadable))


def _session(ledger: LedgerRow, rows: Sequence[CandidateRow]) -> Session | None:
    """The transcript where it is still there, else what the store kept of it: the turns that evidence points into."""
    from transcripts.registry import read_all

    path = Path(ledger.path)
    if path.exists():
        session = next(read_all(path, only=ledger.native_id), None)
        if isinstance(session, Session):
            from msgspec.structs import replace

            return replace(session, repo=ledger.repo or session.repo, developer=ledger.developer or session.developer)
    kept = {row.evidence.turn: row.evidence for row in rows if row.evidence and row.evidence.turn_text is not None}
    turns: list[Turn] = []
    for evidence in kept.values():
        if evidence.before_text:
            before = Segment(Origin.TYPED, evidence.before_text)
            turns.append(Turn(f"before-{evidence.turn}", Speaker.AGENT, (before,), evidence.said_at))
        said = Segment(Origin.TYPED, evidence.turn_text or "")
        turns.append(Turn(evidence.turn, Speaker.DEVELOPER, (said,), evidence.said_at))
    if not turns:
        return None
    return Session(
        id=ledger.native_id,
        agent=ledger.agent,
        repo=ledger.repo or "",
        turns=tuple(turns),
        developer=ledger.developer,
        started=ledger.started_at,
        ended=ledger.ended_at,
    )


def _judge_then(
    db: Database, policy: Policy, session: Session, ledger: LedgerRow, rows: Sequence[CandidateRow]
) -> list[Decision]:
    """Judge with the facts, tombstones and refusals that were on record just before the session landed."""
    just_before = rows[0].recorded_at - timedelta(microseconds=1)
    facts = db.facts(as_of=just_before, repo=session.repo, developer=session.developer)
    return judge(
        session,
        [parse_candidate(row.raw, row.extractor) for row in rows],
        policy=policy,
        known=[_known(fact) for fact in facts if _concerns(fact, session)],
        tombstones=db.tombstones(session.repo, session.developer, as_of=just_before),
        refusals=[r for r in db.refusals(session.repo, session.developer) if r.at <= just_before],
    )


def _concerns(fact: Fact, session: Session) -> bool:
    return fact.owner == (session.developer if fact.scope == Scope.DEVELOPER else session.repo)


def _known(fact: Fact) -> KnownFact:
    return KnownFact(
        type=fact.type,
        subject=fact.subject,
        value=fact.value,
        stated=fact.stated_at,
        confirmed=fact.confirmed_at,
        until=fact.valid_until,
        id=fact.id,
    )


def _change(row: CandidateRow, decision: Decision) -> Change | None:
    before, after = (row.disposition, row.code), (decision.disposition.value, decision.code.value)
    if before == after:
        return None
    return Change(row.id, row.session, row.type, row.subject, row.value, before, after, decision.detail)
