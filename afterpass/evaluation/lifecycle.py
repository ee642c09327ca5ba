"""``eval lifecycle``: every arm over every case, and what the comparison says."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.ablation import ABLATED, decides_alone, judge_without
from afterpass.evaluation.arms import AFTERPASS, NAIVE, NONE, answer_without_memory, naive_answer
from afterpass.evaluation.funnel import ACTING, Step, let_in, ways
from afterpass.evaluation.gold_store import gold_memory
from afterpass.evaluation.play import play, question_of, repository_of
from afterpass.evaluation.scoring import Grade, grade, same_value
from afterpass.recall.answer import answer
from policy.errors import UsageError
from store.measures import together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from afterpass.evaluation.funnel import Way
    from afterpass.evaluation.lifecycle_cases import LifecycleCase
    from afterpass.evaluation.play import Life
    from afterpass.recall.memory import Answer
    from extractors.interface import Extractor
    from policy.model import Policy
    from validators.verdict import Code, Decision

PREFIX = f"{AFTERPASS}-without-"
ARMS = (NONE, NAIVE, AFTERPASS, *(f"{PREFIX}{code}" for code in ABLATED))


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case in one arm. ``life`` is None in the arms that play no sessions."""

    case: LifecycleCase
    arm: str
    answer: Answer
    grade: Grade
    ways: tuple[Way, ...] = ()
    junk: tuple[Decision, ...] = ()
    life: Life | None = None

    @property
    def lost_at(self) -> Step | None:
        """The step where the fact that the question is about was lost; None where nothing was."""
        if self.grade is Grade.CORRECT:
            return None
        asked = [way for way in self.ways if way.asked]
        return min(
            (w.lost_at for w in asked if w.lost_at), key=list(Step).index, default=Step.ANSWERED if asked else None
        )

    @property
    def is_stale(self) -> bool:
        """Whether it acts on a value that was right earlier in the case."""
        golds = [gold for session in self.case.sessions for gold in session.gold]
        return self.grade is Grade.WRONG and any(same_value(gold.value, self.answer.value) for gold in golds)


@dataclass(slots=True)
class Report:
    """Every result, arm by arm, with what reading back alone would have answered."""

    results: dict[str, list[CaseResult]] = field(default_factory=dict)
    given_gold_store: list[CaseResult] = field(default_factory=list)
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    models: tuple[str, ...] = ()


def check_arms(names: Sequence[str]) -> tuple[str, ...]:
    """The arms to run, all by default. Raises UsageError for an unknown one."""
    for name in names:
        if name not in ARMS:
            raise UsageError(f"--arm {name!r} is not an arm", "one of " + ", ".join(ARMS))
    return tuple(name for name in ARMS if name in names) if names else ARMS


def evaluate(
    cases: Sequence[LifecycleCase],
    extractor_for: Callable[[LifecycleCase], Extractor],
    policy: Policy,
    *,
    arms: Sequence[str] = ARMS,
    progress: Callable[[int, str], None] = lambda _done, _case: None,
) -> Report:
    """Play every case. An ablation is played anew only where its check alone stood against something.

    Raises ExtractorError where a model fails: a measurement with holes is none.
    """
    report, began = Report({arm: [] for arm in arms}), time.monotonic()
    models: dict[str, None] = {}
    for number, case in enumerate(cases):
        progress(number, case.id)
        extractor = _Remembering(extractor_for(case))
        life = play(case, extractor, policy)
        for call in (call for played in life.played for call in played.calls):
            report.tokens_in += call.tokens_in or 0
            report.tokens_out += call.tokens_out or 0
            models[call.model] = None
        decisions = [decision for played in life.played for decision in played.decisions]
        for arm in arms:
            report.results[arm].append(_result(arm, case, life, decisions, extractor, policy))
        report.given_gold_store.append(_from_gold_store(case, policy))
    report.seconds, report.models = time.monotonic() - began, tuple(models)
    return report


class _Remembering:
    """Proposes each session once: the ablations judge the very same proposals, and a model is asked once."""

    def __init__(self, inner: Extractor) -> None:
        self.inner, self.name, self.model = inner, inner.name, inner.model
        self._said: dict[str, Any] = {}

    def propose(self, session: Any, **options: Any) -> Any:
        if session.id not in self._said:
            self._said[session.id] = self.inner.propose(session, **options)
        return self._said[session.id]


def _result(
    arm: str, case: LifecycleCase, life: Life, decisions: list[Decision], extractor: Extractor, policy: Policy
) -> CaseResult:
    if arm in {NONE, NAIVE}:
        given = answer_without_memory(case, policy) if arm == NONE else naive_answer(case, decisions, policy)
        return CaseResult(case, arm, given, grade(given, case.expect))
    if arm != AFTERPASS:
        code = _code_of(arm)
        if decides_alone(code, decisions):
            life = play(case, extractor, policy, judge=partial(judge_without, code))
    verdict = grade(life.answer, case.expect)
    return CaseResult(
        case, arm, life.answer, verdict, tuple(ways(life, policy, verdict)), tuple(let_in(life, policy)), life
    )


