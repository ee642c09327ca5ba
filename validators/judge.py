"""The judgement: every check on every candidate, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from extractors.candidate import Candidate, Malformed
from policy.model import Policy, Scope
from transcripts.secrets import redact
from transcripts.session import Session
from validators import malformed
from validators.answers import confirms
from validators.checks import ALONE, BESIDE, OUTCOMES, QUARANTINES, Check
from validators.context import Context, RepoAnswers
from validators.finding import Finding
from validators.outcome import not_applicable
from validators.verdict import (
    Code,
    Decision,
    Disposition,
    Evidence,
    KnownFact,
    Outcome,
    Refusal,
    Tombstone,
    Verdict,
)
from validators.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable


def judge(
    session: Session,
    candidates: Sequence[Candidate | Malformed],
    *,
    policy: Policy,
    known: Sequence[KnownFact] = (),
    tombstones: Sequence[Tombstone] = (),
    refusals: Sequence[Refusal] = (),
    repo: RepoAnswers | None = None,
    without: frozenset[Code] = frozenset(),
) -> list[Decision]:
    """What becomes of each candidate, in input order, with every check's verdict.

    ``known``, ``tombstones`` and ``refusals`` are those of the session's owner. Candidates see one another where a
    later one supersedes an earlier one, and where they say the same: the first is written, the others reconfirm it.
    Checks in ``without`` find nothing, whatever they look at. Pure: the same input gives the same decisions.
    """
    context = Context(session, policy, known, tombstones, refusals, repo)
    views = {i: View(c, context) for i, c in enumerate(candidates) if isinstance(c, Candidate)}
    alone = {i: _run(ALONE, view, without) for i, view in views.items()}
    standing = [view for i, view in views.items() if not _failed(alone[i])]
    decided: dict[int, Decision] = {}
    written: list[View] = []
    for i, view in sorted(views.items(), key=lambda item: item[1].position):
        view.peers = standing
        view.written = tuple(written)
        decided[i] = _decision(view, alone[i], without)
        if decided[i].disposition is Disposition.WRITE:
            written.append(view)
    return [decided[i] if i in decided else _unusable(c) for i, c in enumerate(candidates)]


def _decision(view: View, alone: Sequence[Verdict], without: frozenset[Code]) -> Decision:
    discards = [*alone, *_run(BESIDE, view, without)]
    quarantines = _run(QUARANTINES, view, without)
    finding = _first(discards, Disposition.DISCARD) or _first(quarantines, Disposition.QUARANTINE)
    finding = finding or _outcome(view, without)
    shown = redact if view.credential else str
    slot = finding.restates or view  # a restatement belongs to the slot that the first statement is written to
    return Decision(
        disposition=finding.disposition,
        code=finding.code,
        detail=redact(finding.detail),
        candidate=view.candidate,
        verdicts=tuple(_without_credential(verdict) for verdict in (*discards, *quarantines)),
        evidence=_evidence(view),
        type=view.fact_type.name if view.fact_type else redact(view.candidate.type.strip()),
        subject=shown(slot.subject),
        value=shown(slot.value),
        until=view.until,
        owner=_owner(view),
        stated_at=view.stated_at,
        targets=finding.targets,
        confirms=finding.disposition is Disposition.RECONFIRM and confirms(view),
    )


def _without_credential(verdict: Verdict) -> Verdict:
    if not verdict.detail or (detail := redact(verdict.detail)) == verdict.detail:
        return verdict
    return Verdict(verdict.check, verdict.outcome, detail)


def _run(checks: Iterable[Check], view: View, without: frozenset[Code]) -> list[Verdict]:
    verdicts = [check(view) for check in checks]
    if not without:
        return verdicts
    return [not_applicable(v.check, "taken out") if v.check in without else v for v in verdicts]


def _failed(verdicts: Iterable[Verdict]) -> bool:
    return any(verdict.outcome is Outcome.FAIL for verdict in verdicts)


def _first(verdicts: Iterable[Verdict], disposition: Disposition) -> Finding | None:
    for verdict in verdicts:
        if verdict.outcome is Outcome.FAIL:
            return Finding(disposition, verdict.check, verdict.detail)
    return None


def _outcome(view: View, without: frozenset[Code]) -> Finding:
    return next(finding for decide in OUTCOMES if (finding := decide(view)) and finding.code not in without)


def _owner(view: View) -> str | None:
    if view.fact_type and view.fact_type.scope is Scope.DEVELOPER:
        return view.session.developer or None
    return view.session.repo


def _evidence(view: View) -> Evidence | None:
    """The evidence; its text is redacted where the candidate holds a credential."""
    found = view.evidence
    if found is None or not view.credential:
        return found
    return Evidence(found.turn, found.start, found.end, redact(found.text))


def _unusable(candidate: Candidate | Malformed) -> Decision:
    """The decision on a proposal that is no candidate."""
    reason = malformed.finding(candidate) if isinstance(candidate, Malformed) else Verdict(Code.MALFORMED, Outcome.FAIL)
    reason = _without_credential(reason)
    return Decision(Disposition.DISCARD, Code.MALFORMED, reason.detail, candidate, (reason,))
