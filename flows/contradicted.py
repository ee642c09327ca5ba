"""Stored facts that the repository's own files contradict: a person is asked about each, once for each value."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, NamedTuple

from extractors.candidate import parse_candidate
from policy.model import Scope
from store.applying import STOOD_BY
from store.raised import BY_FILES, only_by_files
from store.records import Landing, ReviewKind, ReviewState
from transcripts.owner import repo_of, top_of
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.contradicts_repo import files_say
from validators.repository import files_behind, read_repository
from validators.verdict import Code, Decision, Disposition, Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from policy.model import Policy
    from store.interface import Database
    from store.records import Landed, Review
    from validators.repository import RepoAnswers
    from validators.verdict import KnownFact


class Contradiction(NamedTuple):
    """An active fact, and what the files of its repository say instead."""

    fact: KnownFact
    value: str


def ask_about(
    db: Database, repo: str, directory: Path, policy: Policy, now: datetime, *, dry_run: bool = False
) -> tuple[list[Decision], Landed | None]:
    """Queue a correction for every fact of ``repo`` that the checkout around ``directory`` contradicts, and close those
    that its files do not bear out any more.

    Nothing where the directory is no longer a checkout of it. ``dry_run`` says what would be asked and changes nothing.
    Raises StoreError; among them StaleDecision, where a fact changed meanwhile.
    """
    known = db.known(repo, None)
    if not known or not directory.is_dir() or repo_of(directory) != repo:
        return [], None
    files = read_repository(top_of(directory))
    items = db.reviews(all=True, repo=repo)
    unfounded = [item.id for item in items if item.state is ReviewState.OPEN and not _borne_out(item, files)]
    if unfounded and not dry_run:
        db.withdraw(unfounded, reason="the repository's files do not say so any more", now=now)
    found = contradictions(known, items, files, policy)
    turns = [_turn(item) for item in found]
    decisions = [_decision(item, turn, repo, now) for item, turn in zip(found, turns, strict=True)]
    if not found or dry_run:
        return decisions, None
    session = Session(repo, BY_FILES, repo, tuple(turns), started=now, ended=now)
    return decisions, db.land(Landing.of_no_transcript(session, decisions, policy=policy, now=now))


def contradictions(
    known: Sequence[KnownFact], items: Sequence[Review], files: RepoAnswers, policy: Policy
) -> list[Contradiction]:
    """What the files say otherwise than the repository's facts do, without what a person was asked or has decided."""
    found = []
    for fact in known:
        fact_type = policy.types.get(fact.type)
        if fact_type is None or fact_type.multi or fact_type.scope is not Scope.REPO or fact.until is not None:
            continue
        subject = fact_type.canonical_subject(fact.subject)
        said = files.answer(fact.type, subject)
        if said is None or files.holds(fact.type, subject, fact.value):
            continue
        if not any(_settles(item, fact, said, files) for item in items):
            found.append(Contradiction(fact, said))
    return found


def _borne_out(item: Review, files: RepoAnswers) -> bool:
    """Whether the files still say what a question was asked for; anybody else's question is left alone."""
    return not only_by_files(item) or files.holds(item.type, item.subject, item.proposed or "")


def _settles(item: Review, fact: KnownFact, said: str, files: RepoAnswers) -> bool:
    """Whether a person is asked about the files' value, has refused it for this fact or stood by the fact, or chose the
    fact although they knew it.
    """
    if (item.type, item.subject) != (fact.type, fact.subject):
        return False
    same = files.holds(item.type, item.subject, item.proposed or "")
    if item.state is ReviewState.OPEN:
        return same
    stood_by = item.state is ReviewState.EXPIRED and item.reason == STOOD_BY
    if stood_by or item.state is ReviewState.REFUSED:
        return same and item.base is not None and item.base.id == fact.id
    chosen = item.state is ReviewState.ACCEPTED and item.result_fact == fact.id
    return chosen and item.kind is ReviewKind.CONTRADICTS_REPO and item.detail == files_say(said)


def _turn(found: Contradiction) -> Turn:
    """What the files say, at no time of its own: the same words a second later are another look at them."""
    text = f"{files_behind(found.fact.type)}: {found.value}"
    return Turn(uuid.uuid4().hex, Speaker.TOOL, (Segment(Origin.INJECTED, text),))


def _decision(found: Contradiction, turn: Turn, repo: str, now: datetime) -> Decision:
    fact, text = found.fact, turn.text
    proposed = {"type": fact.type, "subject": fact.subject, "value": found.value, "evidence": text, "turn": turn.id}
    return Decision(
        Disposition.QUEUE,
        Code.CORRECTION,
        files_say(found.value),
        parse_candidate({**proposed, "kind": "correction"}, BY_FILES),
        evidence=Evidence(turn.id, 0, len(text), text),
        type=fact.type,
        subject=fact.subject,
        value=found.value,
        owner=repo,
        stated_at=now,
        targets=(fact,),
    )
