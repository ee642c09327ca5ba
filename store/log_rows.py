"""The log's rows of one landing: every candidate with every verdict, every model call with its reply."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from extractors.candidate import Candidate, Malformed
from store.ids import short_id
from store.records import LandedDecision, Landing
from store.redaction import clean, clean_json
from store.scrub import MARK, Scrub
from store.slots import Statement
from validators.verdict import Code, Decision, Disposition, Outcome

ACTING = frozenset({Disposition.WRITE, Disposition.RECONFIRM, Disposition.QUEUE, Disposition.FORGET})


def is_acting(decision: Decision) -> bool:
    """Whether a decision changes anything beside the log."""
    return decision.disposition in ACTING


def was_forgotten(decision: Decision) -> bool:
    """Whether the candidate brings up again what was forgotten after it was said."""
    return decision.code is Code.FORGOTTEN_BEFORE or any(
        verdict.check is Code.FORGOTTEN_BEFORE and verdict.outcome is Outcome.FAIL for verdict in decision.verdicts
    )


def forgotten_in(decisions: Sequence[Decision]) -> Scrub:
    """What an old transcript would bring back into the log: it is taken out of everything that is kept of it."""
    return Scrub.of(decision.value or _value(decision) for decision in decisions if was_forgotten(decision))


def _value(decision: Decision) -> str:
    return decision.candidate.value if isinstance(decision.candidate, Candidate) else ""


def call_rows(landing: Landing, forgotten: Scrub) -> list[dict[str, Any]]:
    """One row for each model call."""
    return [
        {
            "id": _call_id(landing, place),
            "session_key": landing.file.key,
            "position": place,
            "extractor": call.extractor,
            "model": call.model,
            "prompt_version": call.prompt_version,
            "parameters": forgotten.clean(clean_json(dict(call.parameters))),
            "reply": forgotten.clean(clean(call.reply)),
            "input_tokens": call.input_tokens,
            "output_tokens": call.output_tokens,
            "seconds": float(call.seconds),
            "error": forgotten.clean(clean(call.error)),
            "now": landing.now,
        }
        for place, call in enumerate(landing.calls)
    ]


def candidate_columns(
    landing: Landing, applied: Sequence[LandedDecision], said: Sequence[Statement | None], forgotten: Scrub
) -> dict[str, Any]:
    """The columns of all candidates of a landing, each a list in the order of the decisions."""
    rows: list[dict[str, Any]] = [
        {
            **_proposal(decision),
            **_place(decision, statement),
            "id": landed.candidate_id,
            "position": place,
            "call_id": _call_of(landing, place, decision),
            "owner": decision.owner,
            "disposition": decision.disposition.value,
            "code": decision.code.value,
            "detail": clean(decision.detail),
            "verdicts": _verdicts(decision),
            "applied": landed.applied.value,
            "fact_id": landed.fact_id,
            "review_id": landed.review_id,
        }
        for place, (decision, landed, statement) in enumerate(zip(landing.decisions, applied, said, strict=True))
    ]
    if forgotten.pattern:
        for decision, row in zip(landing.decisions, rows, strict=True):
            _forget(decision, row, forgotten)
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
    return columns | {
        "session_key": landing.file.key,
        "session": landing.session.id,
        "policy_version": landing.policy.version,
        "now": landing.now,
    }


def _forget(decision: Decision, row: dict[str, Any], forgotten: Scrub) -> None:
    if was_forgotten(decision):
        verdicts = [
            {"check": each.check.value, "outcome": each.outcome.value, "detail": ""} for each in decision.verdicts
        ]
        row |= {"value": "", "quote": "", "detail": "", "raw": json.dumps(MARK), "verdicts": json.dumps(verdicts)}
    elif not is_acting(decision):
        row |= {name: forgotten.clean(row[name]) for name in ("value", "subject", "raw", "quote", "detail", "verdicts")}


def _proposal(decision: Decision) -> dict[str, Any]:
    """What was proposed; final where code has set it, else as it was proposed."""
    candidate = decision.candidate
    if isinstance(candidate, Malformed):
        return {
            "extractor": candidate.extractor,
            "raw": clean_json(candidate.raw),
            "type": clean(decision.type),
            "subject": clean(decision.subject),
            "value": clean(decision.value),
            "kind": "",
            "until": decision.until,
            "quote": "",
        }
    return {
        "extractor": candidate.extractor,
        "raw": clean_json(_raw(candidate)),
        "type": clean(decision.type or candidate.type),
        "subject": clean(decision.subject or candidate.subject),
        "value": clean(decision.value or candidate.value),
        "kind": candidate.kind.value,
        "until": decision.until or candidate.until,
        "quote": clean(candidate.evidence),
    }


def _raw(candidate: Candidate) -> Any:
    if candidate.raw is not None:
        return candidate.raw
    return {name: value for name, value in asdict(replace(candidate, raw=None)).items() if name != "raw"}


def _place(decision: Decision, statement: Statement | None) -> dict[str, Any]:
    evidence = decision.evidence
    if evidence is None:
        return {"turn": None, "start_char": None, "end_char": None, "turn_id": None, "stated_at": decision.stated_at}
    return {
        "turn": evidence.turn,
        "start_char": evidence.start,
        "end_char": evidence.end,
        "turn_id": statement.turn_id if statement else None,
        "stated_at": statement.stated_at if statement else decision.stated_at,
    }


def _verdicts(decision: Decision) -> str:
    found = [
        {"check": verdict.check.value, "outcome": verdict.outcome.value, "detail": clean(verdict.detail)}
        for verdict in decision.verdicts
    ]
    return json.dumps(found, ensure_ascii=False)


def _call_id(landing: Landing, place: int) -> str:
    return short_id("m", landing.file.key, landing.now, place, length=12)


def _call_of(landing: Landing, place: int, decision: Decision) -> str | None:
    """The call that proposed a candidate: as told, else the only one of its extractor."""
    call = landing.call_of.get(place)
    if call is None:
        own = [n for n, each in enumerate(landing.calls) if each.extractor == decision.candidate.extractor]
        call = own[0] if len(own) == 1 else None
    return None if call is None else _call_id(landing, call)
