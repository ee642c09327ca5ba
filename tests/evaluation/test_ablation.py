"""A check that is taken out stops nothing, the others still do, and afterwards everything is as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from afterpass.evaluation.ablation import ABLATED, decides_alone, judge_without
from afterpass.evaluation.gold_extractor import GoldExtractor
from afterpass.evaluation.lifecycle import evaluate
from afterpass.evaluation.lifecycle_cases import read_cases
from extractors.candidate import Candidate, Kind
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.judge import judge
from validators.verdict import Code, Decision

PASTED = "Run the tests with `make integration`."


def judged(text: str, origin: Origin, kind: Kind = Kind.STANDING, without: Code | None = None) -> Decision:
    turn = Turn("1", Speaker.DEVELOPER, (Segment(origin, text),))
    session = Session("s", "neutral", "github.com/acme/webapp", (turn,), "dana@acme.example")
    candidates = [Candidate(text, "test_command", kind, "make integration")]
    policy = load_policy()
    (decision,) = (
        judge_without(without, session, candidates, policy=policy)
        if without
        else judge(session, candidates, policy=policy)
    )
    return decision


@pytest.mark.parametrize(
    ("code", "text", "origin", "kind"),
    [
        (Code.EVIDENCE_NOT_DEVELOPER, PASTED, Origin.PASTED, Kind.STANDING),
        (Code.ONE_OFF_CUE, "we run the tests with `make integration` just this once", Origin.TYPED, Kind.STANDING),
        (Code.NOT_ASSERTED, "do we run the tests with `make integration`?", Origin.TYPED, Kind.STANDING),
    ],
)
def test_without_its_check_a_candidate_goes_through(code: Code, text: str, origin: Origin, kind: Kind) -> None:
    before = judged(text, origin, kind)
    assert (code, True) == (before.code, decides_alone(code, [before]))
    assert code != judged(text, origin, kind, without=code).code
    assert before == judged(text, origin, kind)


def test_without_another_check_it_is_stopped_all_the_same() -> None:
    assert Code.EVIDENCE_NOT_DEVELOPER == judged(PASTED, Origin.PASTED, without=Code.EXPIRED).code


def test_a_check_that_is_not_alone_changes_nothing() -> None:
    decision = judged("do we run the tests with `make integration` just this once?", Origin.TYPED)
    assert not decides_alone(Code.NOT_ASSERTED, [decision]) or not decides_alone(Code.ONE_OFF_CUE, [decision])


def test_every_check_can_be_taken_out_but_the_two_that_nothing_works_without() -> None:
    assert {Code.MALFORMED, Code.TYPE_NOT_ALLOWED} == {
        code for code in list(Code)[: list(Code).index(Code.FORGOTTEN)] if code not in ABLATED
    }


def test_an_ablation_shows_what_its_check_stops(record: dict[str, Any], tmp_path: Path) -> None:
    record["sessions"][1]["turns"] = [{"speaker": "developer", "text": "we use bun in this repo just this once"}]
    record["sessions"][1]["gold"] = []
    record["store_after"][1] = record["store_after"][0]
    record["expect"]["value"] = "pnpm"
    record["tempting_wrong"] = ["bun"]
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    arms = ["afterpass", "afterpass-without-one_off_cue", "afterpass-without-expired"]
    report = evaluate(read_cases(path), lambda case: GoldExtractor(case, tempted=True), load_policy(), arms=arms)
    assert ["pnpm", "bun", "pnpm"] == [report.results[arm][0].answer.value for arm in arms]
    assert ["correct", "wrong", "correct"] == [str(report.results[arm][0].grade) for arm in arms]