def _code_of(arm: str) -> Code:
    return next(code for code in ABLATED if arm == f"{PREFIX}{code}")


def _from_gold_store(case: LifecycleCase, policy: Policy) -> CaseResult:
    with tempfile.TemporaryDirectory(prefix="afterpass-repo-") as folder:
        repo = repository_of(case, Path(folder))
        given = answer(question_of(case), gold_memory(case, policy), policy=policy, repo=repo)
    return CaseResult(case, "given_gold_store", given, grade(given, case.expect))


def to_json(report: Report) -> dict[str, Any]:
    """``{"arms": {ARM: {...}}, "cases": [...], "given_gold_store", "against_none", "measures", "recall", "cost"}``."""
    return {
        "arms": {arm: _arm_json(results) for arm, results in report.results.items()},
        "cases": [_case_json(result) for results in report.results.values() for result in results],
        "given_gold_store": {
            **_counts(report.given_gold_store),
            "not_correct": [result.case.id for result in report.given_gold_store if result.grade is not Grade.CORRECT],
        },
        "against_none": _against_none(report),
        "measures": _measures(report.results.get(AFTERPASS, [])),
        "recall": _recall(report.results.get(AFTERPASS, [])),
        "cost": {
            "seconds": round(report.seconds, 2),
            "tokens_in": report.tokens_in,
            "tokens_out": report.tokens_out,
            "models": list(report.models),
        },
    }


def _counts(results: Sequence[CaseResult]) -> dict[str, int]:
    counts = {str(one): sum(result.grade is one for result in results) for one in Grade}
    return {**counts, "total": len(results)}


def _arm_json(results: Sequence[CaseResult]) -> dict[str, Any]:
    categories = dict.fromkeys(result.case.category for result in results)
    all_ways = [way for result in results for way in result.ways]
    return {
        **_counts(results),
        "stale": sum(result.is_stale for result in results),
        "by_category": {name: _counts([r for r in results if r.case.category == name]) for name in categories},
        "steps": {"gold": len(all_ways), **{str(step): sum(step in way.reached for way in all_ways) for step in Step}},
        "let_in": sum(len(result.junk) for result in results),
    }


def _case_json(result: CaseResult) -> dict[str, Any]:
    return {
        "id": result.case.id,
        "category": result.case.category,
        "arm": result.arm,
        "answer": result.answer.to_json(),
        "expect": {
            "value": result.case.expect.value,
            "source": result.case.expect.source,
            "ask_first": result.case.expect.ask_first,
            "placement": result.case.expect.placement,
        },
        "verdict": str(result.grade),
        "lost_at": str(result.lost_at) if result.lost_at else None,
        "let_in": [_junk_json(decision) for decision in result.junk],
    }


def _junk_json(decision: Decision) -> dict[str, Any]:
    return {
        "disposition": decision.disposition.value,
        "code": decision.code.value,
        "type": decision.type,
        "subject": decision.subject,
        "value": decision.value,
        "evidence": decision.evidence.text if decision.evidence else None,
    }


def _against_none(report: Report) -> dict[str, dict[str, int]]:
    """Rescued, regretted and unchanged cases of each arm against no memory, the same cases in both."""
    base = {result.case.id: result.grade is Grade.CORRECT for result in report.results.get(NONE, [])}
    out = {}
    for arm, results in report.results.items():
        pairs = [(base[r.case.id], r.grade is Grade.CORRECT) for r in results if r.case.id in base]
        if arm != NONE and pairs:
            out[arm] = {
                "rescued": sum(after and not before for before, after in pairs),
                "regretted": sum(before and not after for before, after in pairs),
                "unchanged": sum(before == after for before, after in pairs),
                "pairs": len(pairs),
            }
    return out


def _measures(results: Sequence[CaseResult]) -> dict[str, float | None]:
    """Of the ``afterpass`` arm: how much of what was kept is gold, and how much of the gold was kept."""
    kept = [
        decision
        for result in results
        if result.life is not None
        for played in result.life.played
        for decision in played.decisions
        if decision.disposition in ACTING
    ]
    junk = sum(len(result.junk) for result in results)
    all_ways = [way for result in results for way in result.ways]
    changes = [way for way in all_ways if way.gold.kind == "correction" or way.gold.kind == "forget"]
    return {
        "write_precision": _ratio(len(kept) - junk, len(kept)),
        "write_recall": _ratio(sum(Step.ACCEPTED in way.reached for way in all_ways), len(all_ways)),
        "stored_right": _ratio(sum(Step.STORED in way.reached for way in all_ways), len(all_ways)),
        "corrections_and_forgets_right": _ratio(sum(Step.STORED in way.reached for way in changes), len(changes)),
    }


def _recall(results: Sequence[CaseResult]) -> dict[str, Any]:
    """Of the ``afterpass`` arm: what came of telling each session, when it began, what was remembered by then."""
    return together(result.life.measures for result in results if result.life is not None).to_json()


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
