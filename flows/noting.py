"""The note of one session, beside its facts: a note that fails costs the note, never the facts, and says why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from extractors.errors import ExtractorError

if TYPE_CHECKING:
    from extractors.embedding import Embedder
    from extractors.interface import Call
    from extractors.note import NoteWriter, SessionNote
    from transcripts.session import Session


@dataclass(frozen=True, slots=True)
class Noted:
    """The note to keep, and what went wrong with it or with its embedding. Both are None where none was asked for."""

    note: SessionNote | None = None
    problem: str | None = None
    calls: tuple[Call, ...] = ()


def write_note(
    session: Session, writer: NoteWriter, embedder: Embedder | None, *, first_turn: int = 0, earlier: str = ""
) -> Noted:
    """Ask for the session's note and keep it where nothing speaks against it. Raises nothing that a model can cause."""
    from validators.note import named_files, problem_in

    try:
        written = writer.write(session, first_turn=first_turn, earlier=earlier)
    except ExtractorError as error:
        return Noted(problem=f"{error.step}: {error.error}", calls=error.calls)
    if written.note is None:
        return Noted()
    if problem := problem_in(written.note, session):
        return Noted(problem=f"check: {problem}", calls=written.calls)
    return _embedded(Noted(named_files(written.note, session), None, written.calls), embedder)


def _embedded(noted: Noted, embedder: Embedder | None) -> Noted:
    """With the vector of its text where a model for that is configured; without one it is found by its words."""
    if embedder is None or noted.note is None:
        return noted
    try:
        vector = embedder.embed([noted.note.text])[0]
    except ExtractorError as error:
        return replace(noted, problem=f"embedding: {error.error}")
    return replace(noted, note=replace(noted.note, embedding=vector, embedding_model=embedder.model))
