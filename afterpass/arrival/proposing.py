"""What an agent passes on as the developer's words: judged like words of a session, and never more than a question.

An agent may quote wrongly, or have been told by what it read to quote. So whatever the checks would do with the words,
keep, confirm or forget, a person is asked instead. When the session has ended and its transcript is read, the
developer's own words decide, and answer the question.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from extractors.candidate import parse_candidate
from store.errors import StaleDecision
from store.raised import BY_TOOL
from store.records import Landing
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.judge import judge
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from afterpass.arrival.place import Place
    from policy.model import Policy
    from store.interface import Database
    from validators.repository import RepoFiles
    from validators.verdict import Decision

TRIES = 5


class Proposed(NamedTuple):
    """What the checks say, and the question that a person is asked because of it, if any."""

    decision: Decision
    review: str | None


def files_of(place: Place) -> RepoFiles:
    """What the checkout's files say now. A server outlives many changes of them, so each call reads them anew."""
    from validators.repository import read_repository

    return read_repository(Path(place.top))


class Channel:
    """One agent's line to the store: a session of its own, to which each proposal adds a turn."""

    def __init__(self, place: Place, policy: Policy) -> None:
        self.place = place
        self.policy = policy
        self.id = uuid.uuid4().hex

    def propose(self, db: Database, candidate: dict[str, Any], *, asked: str = "") -> Proposed:
        """Judge one candidate whose ``evidence`` is the developer's words as the agent gives them. ``asked`` is the
        question that they answer, in our own words.

        Raises StoreError.
        """
        now = datetime.now(UTC)
        said = Turn(uuid.uuid4().hex, Speaker.DEVELOPER, (_words(str(candidate.get("evidence", ""))),), now)
        question = [Turn(f"before-{said.id}", Speaker.AGENT, (_words(asked),), now)] if asked else []
        session = Session(
            self.id,
            BY_TOOL,
            self.place.repo,
            (*question, said),
            self.place.developer,
            cwd=self.place.top,
            started=now,
            ended=now,
        )
        for attempt in range(1, TRIES + 1):
            decision = self._judged(db, session, {**candidate, "turn": said.id})
            try:
                return Proposed(decision, self._land(db, session, decision, now))
            except StaleDecision:
                if attempt == TRIES:
                    raise
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _judged(self, db: Database, session: Session, candidate: dict[str, Any]) -> Decision:
        owners = (self.place.repo, self.place.developer)
        (decision,) = judge(
            session,
            [parse_candidate(candidate, BY_TOOL)],
            policy=self.policy,
            known=db.known(*owners),
            tombstones=db.tombstones(*owners),
            refusals=db.refusals(*owners),
            repo=files_of(self.place),
        )
        return as_question(decision)

    def _land(self, db: Database, session: Session, decision: Decision, now: datetime) -> str | None:
        landing = Landing.of_no_transcript(session, [decision], policy=self.policy, now=now)
        return db.land(landing).decisions[0].review_id


def as_question(decision: Decision) -> Decision:
    """The decision with its power taken away: what would change a fact is a question about it."""
    match decision.disposition:
        case Disposition.WRITE | Disposition.RECONFIRM | Disposition.QUEUE | Disposition.FORGET:
            forgets = decision.code in (Code.FORGOTTEN, Code.FORGET_UNCLEAR)
            detail = f"an agent passed these words on; as the developer's own they would be {decision.code.value}"
            code = Code.FORGET_UNCLEAR if forgets else Code.CONFIRMATION
            return replace(decision, disposition=Disposition.QUEUE, code=code, detail=detail)
        case _:
            return decision


def _words(text: str) -> Segment:
    return Segment(Origin.TYPED, text)
