"""Cursor's older agent transcripts: ``~/.cursor/projects/<slug>/agent-transcripts/<id>.txt``, plain text.

A line ``user:`` opens the developer's part, ``assistant:`` or ``A:`` the agent's. Both may stand in anybody's text as
well, so a part is the developer's only where it can be nothing else.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from transcripts.cursor import ident_of, time_of, words_of
from transcripts.dialogue import Dialogue
from transcripts.jsonl import BLANK
from transcripts.programs import of_sub_agent
from transcripts.session import Skipped
from transcripts.turnlog import content_id

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "cursor"


def identify(file: TranscriptFile) -> bool:
    """The developer's line first, and then a tag."""
    start = file.head[:4096].lstrip(BLANK)
    return start.startswith(b"user:") and bool(re.match(rb"user:[ \t]*\r?\n\s*<[a-z_]+>", start))


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The words stand in ``<user_query>``, as in the newer files."""
    if of_sub_agent(file.path):
        return Skipped(file.path, "sub_agent", f"every prompt of this {name} file was written by an agent")
    if _newer(file.path):
        return Skipped(file.path, "not_a_session", "the newer file of this conversation lies beside it")
    talk = Dialogue(name)
    talk.ident = ident_of(file.path)
    text = file.read().decode("utf-8", "replace").removeprefix("\ufeff").replace("\x00", "").replace("\r\n", "\n")
    for part in _parts(text):
        if part.who == "user":
            talk.ident = talk.ident or content_id("cursor", part.text)
            talk.developer(part.text, time_of(part.text), segments=words_of(talk, part.text))
        elif part.who == "agent":
            talk.agent(part.text)
            ran = _ran_in().search(part.text)
            talk.cwd = talk.cwd or (ran[1] if ran else None)
        else:
            talk.system(part.text)
    return talk.session(file.path)


def _newer(path: Path) -> bool:
    """Whether the same conversation lies here in lines of JSON too."""
    name = f"{path.stem}.jsonl"
    return bool(ident_of(path)) and any((folder / name).is_file() for folder in (path.parent, path.parent / path.stem))


class _Part(NamedTuple):
    who: str  # user, agent, or "" where nobody can say
    text: str


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(r"^(?P<role>user|assistant|A):[ \t]*$|<(?P<closing>/?)user_query>", re.MULTILINE)


def _parts(text: str) -> list[_Part]:
    """Each speaker's part. The developer's ends at the agent's line, once every query in it is closed.

    One that is never closed ends the file: what looks like the agent's answer may be a transcript that was pasted.
    """
    found: list[_Part] = []
    who, at, depth, closed, sure = "", 0, 0, False, True
    for mark in _marks().finditer(text):
        role = mark["role"]
        if role is None:
            if who == "user":
                depth += -1 if mark["closing"] else 1
                closed = closed or depth == 0
        elif who == "user":
            if role != "user" and depth <= 0 and closed:
                found.append(_Part("user" if sure else "", text[at : mark.start()].strip()))
                who, at = "agent", mark.end()
        elif role != "user" or _opens_query(text, mark.end()):
            before = text[at : mark.start()]
            if role == "user" and who:
                if before.count("\n```") % 2:
                    continue
                sure = sure and not _in_output(before)
            found.append(_Part(who, before.strip()))
            who, at, depth, closed = ("user" if role == "user" else "agent"), mark.end(), 0, False
    whole = who != "user" or (closed and depth <= 0 and sure)
    found.append(_Part(who if whole else "", text[at:].strip()))
    return [part for part in found if part.text]


def _opens_query(text: str, at: int) -> bool:
    """Whether a tag follows directly: ``user:`` alone is also a key of many a file."""
    return bool(re.compile(r"\s*<[a-z_]+>").match(text, at))


@cache
def _tool() -> re.Pattern[str]:
    return re.compile(r"^\[(Tool call|Tool result|Thinking)\].*$", re.MULTILINE)


@cache
def _ran_in() -> re.Pattern[str]:
    """Where a shell command of the agent ran."""
    return re.compile(r"^\[Tool call\] \w+\n(?:[ \t]+\S.*\n)*?[ \t]+working_directory: (\S.*)$", re.MULTILINE)


def _in_output(text: str) -> bool:
    """Whether an agent's part ends in what a tool was given or gave back, which may be another transcript."""
    marks = list(_tool().finditer(text))
    if not marks or marks[-1][1] == "Thinking":
        return False
    rest = text[marks[-1].end() :]
    if marks[-1][1] == "Tool call":
        return any(line.strip() and not line.startswith((" ", "\t")) for line in rest.split("\n"))
    return bool(rest.strip())
