"""The arms that an answer is compared with: no memory at all, and a memory that keeps and loads everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterpass.evaluation.play import question_of
from afterpass.evaluation.scoring import same_kind
from afterpass.recall.answer import answer
from afterpass.recall.memory import Answer, Memory, Placement, Source
from afterpass.recall.paths import touches
from afterpass.recall.request import stated_value
from afterpass.recall.wording import same_subject
from extractors.candidate import Candidate, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from afterpass.evaluation.lifecycle_cases import LifecycleCase
    from policy.model import Policy
    from validators.verdict import Decision

NONE, NAIVE, AFTERPASS = "none", "naive", "afterpass"


def answer_without_memory(case: LifecycleCase, policy: Policy) -> Answer:
    """What a session answers that sees the request and nothing else."""
    return answer(question_of(case), Memory(), policy=policy)


def naive_answer(case: LifecycleCase, decisions: Sequence[Decision], policy: Policy) -> Answer:
    """What a memory answers that keeps every proposal and loads the latest one, without checks, dates or questions.

    It prefers the asked subject and falls back to any other of the type: everything is in its context.
    """
    ask, fact_type = case.ask, policy.types[case.ask.type]
    stated = stated_value(fact_type, fact_type.canonical_subject(ask.subject), ask.text)
    if stated is not None:
        return Answer(stated, Source.REQUEST, ask_first=False)
    kept = [
        one
        for one in (decision.candidate for decision in decisions)
        if isinstance(one, Candidate)
        and one.kind is not Kind.FORGET
        and one.value.strip()
        and same_kind(policy, one.type, ask.type)
        and (fact_type.value != "path" or touches(ask.text, one.value))
    ]
    exact = [one for one in kept if same_subject(fact_type, one.subject, ask.subject)]
    if not kept:
        return Answer(None, Source.NONE, ask_first=not (fact_type.value == "path" and fact_type.multi))
    latest = (exact or kept)[-1]
    return Answer(latest.value, Source.MEMORY, ask_first=False, placement=Placement.LOAD)
