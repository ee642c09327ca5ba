"""Claude Code's ``history.jsonl``: every prompt of every session, read where the session's own file is gone.

Files of sessions are deleted after 30 days, and some are never written. Of those only what was typed is left.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from transcripts.claude_code.queue import command_words
from transcripts.database import only_one
from transcripts.dialogue import Dialogue
from transcripts.jsonl import Records
from transcripts.session import Session, Skipped
from transcripts.turnlog import content_id, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from transcripts.file import TranscriptFile

name = "claude-code"
RESTS = timedelta(days=1)
"""A session whose last prompt is younger, next to the newest one of the file, may still get a file of its own."""

_Prompts = list[tuple[dict[str, Any], "datetime"]]


def identify(file: TranscriptFile) -> bool:
    """Lines with what the input field held, and whose session it went to."""
    return any(
        record.keys() >= {"display", "sessionId", "project"} and "type" not in record
        for record in file.objects.first(3)
    )


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The only session of which nothing else is left."""
    return only_one(file.path, f"{name} history", read_all(file, automation=automation))


def read_all(file: TranscriptFile, *, automation: bool = False, only: str | None = None) -> Iterator[Session | Skipped]:
    """Every session that has no file and is over, in the order in which they began; or the ``only`` one of that id.

    A prompt without a session or a time belongs to none.
    """
    sessions: dict[str, _Prompts] = {}
    for _, record in Records(file):
        ident, time = record.get("sessionId"), parse_time(record.get("timestamp"))
        if isinstance(ident, str) and ident and time is not None:
            sessions.setdefault(ident, []).append((record, time))
    newest = max((time for prompts in sessions.values() for _, time in prompts), default=None)
    kept = _with_a_file(file.path.parent / "projects") if only is None else frozenset[str]()
    told = False
    for ident, prompts in sessions.items():
        over = newest is not None and newest - max(time for _, time in prompts) >= RESTS
        if only == ident or (only is None and over and ident not in kept):
            told = True
            yield _session(file.path, ident, prompts)
    if not told and only is None:
        yield Skipped(file.path, "not_a_session", "a history of prompts; each session that is over has its own file")


def _with_a_file(projects: Path) -> frozenset[str]:
    """The ids of the sessions that lie in the folders of projects."""
    found: set[str] = set()
    for folder in _entries(projects):
        found.update(entry.name.partition(".jsonl")[0] for entry in _entries(folder) if ".jsonl" in entry.name)
    return frozenset(found)


def _entries(folder: Path | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _session(path: Path, ident: str, prompts: _Prompts) -> Session | Skipped:
    talk = Dialogue(name)
    talk.ident = ident
    last = ""
    for record, time in prompts:
        text, where = record.get("display"), record.get("project")
        if not isinstance(text, str) or text == last:
            continue  # taken back into the field and sent once more
        last = text
        talk.cwd = where if isinstance(where, str) and where else talk.cwd
        for pasted in _pastes(record.get("pastedContents")):
            talk.log.earlier.add(pasted)
        if text.startswith("!"):
            continue  # a shell's line
        channel = "command_args" if command_words(text) is not None else "prompt"
        talk.developer(text, time, native=content_id(ident, time.isoformat(), text), channel=channel, human=False)
    session = talk.session(path, remains=True)
    if isinstance(session, Skipped) and session.code == "empty":
        return Skipped(path, "empty", "only commands were typed in this session")
    return session


def _pastes(contents: Any) -> Iterator[str]:
    """What was pasted into a prompt, as far as it was short enough to be kept beside it."""
    for paste in contents.values() if isinstance(contents, dict) else ():
        content = paste.get("content") if isinstance(paste, dict) else None
        if isinstance(content, str):
            yield content
