"""Stored facts that the repository's own files contradict: a person is asked about each, once for each value."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from extractors.candidate import parse_candidate
from policy.model import Scope
from store.records import Landing, ReviewKind, ReviewState
from transcripts.owner import repo_of, top_of
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.contradicts_repo import files_say
from validators.repository import files_behind, read_repository
from validators.verdict import Code, Decision, Disposition, Evidence, fold_value

if TYPE_CHECKING:
    from datetime import datetime

    from policy.model import Policy
    from store.interface import Database
    from store.records import Landed, Review
    from validators.repository import RepoAnswers
    from validators.verdict import KnownFact

AGENT = "repository"
"""The agent of a session that consists of what a repository's files say; its turns stand in no transcript."""


class Contradiction(NamedTuple):
    """An active fact, and what the files of its repository say instead."""

    fact: KnownFact
    value: str


def ask_about_checkout(
    db: Database, repo: str, directory: Path, policy: Policy, now: datetime, *, dry_run: bool = False
) -> tuple[list[Decision], Landed | None]:
    """Queue a correction for every fact of ``repo`` that the checkout around ``directory`` contradicts.

    Nothing where the directory is no longer a checkout of it. ``dry_run`` says what would be asked and queues nothing.
    Raises StoreError, and StaleDecision where a fact changed meanwhile.
    """
    if not directory.is_dir() or repo_of(directory) != repo:
        return [], None
    return ask_about(db, repo, read_repository(top_of(directory)), policy, now, dry_run=dry_run)


def ask_about(
    db: Database, repo: str, files: RepoAnswers, policy: Policy, now: datetime, *, dry_run: bool = False
) -> tuple[list[Decision], Landed | None]:
    """The same for files that were read already, whatever folder they lie in."""
    found = contradictions(db, repo, files, policy)
    turns = [_turn(item, now) for item in found]
    decisions = [_decision(item, turn, repo, now) for item, turn in zip(found, turns, strict=True)]
    if not found or dry_run:
        return decisions, None
    session = Session(repo, AGENT, repo, tuple(turns), started=now, ended=now)
    return decisions, db.land(Landing.of_no_transcript(session, decisions, policy=policy, now=now))


def contradictions(db: Database, repo: str, files: RepoAnswers, policy: Policy) -> list[Contradiction]:
    """What the files say otherwise than the repository's facts do, without what a person was asked or has decided."""
    found = []
    for fact in db.known(repo, None):
        fact_type = policy.types.get(fact.type)
        if fact_type is None or fact_type.multi or fact_type.scope is not Scope.REPO or fact.until is not None:
            continue
        subject = fact_type.canonical_subject(fact.subject)
        said = files.answer(fact.type, subject)
        if said is not None and not files.holds(fact.type, subject, fact.value):
            found.append(Contradiction(fact, said))
    items = db.reviews(all=True, repo=repo) if found else []
    return [each for each in found if not any(_settles(item, each) for item in items)]


def _settles(item: Review, found: Contradiction) -> bool:
    """Whether a person is asked about the files' value, has refused it, or chose the fact although they knew it."""
    if (item.type, item.subject) != (found.fact.type, found.fact.subject):
        return False
    if item.state in (ReviewState.OPEN, ReviewState.REFUSED):
        return fold_value(item.proposed or "") == fold_value(found.value)
    chosen = item.state is ReviewState.ACCEPTED and item.result_fact == found.fact.id
    return chosen and item.kind is ReviewKind.CONTRADICTS_REPO and item.detail == files_say(found.value)


def _turn(found: Contradiction, now: datetime) -> Turn:
    text = f"{files_behind(found.fact.type)}: {found.value}"
    return Turn(uuid.uuid4().hex, Speaker.TOOL, (Segment(Origin.INJECTED, text),), now)


def _decision(found: Contradiction, turn: Turn, repo: str, now: datetime) -> Decision:
    fact, text = found.fact, turn.text
    proposed = {"type": fact.type, "subject": fact.subject, "value": found.value, "evidence": text, "turn": turn.id}
    return Decision(
        Disposition.QUEUE,
        Code.CORRECTION,
        files_say(found.value),
        parse_candidate({**proposed, "kind": "correction"}, AGENT),
        evidence=Evidence(turn.id, 0, len(text), text),
        type=fact.type,
        subject=fact.subject,
        value=found.value,
        owner=repo,
        stated_at=now,
        targets=(fact,),
    )
