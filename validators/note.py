"""What speaks against keeping a note of a session. A note is loaded into later sessions, so it gets no more trust than
a value: no credential, no order, nothing that a reader cannot see, and nothing that the session does not hold.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from transcripts.secrets import find_secrets
from transcripts.session import Origin, Speaker
from validators.values.instructions import instruction_in, unreadable

if TYPE_CHECKING:
    from extractors.note import SessionNote
    from transcripts.session import Session

LONGEST_NAME = 200  # characters of a file's name
LEAST_SHARE = 0.4
"""Of the note's longer words, the share that the session has to hold, up to their endings."""
FEWEST_WORDS = 4  # with fewer there is no share to speak of
BEGINNING = 5  # letters by which two forms of a word are one
WORD = re.compile(r"[a-z]{4,}")
FILE = re.compile(r"(?<![\w./@-])[\w./@-]*\w{2}\.[a-z]{1,5}(?![\w-])", re.IGNORECASE)
ORDER = re.compile(
    r"(?:^|[.!:;]\s+)(?:please\s+)?(?:always|never|do not|don't|make sure|be sure|ensure|remember to|use|run|avoid"
    r"|(?:this|it|you|we|they) (?:must|should|could|can|may|ha(?:s|ve) to|needs? to)"
    r"|(?:the )?(?:next|future) session)\b",
    re.IGNORECASE,
)


def named_files(note: SessionNote, session: Session) -> SessionNote:
    """The note with those of its files that the session names."""
    said = _said(session)
    return replace(note, files=tuple(name for name in note.files if _is_file(name) and _names(said, name)))


def problem_in(note: SessionNote, session: Session) -> str | None:
    """Why a note is not kept, or None. The reason quotes nothing that was said."""
    if find_secrets(note.text):
        return "it holds a credential"
    if hidden := unreadable(note.text, prose=True):
        return f"it {hidden}"
    if trick := instruction_in(note.text):
        return f"it {trick}"
    if ORDER.search(note.text):
        return "it gives an order or advice"
    said = _said(session)
    if any(not _names(said, name) for name in FILE.findall(note.text)):
        return "it names a file that the session does not"
    return None if _is_of(note.text, said) else "most of its words are not the session's"


def _said(session: Session) -> str:
    """Everything that a person, the agent or a tool said, and nothing that a program put among it."""
    return "\n".join(
        segment.text
        for turn in session.turns
        if not turn.withdrawn and turn.speaker is not Speaker.SYSTEM
        for segment in turn.segments
        if turn.speaker is not Speaker.DEVELOPER or segment.origin is not Origin.INJECTED
    ).casefold()


def _is_file(name: str) -> bool:
    """Whether a name looks like a file's or a folder's: with an ending, a slash, or as build files are called."""
    looks = re.search(r"[./]|(?:file|LICENSE|README)$", name) is not None
    return looks and len(name) <= LONGEST_NAME and not re.search(r"\s", name) and not find_secrets(name)


def _names(said: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", said) is not None


def _is_of(text: str, said: str) -> bool:
    words = {word[:BEGINNING] for word in WORD.findall(text.casefold())}
    known = {word[:BEGINNING] for word in WORD.findall(said)}
    return len(words) < FEWEST_WORDS or len(words & known) >= LEAST_SHARE * len(words)
