"""The four steps of one session: read, take, think, land. Every entry calls them in this order.

The store is open for taking and for landing, and closed while a model thinks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from flows.gather import Source
from flows.noting import Noted, write_note
from flows.result import Skip
from policy.people import person_key
from store.errors import StaleDecision
from store.records import Landed, Landing, LedgerRow, ModelCall, SessionFile
from transcripts.session import Session, Skipped, Speaker

if TYPE_CHECKING:
    from extractors.embedding import Embedder
    from extractors.interface import Call, Extraction, Extractor
    from extractors.note import NoteWriter
    from policy.model import Policy
    from policy.settings import Settings
    from store.interface import Database
    from store.store import Store
    from validators.repository import RepoAnswers
    from validators.verdict import Decision, KnownFact, Refusal, Tombstone

JUDGED_AGAIN = 5
"""How often a session is judged again because somebody changed its slots between reading and landing."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the steps share. ``explicit`` is a pass that a person asked for: it ignores waiting times.

    ``slots`` remembers for each owner which slots held a fact when the pass first met it: a hint for extractors only.
    ``judge`` stands in for the judgement, with its parameters; None is the judgement itself. ``notes`` writes the note
    of each session, None where none is wanted; ``embedder`` makes its vector, None where no model for it is configured.
    """

    settings: Settings
    policy: Policy
    extractor: Extractor
    store: Store
    worker: str
    explicit: bool = False
    slots: dict[tuple[str, str | None], tuple[tuple[str, str], ...]] = field(default_factory=dict)
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    judge: Callable[..., list[Decision]] | None = None
    notes: NoteWriter | None = None
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A session as it lay on disk when it was read."""

    file: SessionFile
    session: Session
    source: Source


@dataclass(frozen=True, slots=True)
class Taken:
    """A session that this worker holds. What stands before ``first_turn`` was read in an earlier pass.

    ``earlier_note`` is what was noted of it then.
    """

    reading: Reading
    first_turn: int
    known_slots: tuple[tuple[str, str], ...]
    earlier_note: str = ""


@dataclass(frozen=True, slots=True)
class Thought:
    """What was proposed for a session, what its repository answers today, and its note."""

    taken: Taken
    extraction: Extraction
    repo: RepoAnswers | None
    noted: Noted = field(default_factory=Noted)

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every model call that it took."""
        return (*self.extraction.calls, *self.noted.calls)


def read_source(source: Source, settings: Settings) -> Reading | Skip:
    """Read a file of one session, or the one that ``source`` names in a file of several.

    Raises OSError or TranscriptError for a file that cannot be read.
    """
    return next(read_sessions(source, settings), None) or Skip(str(source.path), "empty", "the session is gone")


def read_sessions(source: Source, settings: Settings) -> Iterator[Reading | Skip]:
    """Read every session of a file. The fingerprint is taken first: what is appended meanwhile is new to the next pass.

    A session in a file that may hold several has a fingerprint of its own, and a source without size and time.
    Raises OSError or TranscriptError for a file that cannot be read, also after some sessions.
    """
    from transcripts.file import TranscriptFile
    from transcripts.registry import read_file, several_in

    with TranscriptFile(source.path) as file:
        several = several_in(file)
        if several is None:
            content = file.fingerprint()
            yield _reading(source, content, read_file(file, automation=settings.automation), settings)
            return
        for read in several.read_all(file, automation=settings.automation, only=source.session):
            if isinstance(read, Skipped):
                yield Skip(str(source.path), read.code, read.reason)
            else:
                yield _reading(Source(source.path, 0, 0, read.id), content_of(read), read, settings)


def content_of(session: Session) -> str:
    """A hash of what was said in a session, for one that has no file of its own."""
    digest = hashlib.blake2b(digest_size=16)
    for turn in session.turns:
        digest.update(f"{turn.id}\0{turn.withdrawn}\0{turn.text}\0".encode("utf-8", "replace"))
    return digest.hexdigest()


def _reading(source: Source, content: str, read: Session | Skipped, settings: Settings) -> Reading | Skip:
    if isinstance(read, Skipped):
        return Skip(str(source.path), read.code, read.reason)
    if read.automation and not settings.automation:
        return Skip(str(source.path), "automation", "a program sent the prompts (setting: automation)")
    session = _with_owner(read, settings)
    return Reading(
        SessionFile.of(session, fingerprint=content, path=str(source.path), size=source.size, mtime_ns=source.mtime_ns),
        session,
        source,
    )


def _with_owner(session: Session, settings: Settings) -> Session:
    """The repository and the developer under the names that the settings give them.

    The configured developer wins; else what the transcript says; else git's e-mail where the session ran.
    """
    developer = settings.developer or session.developer
    if developer is None and session.cwd:
        from transcripts.owner import git_email

        developer = git_email(Path(session.cwd))
    repo, meant = _repository_name(session, settings), dict(settings.developers)

    def named(given: str | None) -> str | None:
        key = person_key(given)
        return meant.get(key, key) or None

    turns = tuple(
        turn if named(turn.developer) == turn.developer else structs.replace(turn, developer=named(turn.developer))
        for turn in session.turns
    )
    return structs.replace(session, developer=named(developer), repo=repo, turns=turns)


def _repository_name(session: Session, settings: Settings) -> str:
    """The longest configured path that holds the session's directory names its repository."""
    places = sorted(settings.repositories, key=lambda place: len(place[0]), reverse=True)
    for path, name in places:
        for where in (session.repo, session.cwd or ""):
            if where == path or where.startswith(f"{path.rstrip('/')}/"):
                return name
    return session.repo


