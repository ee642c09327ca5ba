"""The cases of a lifecycle file: sessions over time, what a person decides, and a question at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from afterpass.evaluation.files import EvalError, need, parse_day, parse_time, read_lines

CHOICES = frozenset({"accept", "reject", "none"})


@dataclass(frozen=True, slots=True)
class Gold:
    """What a perfect extractor and perfect checks act on. ``kind``: standing, temporary, correction or forget."""

    type: str
    subject: str
    value: str
    kind: str
    until: date | None = None


@dataclass(frozen=True, slots=True)
class CaseSession:
    """One session; ``turns`` are those of the neutral format. Its repository defaults to the case's."""

    id: str
    repo: str
    developer: str | None
    ended: datetime
    turns: tuple[Mapping[str, Any], ...]
    gold: tuple[Gold, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row that could be loaded at that point. ``owner`` None is the repository, else a developer."""

    type: str
    subject: str
    value: str
    owner: str | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Expect:
    """The right answer. ``key`` is the phrase that an answer of a statement type must contain."""

    value: str | None
    source: str
    ask_first: bool
    placement: str | None
    key: str | None


@dataclass(frozen=True, slots=True)
class Ask:
    """The question at the end. ``repo_files`` are the repository's files at that time, by path."""

    on: date
    text: str
    type: str
    subject: str
    developer: str | None
    repo_files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LifecycleCase:
    """One life of a fact. ``reviews[i]`` is what a person does with everything queued after session i."""

    id: str
    category: str
    repo: str
    sessions: tuple[CaseSession, ...]
    reviews: tuple[str, ...]
    store_after: tuple[tuple[Row, ...], ...]
    ask: Ask
    expect: Expect
    tempting: tuple[str, ...]
    why: str


def read_cases(path: Path) -> list[LifecycleCase]:
    """Every case of the file. Raises EvalError, naming file, line and field."""
    cases = [_case(where, record) for where, record in read_lines(path)]
    if not cases:
        raise EvalError(f"{path}: holds no case")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise EvalError(f"{path}: the id {case.id} is there twice")
        seen.add(case.id)
    return cases


def _case(where: str, record: dict[str, Any]) -> LifecycleCase:
    repo = need(record, "repo", str, where)
    sessions = tuple(_session(where, one, repo) for one in need(record, "sessions", list, where))
    after = record.get("store_after") or []
    if after and len(after) != len(sessions):
        raise EvalError(f"{where}: store_after has {len(after)} entries for {len(sessions)} sessions")
    return LifecycleCase(
        id=need(record, "id", str, where),
        category=need(record, "category", str, where),
        repo=repo,
        sessions=sessions,
        reviews=_reviews(where, record.get("reviews", "none"), len(sessions)),
        store_after=tuple(tuple(_row(where, row) for row in rows) for rows in after),
        ask=_ask(where, need(record, "ask", dict, where)),
        expect=_expect(where, need(record, "expect", dict, where)),
        tempting=tuple(text for text in record.get("tempting_wrong") or [] if isinstance(text, str) and text),
        why=str(record.get("why", "")),
    )


def _session(where: str, record: dict[str, Any], repo: str) -> CaseSession:
    return CaseSession(
        id=need(record, "session", str, where),
        repo=record.get("repo") or repo,
        developer=record.get("developer"),
        ended=parse_time(need(record, "ended", str, where), where),
        turns=tuple(need(record, "turns", list, where)),
        gold=tuple(
            Gold(
                type=need(item, "type", str, where),
                subject=item.get("subject") or "",
                value=item.get("value") or "",
                kind=item.get("kind") or "standing",
                until=parse_day(item.get("until"), where),
            )
            for item in record.get("gold") or []
        ),
    )


def _reviews(where: str, given: Any, count: int) -> tuple[str, ...]:
    choices = tuple(given) if isinstance(given, list) else (given,) * count
    if len(choices) != count or not set(choices) <= CHOICES:
        raise EvalError(f"{where}: reviews is one of {', '.join(sorted(CHOICES))}, or one of them per session")
    return choices


def _row(where: str, record: dict[str, Any]) -> Row:
    return Row(
        type=need(record, "type", str, where),
        subject=record.get("subject") or "",
        value=need(record, "value", str, where),
        owner=record.get("owner"),
        until=parse_day(record.get("until"), where),
    )


def _ask(where: str, record: dict[str, Any]) -> Ask:
    on = parse_day(need(record, "on", str, where), where)
    assert on is not None  # noqa: S101 - for the type checker: a string was given
    return Ask(
        on=on,
        text=need(record, "text", str, where),
        type=need(record, "type", str, where),
        subject=record.get("subject") or "",
        developer=record.get("developer"),
        repo_files=record.get("repo_files") or {},
    )


def _expect(where: str, record: dict[str, Any]) -> Expect:
    return Expect(
        value=record.get("value"),
        source=need(record, "source", str, where),
        ask_first=need(record, "ask_first", bool, where),
        placement=record.get("placement"),
        key=record.get("key"),
    )
