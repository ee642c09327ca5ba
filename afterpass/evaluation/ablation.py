"""A judgement with one check taken out: what does that check stop, and what would be wrong without it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.funnel import ACTING
from validators import judge as judging
from validators.outcome import not_applicable
from validators.verdict import Code, Disposition, Evidence, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from extractors.candidate import Candidate, Malformed
    from transcripts.session import Session
    from validators.checks import Check
    from validators.verdict import Decision, Verdict
    from validators.view import View

LISTS = ("ALONE", "BESIDE", "QUARANTINES")
# Without these two there is nothing to judge: what is malformed is no candidate, and an unknown type has no rules.
NEVER = frozenset({Code.MALFORMED, Code.TYPE_NOT_ALLOWED})
ABLATED = (*(code for code in list(Code)[: list(Code).index(Code.FORGOTTEN)] if code not in NEVER),)
"""Every check that can be taken out, in the order in which they decide."""


@contextmanager
def without(code: Code) -> Iterator[None]:
    """Judge without one check inside this context: it finds nothing, whatever it looks at."""
    before = {name: getattr(judging, name) for name in (*LISTS, "judge")}
    for name in LISTS:
        setattr(judging, name, tuple(_silenced(check, code) for check in before[name]))
    judging.judge = partial(_judge_anything, before["judge"])
    try:
        yield
    finally:
        for name, original in before.items():
            setattr(judging, name, original)


def _judge_anything(
    judge: Callable[..., list[Decision]], session: Session, candidates: Sequence[Candidate | Malformed], **given: Any
) -> list[Decision]:
    """The judgement; what now goes through although nobody said it gets a place, because a store keeps none without.

    A write gets it a second before the session's first statement, everything else a second after its last: whatever
    order they were judged in, a value is there before it is reconfirmed.
    """
    decisions = judge(session, candidates, **given)
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


def _silenced(check: Check, code: Code) -> Check:
    def quiet(view: View) -> Verdict:
        verdict = check(view)
        return not_applicable(code, "taken out") if verdict.check is code else verdict

    return quiet
