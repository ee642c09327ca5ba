"""A short note about one session, written by a model: what was wanted, what came of it, which files.

A note is for searching past sessions. It is never evidence for a fact, and nothing of it is believed before
:mod:`validators.note` has seen it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from extractors.conversation import LEAST_ROOM, Conversation, ModelClient
from extractors.errors import ContextTooLong, ExtractorError
from extractors.prompt import note_messages
from extractors.replies import UnusableReply, parse_object
from extractors.windows import digest
from transcripts.session import Speaker

if TYPE_CHECKING:
    from extractors.interface import Call
    from extractors.retrying import RetryPolicy
    from transcripts.session import Session

VERSION = "note-v1"
REPLY_TOKENS = 400  # what is kept free for the reply: a note of full length with twenty files
LONGEST = 400  # characters
MOST_FILES = 20
LEAST, MOST = 1, 10  # the scale of importance
SENTENCE_END = re.compile(r"[.!?](?=\s)|[\u3002\uff01\uff1f]")


class Outcome(StrEnum):
    """What came of what was wanted."""

    DONE = "done"
    PARTLY = "partly"
    FAILED = "failed"
    ANSWERED = "answered"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class SessionNote:
    """A note: ``text`` of at most LONGEST characters on one line, at most MOST_FILES ``files``, ``importance`` 1 to 10.

    ``embedding`` is the text's vector by ``embedding_model``, None where no such model is configured.
    """

    text: str
    outcome: Outcome
    files: tuple[str, ...] = ()
    importance: int = LEAST
    embedding: tuple[float, ...] | None = None
    embedding_model: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote, and the calls it took. ``note`` is None where nothing was typed, or nothing answered."""

    note: SessionNote | None
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteWriter:
    """Writes notes with the model behind ``client``: one call for a session, a note is not worth a second one."""

    client: ModelClient
    retry: RetryPolicy

    def write(self, session: Session, *, first_turn: int = 0, earlier: str = "") -> Written:
        """The note of a session. Of one that was noted before, the turns from ``first_turn`` on and that ``earlier``
        note are read: what was forgotten since stays forgotten.

        Raises ExtractorError with the calls that were made.
        """
        if not any(turn.speaker is Speaker.DEVELOPER for turn in session.turns[first_turn:]):
            return Written(None)
        asking = Conversation(self.client, self.retry, VERSION, SCHEMA, REPLY_TOKENS, "note", asks=1)
        ask = partial(note_messages, session=session, earlier=earlier, version=VERSION)
        try:
            room = asking.room(ask(""))
            while said := digest(session, tokens=room, first_turn=first_turn):
                try:
                    return Written(asking.answer(ask(said), parse_note), tuple(asking.calls))
                except ContextTooLong:
                    room //= 2
                    if room < LEAST_ROOM:
                        raise
        except ExtractorError as error:
            error.calls = tuple(asking.calls)
            raise
        return Written(None)


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "note": {"type": "string"},
        "outcome": {"type": "string", "enum": [outcome.value for outcome in Outcome]},
        "files": {"type": "array", "items": {"type": "string"}},
        "importance": {"type": "integer"},
    },
    "required": ["note", "outcome", "files", "importance"],
    "additionalProperties": False,
}


def parse_note(reply: str) -> SessionNote:
    """The note in a reply. Raises UnusableReply, which says what is wrong with it."""
    given = parse_object(reply, "note")
    text = _whole_sentences(_line(given["note"]))
    if not text:
        raise UnusableReply(f"its note is empty, or its first sentence has more than {LONGEST} characters")
    files = given.get("files") or []
    if not isinstance(files, list):
        raise UnusableReply("its files are no list")
    named = dict.fromkeys(name for name in map(_line, files) if name)
    return SessionNote(text, _outcome(given.get("outcome")), tuple(named)[:MOST_FILES], _importance(given))


def _line(given: object) -> str:
    """A text on one line, without characters that nobody sees; empty for what is no text."""
    if not isinstance(given, str):
        return ""
    seen = (" " if char.isspace() else char for char in given)
    return " ".join("".join(char for char in seen if unicodedata.category(char)[0] != "C").split())


def _whole_sentences(text: str) -> str:
    """As many whole sentences as fit into a note."""
    if len(text) <= LONGEST:
        return text
    ends = [found.end() for found in SENTENCE_END.finditer(text[: LONGEST + 1]) if found.end() <= LONGEST]
    return text[: ends[-1]] if ends else ""


def _outcome(given: object) -> Outcome:
    try:
        return Outcome(_line(given).casefold())
    except ValueError:
        raise UnusableReply(f"its outcome is none of {', '.join(Outcome)}") from None


def _importance(given: dict[str, Any]) -> int:
    try:
        number = float(given["importance"])
    except (KeyError, TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise UnusableReply(f"its importance is no number from {LEAST} to {MOST}")
    return round(min(max(number, LEAST), MOST))
