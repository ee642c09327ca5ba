"""A judgement with one check taken out: what does that check stop, and what would be wrong without it?"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.funnel import ACTING
from validators.judge import judge
from validators.verdict import Code, Disposition, Evidence, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from extractors.candidate import Candidate, Malformed
    from transcripts.session import Session
    from validators.verdict import Decision

# Without these two there is nothing to judge: what is malformed is no candidate, and an unknown type has no rules.
NEVER = frozenset({Code.MALFORMED, Code.TYPE_NOT_ALLOWED})
ABLATED = (*(code for code in list(Code)[: list(Code).index(Code.FORGOTTEN)] if code not in NEVER),)
"""Every check that can be taken out, in the order in which they decide."""


def judge_without(
    code: Code, session: Session, candidates: Sequence[Candidate | Malformed], **given: Any
) -> list[Decision]:
    """The judgement without one check. What now goes through although nobody said it gets a place: a store keeps none
    without.

    A write gets it a second before the session's first statement, everything else a second after its last: whatever
    order they were judged in, a value is there before it is reconfirmed.
    """
    decisions = judge(session, candidates, without=frozenset({code}), **given)
    times = [decision.stated_at for decision in decisions if decision.stated_at is not None]
    if not times:
        return decisions
    before, after = min(times) - timedelta(seconds=1), max(times) + timedelta(seconds=1)
    return [
        decision
        if decision.evidence or decision.disposition not in ACTING
        else replace(
            decision,
            evidence=Evidence(session.turns[0].id, 0, number, getattr(decision.candidate, "evidence", "")),
            stated_at=before if decision.disposition is Disposition.WRITE else after,
        )
        for number, decision in enumerate(decisions, start=1)
    ]


def decides_alone(code: Code, decisions: Sequence[Decision]) -> bool:
    """Whether a check is the only one that stands against some candidate: only then can its absence change anything."""
    for decision in decisions:
        failed = {verdict.check for verdict in decision.verdicts if verdict.outcome is Outcome.FAIL}
        if failed == {code}:
            return True
    return False
