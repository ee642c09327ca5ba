"""``eval cases``: single judgements against what they should have been, per group and in all.

A case may name the check that must stop it (``stopped_by``): then it is judged once more without that check, and has to
come through as something that would be acted on. That shows that it is this check that stops it, and nothing else.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.files import EvalError, need, parse_day, parse_time, read_lines, write_files, write_session
from afterpass.evaluation.funnel import ACTING
from extractors.candidate import parse_candidate
from transcripts.registry import read_transcript
from transcripts.session import Session
from validators.judge import judge
from validators.repository import read_repository
from validators.verdict import Code, KnownFact, Refusal, Tombstone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.model import Policy
    from validators.verdict import Decision


@dataclass(frozen=True, slots=True)
class Judged:
    """One case: what was expected and what came, candidate by candidate, as (dispositions, codes)."""

    id: str
    group: str
    expected: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    got: tuple[tuple[str, str], ...]
    why: str
    stopped_by: Code | None = None
    otherwise: tuple[tuple[str, str], ...] = ()

    @property
    def right(self) -> bool:
        """Whether every candidate got its disposition and one of its codes, and the check named is what stops it."""
        return self.decided_right and (self.stopped_by is None or self.comes_through)

    @property
    def comes_through(self) -> bool:
        """Whether something other than before becomes of it without the check, and that would be acted on."""
        acting = {disposition.value for disposition in ACTING}
        return any(
            before != after and after[0] in acting for before, after in zip(self.got, self.otherwise, strict=True)
        )

    @property
    def decided_right(self) -> bool:
        """Whether every candidate got its disposition and one of its codes."""
        return len(self.expected) == len(self.got) and all(
            disposition in expected and code in codes
            for (expected, codes), (disposition, code) in zip(self.expected, self.got, strict=True)
        )


def evaluate_cases(path: Path, policy: Policy) -> list[Judged]:
    """Judge every case of the file. Raises EvalError for a case that cannot be read."""
    return [_judged(where, record, policy) for where, record in read_lines(path)]


def to_json(results: Sequence[Judged]) -> dict[str, Any]:
    """``{"right", "total", "groups": {GROUP: {"right", "total", "through_without"}}, "not_right": [...]}``.

    ``through_without`` counts the cases that come through when the check that they name is taken out.
    """
    groups: dict[str, dict[str, int]] = {}
    for result in results:
        group = groups.setdefault(result.group, {"right": 0, "total": 0, "through_without": 0})
        group["through_without"] += result.stopped_by is not None and result.comes_through
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
                "without": str(result.stopped_by) if result.stopped_by else None,
                "otherwise": [{"disposition": d, "code": code} for d, code in result.otherwise],
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
        judged = partial(
            judge,
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
        decisions = judged()
        check = _check(record.get("stopped_by"), where)
        otherwise = judged(without=frozenset({check})) if check else []
    expected = need(record, "expect", list, where)
    return Judged(
        id=need(record, "id", str, where),
        group=str(record.get("group", "")),
        expected=tuple((_either(one["disposition"]), _either(one["code"])) for one in expected),
        got=_pairs(decisions),
        why=str(record.get("why", "")),
        stopped_by=check,
        otherwise=_pairs(otherwise),
    )


def _pairs(decisions: Sequence[Decision]) -> tuple[tuple[str, str], ...]:
    return tuple((decision.disposition.value, decision.code.value) for decision in decisions)


def _check(name: object, where: str) -> Code | None:
    if name is None:
        return None
    try:
        return Code(str(name))
    except ValueError as error:
        raise EvalError(f"{where}: stopped_by: no check is named {name!r}") from error


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
