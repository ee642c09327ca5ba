"""``eval sessions``: what is written from sessions with gold, how much of it is right, and how much is missing."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.files import EvalError
from afterpass.evaluation.rules import Rule, rule_of, same_pivot, says
from flows.gather import source_of
from flows.result import Skip
from flows.steps import Context, land, read_source, take, think
from policy.errors import reason
from policy.places import read_bytes
from policy.settings import Settings
from store.errors import StoreError
from store.store import Store
from store.workers import worker_name
from transcripts.discovery import discover
from validators.verdict import Disposition

if TYPE_CHECKING:
    from extractors.interface import Extractor
    from flows.steps import Reading
    from policy.model import Policy
    from validators.verdict import Decision

CODING = frozenset({"instruction-add", "instruction-update"})
KEPT = frozenset({Disposition.WRITE, Disposition.RECONFIRM, Disposition.QUEUE})


@dataclass(frozen=True, slots=True)
class Wanted:
    """One rule that a session states. ``before`` are the rules that it replaces."""

    session: str
    rule: Rule
    update: bool
    before: tuple[Rule, ...] = ()


@dataclass(slots=True)
class SessionsReport:
    """Counts over all sessions, and every miss and every extra by name."""

    sessions: int = 0
    wanted: int = 0
    proposed: int = 0
    written: int = 0
    kept: int = 0
    kept_right: int = 0
    updates: int = 0
    right_slot: int = 0
    missed: list[dict[str, Any]] = field(default_factory=list)
    extra: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0

    def to_json(self) -> dict[str, Any]:
        """Shares with their counts, and what was missed and written beside the gold."""
        return {
            "sessions": self.sessions,
            "proposed": {"recall": _ratio(self.proposed, self.wanted), "right": self.proposed, "of": self.wanted},
            "written": {
                "precision": _ratio(self.kept_right, self.kept),
                "recall": _ratio(self.written, self.wanted),
                "kept": self.kept,
                "kept_right": self.kept_right,
                "right": self.written,
                "of": self.wanted,
            },
            "replacements": {
                "right_slot": _ratio(self.right_slot, self.updates),
                "right": self.right_slot,
                "of": self.updates,
            },
            "missed": self.missed,
            "extra": self.extra,
            "cost": {"seconds": round(self.seconds, 2), "tokens_in": self.tokens_in, "tokens_out": self.tokens_out},
        }


def read_gold(path: Path) -> dict[str, list[Wanted]]:
    """The rules about code by session. Fillers are known sessions without any. Raises EvalError."""
    try:
        records = json.loads(read_bytes(path).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise EvalError(
            f"{path}: cannot be read: {reason(error)}", "give a JSON list of sessions with their rules"
        ) from error
    if not isinstance(records, list):
        raise EvalError(f"{path}: not a list")
    wanted: dict[str, list[Wanted]] = {}
    stated: dict[Any, list[Rule]] = {}
    for record in records:
        session = record["session"]
        here = wanted.setdefault(session, [])
        if record["type"] not in CODING:
            continue
        rule = rule_of(record["topic"])
        earlier = stated.setdefault(record.get("dialogue", session), [])
        update = record["type"] == "instruction-update"
        here.append(Wanted(session, rule, update, tuple(r for r in earlier if same_pivot(r, rule)) if update else ()))
        earlier.append(rule)
    return wanted


def evaluate_sessions(
    folder: Path,
    gold: dict[str, list[Wanted]],
    extractor: Extractor,
    policy: Policy,
    *,
    limit: int | None = None,
    progress: Callable[[int, str], None] = lambda _done, _session: None,
) -> SessionsReport:
    """Run the pass over every session that has gold, repository by repository in the order of time.

    Each repository has a store of its own, and what is queued is accepted after each session, so that the next change
    meets the current rule. ``limit`` takes only so many sessions. Raises ExtractorError, EvalError.
    """
    if not folder.exists():
        raise EvalError(f"{folder}: no such folder")
    report, began = SessionsReport(), time.monotonic()
    settings = Settings(home=Path())
    by_repo: dict[str, list[Reading]] = {}
    for found in discover([folder]):
        reading = read_source(source_of(found.path), settings)
        if not isinstance(reading, Skip) and reading.session.id in gold:
            by_repo.setdefault(reading.session.repo, []).append(reading)
    if not by_repo:
        raise EvalError(f"{folder}: holds no session that the gold names")
    for repo in sorted(by_repo):
        if limit is not None and report.sessions >= limit:
            break
        with tempfile.TemporaryDirectory(prefix="afterpass-eval-") as home:
            _repository(by_repo[repo], gold, _context(Path(home), extractor, policy), report, progress)
    report.seconds = time.monotonic() - began
    return report


def _context(home: Path, extractor: Extractor, policy: Policy) -> Context:
    return Context(Settings(home=home), policy, extractor, Store(home), worker_name(), explicit=True)


def _repository(
    readings: Sequence[Reading],
    gold: dict[str, list[Wanted]],
    context: Context,
    report: SessionsReport,
    progress: Callable[[int, str], None],
) -> None:
    with context.store.connect() as db:
        for reading in sorted(readings, key=lambda one: (_ended(one), one.session.id)):
            session = reading.session
            progress(report.sessions, session.id)
            now = _ended(reading) + timedelta(minutes=1)
            here = replace(context, clock=_always(now))
            taken = take(db, reading, here)
            if taken is None:
                continue
            thought = think(taken, here)
            decisions, _ = land(db, thought, here)
            for call in thought.extraction.calls:
                report.tokens_in += call.tokens_in or 0
                report.tokens_out += call.tokens_out or 0
            _count(report, session.id, gold[session.id], decisions)
            for item in db.reviews():
                try:
                    db.accept(item.id, actor="eval", now=now + timedelta(minutes=1))
                except StoreError:
                    continue  # it needs a value of its own, or its slot has changed since


def _ended(reading: Reading) -> datetime:
    session = reading.session
    return session.ended or session.started or datetime.fromtimestamp(reading.file.mtime_ns / 1e9, UTC)


def _always(moment: datetime) -> Callable[[], datetime]:
    return lambda: moment


def _count(report: SessionsReport, session: str, wanted: Sequence[Wanted], decisions: Sequence[Decision]) -> None:
    report.sessions += 1
    kept = [decision for decision in decisions if decision.disposition in KEPT]
    for want in wanted:
        report.wanted += 1
        proposing = [decision for decision in decisions if says(text_of(decision), want.rule)]
        keeping = [decision for decision in proposing if decision.disposition in KEPT]
        report.proposed += bool(proposing)
        report.written += bool(keeping)
        if want.update:
            report.updates += 1
            report.right_slot += any(_hits(decision, want) for decision in keeping)
        if not keeping:
            why = sorted({decision.code.value for decision in proposing})
            report.missed.append({"session": session, "rule": want.rule.topic, "codes": why})
    for decision in kept:
        right = any(says(text_of(decision), want.rule) for want in wanted)
        report.kept += 1
        report.kept_right += right
        if not right:
            report.extra.append(
                {"session": session, "type": decision.type, "subject": decision.subject, "value": decision.value}
            )


def text_of(decision: Decision) -> str:
    """What a decision is about, for the comparison: its subject, value and quote."""
    quote = decision.evidence.text if decision.evidence else getattr(decision.candidate, "evidence", "")
    return f"{decision.subject}\n{decision.value or getattr(decision.candidate, 'value', '')}\n{quote}"


def _hits(decision: Decision, want: Wanted) -> bool:
    """Whether a queued replacement aims at the slot that holds the rule it replaces."""
    return decision.disposition is Disposition.QUEUE and any(
        says(f"{target.subject}\n{target.value}", rule) for target in decision.targets for rule in want.before
    )


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