def take(db: Database, reading: Reading, context: Context) -> Taken | None:
    """Claim one session; None where there is nothing to take now."""
    return take_all(db, [reading], context)[0]


def take_all(db: Database, readings: Sequence[Reading], context: Context) -> list[Taken | None]:
    """Claim sessions and find out how far each was read before. None where there is nothing to take now."""
    files = [reading.file for reading in readings]
    rows = db.claim_many(files, worker=context.worker, now=context.clock(), ignore_wait=context.explicit)
    return [
        None if row is None else looked_up(db, reading, row, context)
        for reading, row in zip(readings, rows, strict=True)
    ]


def looked_up(db: Database, reading: Reading, row: LedgerRow | None, context: Context) -> Taken:
    """How far the session, or the one it was forked from, was read before, and which slots hold a fact already."""
    session = reading.session
    first = _read_before(session, row)
    if first == 0 and session.parent and session.parent != session.id:
        first = _read_before(session, db.ledger(f"{session.agent}:{session.parent}"))
    owner = (session.repo, session.developer)
    if owner not in context.slots:
        known = db.known(*owner)
        context.slots[owner] = tuple(dict.fromkeys((fact.type, fact.subject) for fact in known))
    before = db.note_of(reading.file.key) if first and context.notes else None
    return Taken(reading, first, context.slots[owner], before.text if before else "")


def _read_before(session: Session, row: LedgerRow | None) -> int:
    """The index after the last turn that was read; 0 where that turn is not in this file."""
    if row is None or not row.last_turn:
        return 0
    turns, count = session.turns, row.turn_count
    if 0 < count <= len(turns) and turns[count - 1].id == row.last_turn:
        return count
    return next((index + 1 for index in range(len(turns) - 1, -1, -1) if turns[index].id == row.last_turn), 0)


def note_touched(db: Database, reading: Reading, context: Context) -> None:
    """Put a done session's new path or time on record, although its content is the old: else it is read every time."""
    row = db.claim(reading.file, worker=context.worker, now=context.clock(), again=True)
    if row is not None:
        from extractors.interface import Extraction

        land(db, Thought(Taken(reading, len(reading.session.turns), ()), Extraction(candidates=()), None), context)


