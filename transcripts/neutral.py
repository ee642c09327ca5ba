"""Afterpass's own session file: a header line, then one turn per line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from transcripts.jsonl import Records
from transcripts.owner import owner_key
from transcripts.programs import written_by_program
from transcripts.session import BadLine, Origin, Segment, Session, Skipped, Speaker
from transcripts.turnlog import TurnLog, parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile

name = "neutral"


class Line(TypedDict, total=False):
    """What is read of a line, the header's and a turn's."""

    afterpass: Any
    session: Any
    repo: Any
    agent: Any
    developer: Any
    cwd: Any
    branch: Any
    started: Any
    ended: Any
    parent: Any
    automation: Any
    id: Any
    speaker: Any
    time: Any
    text: Any
    segments: Any
    withdrawn: Any
    channel: Any


_SPEAKERS, _ORIGINS = frozenset(map(str, Speaker)), frozenset(map(str, Origin))
_ABOUT = frozenset({"cwd", "branch", "developer", "channel"})  # what a turn may say of itself, besides its words


def identify(file: TranscriptFile) -> bool:
    """The first object carries ``afterpass``."""
    return any("afterpass" in record for record in file.objects.first(1))


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The session as the file gives it; turns without ``segments`` are cut into segments here."""
    log = TurnLog()
    records = Records(file, shape=Line)
    header: dict[str, Any] | None = None
    position = 0
    for number, record in records:
        if header is None:
            header = record
            continue
        position += 1
        problem = _turn(log, record, position)
        if problem:
            records.bad.append(BadLine(number, problem))
    if header is None:
        return Skipped(file.path, "empty", "no complete line yet")
    missing = [key for key in ("session", "repo") if not _word(header, key)]
    if missing:
        return Skipped(file.path, "unknown_format", f"the header lacks {' and '.join(missing)}")
    by_program = bool(header.get("automation"))
    if by_program and not automation:
        return Skipped(file.path, "automation", "the header says that a program sent the prompts")
    repo = _word(header, "repo") or ""
    return log.finish(
        file.path,
        agent=_word(header, "agent") or name,
        ident=_word(header, "session") or "",
        repo=owner_key(repo),
        bad=records.bad,
        incomplete=records.incomplete,
        developer=_word(header, "developer"),
        cwd=_word(header, "cwd"),
        branch=_word(header, "branch"),
        started=parse_time(header.get("started")),
        ended=parse_time(header.get("ended")),
        parent=_word(header, "parent"),
        automation=by_program,
    )


_PROGRAM_INITIALS = frozenset("CTOSIABYW[<{")  # most turns of a person begin in another way: no pattern is compiled


def _word(record: dict[str, Any], key: str) -> str | None:
    value = record.get(key)
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _turn(log: TurnLog, record: dict[str, Any], position: int) -> str | None:
    """Add one turn; what is wrong with it when it cannot be added."""
    speaker = record.get("speaker")
    if not isinstance(speaker, str) or speaker not in _SPEAKERS:
        return f"a turn's speaker is one of {', '.join(Speaker)}, not {speaker!r}"
    text, given = record.get("text"), record.get("segments")
    segments = None if given is None else _segments(given)
    if segments is not None:
        text = "".join([part.text for part in segments])
    elif given is not None:
        return "a turn's segments are a list of {origin, text}, with a known origin"
    elif not isinstance(text, str):
        return "a turn has a text or segments"
    ident = _word(record, "id") or str(position)
    if ident in log.seen:
        ident = f"{ident}#{position}"
    time = parse_time(record.get("time"))
    if speaker == "agent":
        log.agent(ident, text, time)
    elif speaker == "tool":
        log.tool(ident, text, time)
    elif speaker == "system":
        log.system(ident, text, time)
    else:
        about = {} if _ABOUT.isdisjoint(record) else {key: word for key in _ABOUT if (word := _word(record, key))}
        words = _cut(log, text) if segments is None else segments
        log.developer(ident, words, time, withdrawn=record.get("withdrawn") is True, **about)
    return None


def _cut(log: TurnLog, text: str) -> tuple[Segment, ...]:
    """A raw turn in segments; one that begins as only programs begin theirs is nobody's words."""
    if text.lstrip()[:1] in _PROGRAM_INITIALS and written_by_program(text):
        return (Segment(Origin.INJECTED, text),)
    return log.cut(text)


def _segments(given: Any) -> tuple[Segment, ...] | None:
    if not isinstance(given, list):
        return None
    segments: list[Segment] = []
    for part in given:
        if (
            not isinstance(part, dict)
            or str(part.get("origin")) not in _ORIGINS
            or not isinstance(part.get("text"), str)
        ):
            return None
        segments.append(Segment(Origin(part["origin"]), part["text"]))
    return tuple(segments)
