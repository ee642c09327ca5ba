"""Whole cases, judged by what the ``judge`` command runs: a session file, candidates and what is known, in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy.load import load_policy
from transcripts.registry import read_transcript
from transcripts.session import Session
from validators.casefile import judge_json
from validators.repository import read_repository

CASES = [
    json.loads(line)
    for file in sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]


def one_or_more(found: Any) -> list[str]:
    return found if isinstance(found, list) else [found]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    lines = [case["session"]["header"], *case["session"]["turns"]]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for name, text in case.get("repo_files", {}).items():
        (tmp_path / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / name).write_text(text, encoding="utf-8")
    session = read_transcript(file)
    assert isinstance(session, Session)
    decisions = judge_json(
        session,
        case["candidates"],
        policy=load_policy(),
        known=case.get("known"),
        tombstones=case.get("tombstones"),
        refusals=case.get("refusals"),
        repo=read_repository(tmp_path / "repo") if case.get("repo_files") else None,
    )
    assert len(case["expect"]) == len(decisions)
    for expected, decision in zip(case["expect"], decisions, strict=True):
        fails = [v for v in decision["verdicts"] if v["outcome"] == "fail"]
        assert decision["disposition"] in one_or_more(expected["disposition"]), (case["why"], decision["code"], fails)
        assert decision["code"] in one_or_more(expected["code"]), (case["why"], decision["detail"], fails)
