"""``eval cases``: single judgements against what they should have been, per group and in all."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.files import EvalError, need, parse_day, parse_time, read_lines, write_files, write_session
from extractors.candidate import parse_candidate
from transcripts.registry import read_transcript
from transcripts.session import Session
from validators.judge import judge
from validators.repository import read_repository
from validators.verdict import KnownFact, Refusal, Tombstone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.model import Policy


@dataclass(frozen=True, slots=True)
class Judged:
    """One case: what was expected and what came, candidate by candidate, as (dispositions, codes)."""

    id: str
    group: str
    expected: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    got: tuple[tuple[str, str], ...]
    why: str

    @property
    def right(self) -> bool:
        """Whether every candidate got its disposition and one of its codes."""
        return len(self.expected) == len(self.got) and all(
            disposition in expected and code in codes
            for (expected, codes), (disposition, code) in zip(self.expected, self.got, strict=True)
        )


def evaluate_cases(path: Path, policy: Policy) -> list[Judged]:
    """Judge every case of the file. Raises EvalError for a case that cannot be read."""
    return [_judged(where, record, policy) for where, record in read_lines(path)]


def to_json(results: Sequence[Judged]) -> dict[str, Any]:
    """``{"right", "total", "groups": {GROUP: {"right", "total"}}, "not_right": [...]}``."""
    groups: dict[str, dict[str, int]] = {}
    for result in results:
        group = groups.setdefault(result.group, {"right": 0, "total": 0})
        group["right"] += result.right
        group["total"] += 1
    return {
        "right": sum(result.right for result in results),
        "total": len(results),
        "groups": groups,
        "not_right": [
            {
                "id": result.id,
                "group": result.group,
                "expected": [
                    {"disposition": list(dispositions), "code": list(codes)} for dispositions, codes in result.expected
                ],
                "got": [{"disposition": d, "code": code} for d, code in result.got],
                "why": result.why,
            }
            for result in results
            if not result.right
        ],
    }


def _judged(where: str, record: dict[str, Any], policy: Policy) -> Judged:
    with tempfile.TemporaryDirectory(prefix="afterpass-case-") as folder:
        session = _session(where, need(record, "session", dict, where), Path(folder))
        files = record.get("repo_files") or {}
        repo = read_repository(write_files(files, Path(folder) / "repo", where)) if files else None
        decisions = judge(
            session,
            [parse_candidate(one) for one in need(record, "candidates", list, where)],
            policy=policy,
            known=[_known(where, one) for one in record.get("known") or []],
            tombstones=[
                Tombstone(one["type"], one.get("subject") or "", parse_time(one["at"], where), one.get("value_hash"))
                for one in record.get("tombstones") or []
            ],
            refusals=[
                Refusal(one["type"], one.get("subject") or "", one["value"], parse_time(one["at"], where))
                for one in record.get("refusals") or []
            ],
            repo=repo,
        )
    expected = need(record, "expect", list, where)
    return Judged(
        id=need(record, "id", str, where),
        group=str(record.get("group", "")),
        expected=tuple((_either(one["disposition"]), _either(one["code"])) for one in expected),
        got=tuple((decision.disposition.value, decision.code.value) for decision in decisions),
        why=str(record.get("why", "")),
    )


def _either(given: str | list[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _known(where: str, one: dict[str, Any]) -> KnownFact:
    return KnownFact(
        type=one["type"],
        subject=one.get("subject") or "",
        value=one["value"],
        stated=parse_time(one["stated"], where),
        confirmed=parse_time(one["confirmed"], where) if one.get("confirmed") else None,
        until=parse_day(one.get("until"), where),
        id=one.get("id"),
    )


def _session(where: str, parts: dict[str, Any], folder: Path) -> Session:
    lines = [need(parts, "header", dict, where), *need(parts, "turns", list, where)]
    read = read_transcript(write_session(lines, folder / "session.jsonl"))
    if not isinstance(read, Session):
        raise EvalError(f"{where}: the session cannot be read: {read.reason}")
    return read
