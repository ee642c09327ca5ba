"""Messages that a tool kept of several agents, and whose it does not always name: the rules of all of them apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.claude_code.origin import unwrapped
from transcripts.codex import words as codex
from transcripts.programs import REFERENCED, written_by_program
from transcripts.queries import query_span
from transcripts.session import Origin, Segment

if TYPE_CHECKING:
    from transcripts.dialogue import Dialogue


def words_of(talk: Dialogue, text: str) -> tuple[Segment, ...] | None:
    """The segments of a message in the user's name, or None where a program wrote all of it."""
    if written_by_program(text) or codex.written_by_program(text):
        return None
    inside = unwrapped(text)
    if inside is not None:
        return talk.typed_inside(text, *inside)
    start = codex.words_begin(text)
    query = query_span(text)
    if query is not None:
        start, end = query
    else:
        referenced = text.find(REFERENCED, start)
        end = referenced if referenced >= 0 else len(text)
    words = talk.words(text[start:end], human=False)
    return (Segment(Origin.INJECTED, text[:start]), *words, Segment(Origin.INJECTED, text[end:]))
