"""One case played through the real pass: read, take, think, land in a store of its own, decide the reviews, ask."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from afterpass.arrival.telling import eligible_ids, record_of
from afterpass.evaluation.files import EvalError, write_files, write_session
from afterpass.recall.answer import answer
from afterpass.recall.block import select
from afterpass.recall.memory import Answer, Memory, Question, pending, remembered
from afterpass.recall.render import render
from flows.gather import source_of
from flows.result import Skip
from flows.steps import Context, land, read_source, take, think
from policy.settings import Settings
from store.errors import StoreError
from store.recalls import append
from store.store import Store
from store.workers import worker_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from afterpass.evaluation.lifecycle_cases import CaseSession, LifecycleCase
    from extractors.interface import Call, Extractor
    from policy.model import Policy
    from store.interface import Database
    from store.measures import Measures
    from store.records import Fact
    from transcripts.session import Session
    from validators.context import RepoAnswers
    from validators.verdict import Decision

REVIEWER = "eval"


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one session: every decision, and the active facts after its reviews were decided."""

    session: CaseSession
    decisions: tuple[Decision, ...]
    facts: tuple[Fact, ...]
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Life:
    """A whole case: its sessions, what memory held at the end, the answer that it gave, and what came of reading back
    at the start of each session.
    """

    case: LifecycleCase
    played: tuple[Played, ...]
    memory: Memory
    answer: Answer
    measures: Measures


def play(
    case: LifecycleCase, extractor: Extractor, policy: Policy, *, judge: Callable[..., list[Decision]] | None = None
) -> Life:
    """Play a case from its first session to its question, under another ``judge`` where one is given.

    Raises ExtractorError where a model fails.
    """
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="afterpass-eval-")))
        settings = Settings(home=home)
        store = Store(home)
        db = stack.enter_context(store.connect())
        played = tuple(_sessions(case, extractor, policy, settings, store, db, judge))
        memory, measures = _memory(db, case.repo, case.ask.developer), db.measures()
    with tempfile.TemporaryDirectory(prefix="afterpass-repo-") as folder:
        repo = repository_of(case, Path(folder))
        return Life(case, played, memory, answer(question_of(case), memory, policy=policy, repo=repo), measures)


def question_of(case: LifecycleCase) -> Question:
    """The case's question as recall takes it."""
    ask = case.ask
    return Question(ask.type, ask.subject, ask.text, case.repo, ask.developer, ask.on)


def repository_of(case: LifecycleCase, folder: Path) -> RepoAnswers | None:
    """What the repository's files of the question answer; None where the case has none."""
    from validators.repository import read_repository

    if not case.ask.repo_files:
        return None
    return read_repository(write_files(case.ask.repo_files, folder, case.id))


def _sessions(
    case: LifecycleCase,
    extractor: Extractor,
    policy: Policy,
    settings: Settings,
    store: Store,
    db: Database,
    judge: Callable[..., list[Decision]] | None,
) -> Iterator[Played]:
    for number, (session, choice) in enumerate(zip(case.sessions, case.reviews, strict=True), start=1):
        now = session.ended + timedelta(minutes=1)
        clock = partial(_same, now)
        context = Context(settings, policy, extractor, store, worker_name(), explicit=True, clock=clock, judge=judge)
        reading = read_source(source_of(_written(session, settings.home / f"{number:03d}.jsonl")), settings)
        if isinstance(reading, Skip):
            if reading.code == "unknown_format":
                raise EvalError(f"{case.id}: session {session.id} cannot be read: {reading.reason}")
            yield Played(session, (), tuple(db.facts(repo=case.repo, developer=case.ask.developer)))
            continue
        _tell_the_start(db, settings.home, reading.session, session.ended, policy)
        taken = take(db, reading, context)
        if taken is None:
            raise EvalError(f"{case.id}: session {session.id} is there twice")
        thought = think(taken, context)
        decisions, _ = land(db, thought, context)
        _review(db, choice, session)
        facts = db.facts(repo=case.repo, developer=case.ask.developer)
        yield Played(session, tuple(decisions), tuple(facts), tuple(thought.extraction.calls))


def _memory(db: Database, repo: str, developer: str | None) -> Memory:
    """What may be read back for a repository and a developer now."""
    facts, items = db.facts(repo=repo, developer=developer), db.open_reviews(repo, developer)
    return Memory(tuple(map(remembered, facts)), tuple(pending(item) for item in items if not item.stale))


def _tell_the_start(db: Database, home: Path, session: Session, ended: datetime, policy: Policy) -> None:
    """Put on record what the hook would have told the session when it began: what came of it is seen as it lands."""
    began = min((turn.time for turn in session.turns if turn.time), default=ended)
    memory = _memory(db, session.repo, session.developer)
    question = Question("", None, "", session.repo, session.developer, began.date())
    told = select(question, memory, policy=policy)
    record = record_of(told, told, eligible_ids(question, memory, policy), render(told))
    header = {"at": began.isoformat(), "by": "hook", "event": "SessionStart", "session": session.id}
    append(str(home), {**header, **record})
    db.take_recalls(now=ended)


def _same(moment: datetime) -> datetime:
    return moment


def _written(session: CaseSession, path: Path) -> Path:
    """The session as a neutral file."""
    header = {
        "afterpass": 1,
        "session": session.id,
        "repo": session.repo,
        "developer": session.developer,
        "ended": session.ended.isoformat(),
    }
    return write_session([header, *session.turns], path)


def _review(db: Database, choice: str, session: CaseSession) -> None:
    """Decide everything that is open as the case says. What cannot be accepted as it stands stays open."""
    if choice == "none":
        return
    for item in db.reviews():
        now = session.ended + timedelta(minutes=2)
        try:
            if choice == "accept":
                db.accept(item.id, actor=REVIEWER, now=now)
            else:
                db.reject(item.id, actor=REVIEWER, now=now)
        except StoreError:
            continue  # an item that needs a value of its own, or whose slot has changed since
