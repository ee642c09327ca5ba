"""A judgement from JSON to JSON: what the ``judge`` command and the tables of cases run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from extractors.candidate import parse_candidate
from transcripts.secrets import redact
from validators.judge import judge
from validators.verdict import Decision, KnownFact, Refusal, Tombstone, value_hash
from validators.view import aware

if TYPE_CHECKING:
    from policy.model import Policy
    from transcripts.session import Session
    from validators.context import RepoAnswers

Row = TypeVar("Row")


class CaseError(ValueError):
    """Input that is no list of the right objects; the message names the list, the item and the problem."""


def judge_json(
    session: Session,
    candidates: object,
    *,
    policy: Policy,
    known: object = None,
    tombstones: object = None,
    refusals: object = None,
    repo: RepoAnswers | None = None,
) -> list[dict[str, Any]]:
    """The decisions on a JSON list of candidates, as JSON objects in input order. Raises :class:`CaseError`."""
    if not isinstance(candidates, list):
        raise CaseError("candidates: not a JSON list")
    decisions = judge(
        session,
        [parse_candidate(item, "given") for item in candidates],
        policy=policy,
        known=read_known(known),
        tombstones=read_tombstones(tombstones),
        refusals=read_refusals(refusals),
        repo=repo,
    )
    return [decision_json(decision) for decision in decisions]


def read_known(obj: object) -> list[KnownFact]:
    """``[{"type", "subject", "value", "stated", "confirmed", "until"?, "id"?}]``; null is no list.
    Raises :class:`CaseError`.
    """

    def one(row: dict[str, Any]) -> KnownFact:
        return KnownFact(
            type=_text(row, "type"),
            subject=_text(row, "subject", ""),
            value=_text(row, "value"),
            stated=_time(row, "stated"),
            confirmed=_time(row, "confirmed") if row.get("confirmed") is not None else None,
            until=date.fromisoformat(_text(row, "until")) if row.get("until") is not None else None,
            id=_text(row, "id") if row.get("id") is not None else None,
        )

    return _rows("known", obj, one)


def read_tombstones(obj: object) -> list[Tombstone]:
    """``[{"type", "subject", "at", "value_hash"? or "value"?}]``; null is no list. Raises :class:`CaseError`."""

    def one(row: dict[str, Any]) -> Tombstone:
        digest = _text(row, "value_hash", "") or (value_hash(_text(row, "value")) if row.get("value") else None)
        return Tombstone(_text(row, "type"), _text(row, "subject", ""), _time(row, "at"), digest)

    return _rows("tombstones", obj, one)


def read_refusals(obj: object) -> list[Refusal]:
    """``[{"type", "subject", "value", "at"}]``; null is no list. Raises :class:`CaseError`."""

    def one(row: dict[str, Any]) -> Refusal:
        return Refusal(_text(row, "type"), _text(row, "subject", ""), _text(row, "value", ""), _time(row, "at"))

    return _rows("refusals", obj, one)


def decision_json(decision: Decision) -> dict[str, Any]:
    """A decision as the ``judge`` command prints it, without a credential in it."""
    evidence, until = decision.evidence, decision.until
    return {
        "disposition": decision.disposition.value,
        "code": decision.code.value,
        "detail": redact(decision.detail),
        "candidate": _redacted(decision.candidate.raw),
        "type": decision.type,
        "subject": redact(decision.subject),
        "value": redact(decision.value),
        "until": until.isoformat() if until else None,
        "owner": decision.owner,
        "confirms": decision.confirms,
        "stated_at": decision.stated_at.isoformat() if decision.stated_at else None,
        "evidence": {"turn": evidence.turn, "start": evidence.start, "end": evidence.end, "text": redact(evidence.text)}
        if evidence
        else None,
        "verdicts": [
            {"check": v.check.value, "outcome": v.outcome.value, "detail": redact(v.detail)} for v in decision.verdicts
        ],
    }


def _redacted(obj: Any) -> Any:
    """A JSON value whose strings hold no credential."""
    if isinstance(obj, str):
        return redact(obj)
    if isinstance(obj, list):
        return [_redacted(item) for item in obj]
    if isinstance(obj, dict):
        return {redact(str(key)): _redacted(item) for key, item in obj.items()}
    return obj


def _rows(name: str, obj: object, one: Callable[[dict[str, Any]], Row]) -> list[Row]:
    if obj is None:
        return []
    if not isinstance(obj, list):
        raise CaseError(f"{name}: not a JSON list")
    rows: list[Row] = []
    for number, item in enumerate(obj):
        if not isinstance(item, dict):
            raise CaseError(f"{name}[{number}]: not an object")
        try:
            rows.append(one(item))
        except ValueError as problem:
            raise CaseError(f"{name}[{number}]: {problem}") from problem
    return rows


def _text(row: dict[str, Any], key: str, default: str | None = None) -> str:
    found = row.get(key)
    if found is None and default is not None:
        return default
    if not isinstance(found, str):
        raise CaseError(f"{key} is missing or not a string")
    return found


def _time(row: dict[str, Any], key: str) -> datetime:
    try:
        moment = aware(datetime.fromisoformat(_text(row, key)))
    except ValueError as problem:
        raise CaseError(f"{key} is not a time ({problem})") from problem
    assert moment is not None  # noqa: S101 - a moment with a zone is a moment
    return moment
