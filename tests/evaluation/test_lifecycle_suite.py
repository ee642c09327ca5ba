"""Our own lives of facts: no wrong value is acted on, whether the gold is proposed, what tempts beside it, or what a
weak model (1.5 billion parameters; its replies are recorded) and the cues found.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from afterpass.evaluation.gold_extractor import GoldExtractor
from afterpass.evaluation.lifecycle import Report, evaluate
from afterpass.evaluation.lifecycle_cases import LifecycleCase, read_cases
from afterpass.evaluation.recording import Player
from afterpass.evaluation.scoring import Grade
from extractors.cues import CueExtractor
from extractors.interface import Extractor
from extractors.union import UnionExtractor
from policy.load import load_policy

SUITE = Path(__file__).parent / "lifecycle.jsonl"
REPLIES = Path(__file__).parent / "replies.jsonl"
CATEGORIES = (
    "recall",
    "passing_remark",
    "update",
    "one_off",
    "other_owner",
    "inference_or_event",
    "temporary",
    "forget",
    "precedence",
)
ARMS = ("none", "naive", "afterpass")


@pytest.fixture(scope="module")
def cases() -> list[LifecycleCase]:
    return read_cases(SUITE)


def _gold(case: LifecycleCase) -> Extractor:
    return GoldExtractor(case)


def _tempted(case: LifecycleCase) -> Extractor:
    return GoldExtractor(case, tempted=True)


def _weak_model(_case: LifecycleCase) -> Extractor:
    return UnionExtractor(CueExtractor(), Player(REPLIES))


@pytest.fixture(scope="module", params=[_gold, _tempted, _weak_model])
def report(request: pytest.FixtureRequest, cases: list[LifecycleCase]) -> Report:
    """Every case played once."""
    return evaluate(cases, request.param, load_policy(), arms=ARMS)


def test_four_cases_at_least_in_each_of_nine_categories(cases: list[LifecycleCase]) -> None:
    counts = Counter(case.category for case in cases)
    assert set(CATEGORIES) == set(counts)
    assert min(counts.values()) >= 4
    assert len(cases) >= 36


def test_what_a_case_tempts_with_is_not_what_it_expects(cases: list[LifecycleCase]) -> None:
    for case in cases:
        assert case.expect.value not in case.tempting, case.id
        assert case.why, case.id


def test_every_answer_is_right_given_a_perfect_store(report: Report) -> None:
    assert [] == [r.case.id for r in report.given_gold_store if r.grade is not Grade.CORRECT]


def test_no_wrong_value_is_acted_on(report: Report) -> None:
    assert [] == [r.case.id for r in report.results["afterpass"] if r.grade is Grade.WRONG]


def test_nine_of_ten_answers_are_right(report: Report) -> None:
    results = report.results["afterpass"]
    unknown = [result.case.id for result in results if result.grade is not Grade.CORRECT]
    assert len(unknown) <= len(results) // 10, unknown


def test_a_memory_without_checks_acts_on_wrong_values(report: Report) -> None:
    """The cases can tell the arms apart: a suite that a naive memory passes measures nothing."""
    wrong = [result for result in report.results["naive"] if result.grade is Grade.WRONG]
    assert len(wrong) >= len(report.results["naive"]) // 5
    assert any(result.is_stale for result in wrong)


def test_no_memory_rescues_nothing(report: Report) -> None:
    alone = {result.case.id for result in report.results["none"] if result.grade is Grade.CORRECT}
    remembering = {result.case.id for result in report.results["afterpass"] if result.grade is Grade.CORRECT}
    assert alone <= remembering
    assert len(remembering) >= 2 * len(alone)
