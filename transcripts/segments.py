"""Typed, pasted, injected: who wrote each stretch of a developer's message.

Three kinds of proof, from the surest to the least sure: marks (tags, fences, quotes), text that the session has already
held, and the look of lines. What none of them claims was typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.earlier import Earlier
from transcripts.marks import Span, has_marks, marked_spans
from transcripts.session import Origin, Segment

if TYPE_CHECKING:
    from collections.abc import Iterable

_TYPED, _PASTED = Origin.TYPED, Origin.PASTED  # looked up once: most messages are nothing but typed
_TOO_SHORT = 16  # characters: no paste without a mark is that short


def segment(text: str, earlier: Earlier | Iterable[str] | None = None, *, human: bool = True) -> tuple[Segment, ...]:
    """Cut raw developer text into segments whose texts, concatenated, are exactly ``text``.

    ``earlier`` is what agent and tools said before in the session: what comes back from there was copied.
    ``human`` False says that nothing proves a person sent the text: then an unknown tag at its very start makes all of
    it injected.
    """
    if not text:
        return ()
    memory = earlier if earlier is None or isinstance(earlier, Earlier) else Earlier(earlier)
    spans = marked_spans(text, human=human) if has_marks(text) else []
    if spans:
        spans = _and_between(text, spans, memory)
    elif len(text) > _TOO_SHORT:
        spans = [Span(start, end, _PASTED) for start, end in _unmarked(text, memory)]
    return _assemble(text, spans) if spans else (Segment(_TYPED, text),)


def _and_between(text: str, spans: list[Span], memory: Earlier | None) -> list[Span]:
    """Look for pastes without a mark in what the marks have left over."""
    found = list(spans)
    for start, end in _gaps(text, spans) if len(text) > _TOO_SHORT else ():
        part = text[start:end]
        if not part.isspace():
            below_quote = start > 0 and text[start - 1] == "\n" and text[text.rfind("\n", 0, start - 1) + 1] == ">"
            pastes = _union(memory.copied(part) if memory else [], _looks_pasted(part, after_output=below_quote))
            found += [Span(start + a, start + b, _PASTED) for a, b in pastes]
    return sorted(found)


def _unmarked(text: str, memory: Earlier | None) -> list[tuple[int, int]]:
    """The pastes in a text that holds no mark at all; a single line of nothing but words cannot look pasted."""
    copied = memory.copied(text) if memory else []
    if "\n" in text or ":" in text or text.rstrip().endswith((";", "{")):
        return _union(copied, _looks_pasted(text))
    return copied


def _looks_pasted(text: str, *, after_output: bool = False) -> list[tuple[int, int]]:
    from transcripts.pasted import pasted_spans  # here: most sessions hold no such text, and its patterns are many

    return pasted_spans(text, after_output=after_output)


def _union(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(some + others):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _gaps(text: str, spans: list[Span]) -> list[tuple[int, int]]:
    gaps: list[tuple[int, int]] = []
    at = 0
    for span in spans:
        if span.start > at:
            gaps.append((at, span.start))
        at = span.end
    if at < len(text):
        gaps.append((at, len(text)))
    return gaps


def _assemble(text: str, spans: list[Span]) -> tuple[Segment, ...]:
    """Segments in order; white space or lone punctuation between them belongs to the stretch before it."""
    pieces: list[tuple[Origin, int, int]] = []

    def put(origin: Origin, start: int, end: int) -> None:
        if start >= end:
            return
        if pieces and origin is Origin.TYPED and not any(map(str.isalnum, text[start:end])):
            origin = pieces[-1][0]
        if pieces and pieces[-1][0] is origin:
            pieces[-1] = (origin, pieces[-1][1], end)
        else:
            pieces.append((origin, start, end))

    at = 0
    for span in spans:
        put(Origin.TYPED, at, span.start)
        put(span.origin, max(at, span.start), span.end)
        at = max(at, span.end)
    put(Origin.TYPED, at, len(text))
    if len(pieces) > 1 and pieces[0][0] is Origin.TYPED and not any(map(str.isalnum, text[: pieces[0][2]])):
        pieces[:2] = [(pieces[1][0], 0, pieces[1][2])]
    return tuple(Segment(origin, text[start:end]) for origin, start, end in pieces)
