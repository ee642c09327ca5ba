"""Lives in which an agent asks whether a fact still holds: the pass hears the answer, and nothing but the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from afterpass.evaluation.lifecycle import Report, evaluate
from afterpass.evaluation.lifecycle_cases import read_cases
from afterpass.evaluation.scoring import Grade
from extractors.cues import CueExtractor
from policy.load import load_policy

SUITE = Path(__file__).parent / "answers.jsonl"


@pytest.fixture(scope="module")
def report() -> Report:
    return evaluate(read_cases(SUITE), lambda _case: CueExtractor(), load_policy(), arms=("naive", "afterpass"))


def test_every_question_is_answered_right_afterwards(report: Report) -> None:
    results = report.results["afterpass"]
    assert [] == [result.case.id for result in results if result.grade is not Grade.CORRECT]
    assert 10 == len(results)


def test_nothing_else_is_kept(report: Report) -> None:
    assert [] == [result.case.id for result in report.results["afterpass"] if result.junk]


def test_a_memory_that_only_keeps_proposals_hears_no_answer(report: Report) -> None:
    assert [] == [result.case.id for result in report.results["naive"] if result.grade is Grade.CORRECT]