def think(taken: Taken, context: Context) -> Thought:
    """Ask the extractor, and then for the note. No store is open here. Raises ExtractorError, never for the note."""
    from extractors.interface import Extraction

    session = taken.reading.session
    rest = session.turns[taken.first_turn :]
    if not any(turn.speaker is Speaker.DEVELOPER and not turn.withdrawn for turn in rest):
        return Thought(taken, Extraction(candidates=()), None)
    extraction = context.extractor.propose(
        session, policy=context.policy, known_slots=taken.known_slots, first_turn=taken.first_turn
    )
    noted = Noted()
    if context.notes is not None:
        noted = write_note(
            session, context.notes, context.embedder, first_turn=taken.first_turn, earlier=taken.earlier_note
        )
    return Thought(taken, extraction, _repository(session) if extraction.candidates else None, noted)


def _repository(session: Session) -> RepoAnswers | None:
    """What the session's repository answers by itself, when it still lies where the session ran."""
    from transcripts.owner import repo_of
    from validators.repository import read_repository

    if not session.cwd or not Path(session.cwd).is_dir() or repo_of(Path(session.cwd)) != session.repo:
        return None
    return read_repository(Path(session.cwd))


@dataclass(frozen=True, slots=True)
class Believed:
    """What the checks need to know of an owner's facts."""

    known: list[KnownFact]
    tombstones: list[Tombstone]
    refusals: list[Refusal]


def believed(db: Database, session: Session) -> Believed:
    """The active facts, tombstones and refusals of the session's repository and developer."""
    owners = (session.repo, session.developer)
    return Believed(db.known(*owners), db.tombstones(*owners), db.refusals(*owners))


def decide(thought: Thought, view: Believed, context: Context) -> list[Decision]:
    """Judge everything that was proposed. Pure: neither the store nor a model is touched."""
    from validators.judge import judge

    return (context.judge or judge)(
        thought.taken.reading.session,
        thought.extraction.candidates,
        policy=context.policy,
        known=view.known,
        tombstones=view.tombstones,
        refusals=view.refusals,
        repo=thought.repo,
    )


def land(db: Database, thought: Thought, context: Context) -> tuple[list[Decision], Landed]:
    """Judge against what is believed now, and keep the result in one transaction.

    Raises LeaseLost where another worker has the session by now, StaleDecision after JUDGED_AGAIN fruitless tries.
    """
    session = thought.taken.reading.session
    for attempt in range(1, JUDGED_AGAIN + 1):
        decisions = decide(thought, believed(db, session), context) if thought.extraction.candidates else []
        try:
            return decisions, db.land(_landing(thought, decisions, context, context.clock()))
        except StaleDecision:
            if attempt == JUDGED_AGAIN:
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


def land_quiet(db: Database, thoughts: Sequence[Thought], context: Context) -> set[str]:
    """Set sessions done for which nothing was proposed; the keys of those that this worker still held."""
    now = context.clock()
    return db.land_quiet([_landing(thought, [], context, now) for thought in thoughts])


def _landing(thought: Thought, decisions: Sequence[Decision], context: Context, now: datetime) -> Landing:
    reading = thought.taken.reading
    turns = reading.session.turns
    return Landing(
        session=reading.session,
        file=reading.file,
        decisions=decisions,
        policy=context.policy,
        now=now,
        last_turn=turns[-1].id if turns else None,
        turn_count=len(turns),
        calls=[
            *(_model_call(call, context.extractor.name) for call in thought.extraction.calls),
            *(_model_call(call, "note") for call in thought.noted.calls),
        ],
        transcript_hash=reading.file.fingerprint,
        worker=context.worker,
        note=thought.noted.note,
        note_problem=thought.noted.problem,
    )


def _model_call(call: Call, asker: str) -> ModelCall:
    return ModelCall(
        extractor=asker.rpartition("+")[2],  # of a union, the part that asks a model
        model=call.model,
        prompt_version=call.prompt_version,
        parameters={"format": call.format.value, "attempts": call.attempts},
        reply=call.raw_reply,
        input_tokens=call.tokens_in or 0,
        output_tokens=call.tokens_out or 0,
        seconds=call.seconds,
    )
