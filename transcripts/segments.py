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

_TYPED = Origin.TYPED  # looked up once: most messages are nothing else


def segment(text: str, earlier: Earlier | Iterable[str] | None = None, *, human: bool = True) -> tuple[Segment, ...]:
    """Cut raw developer text into segments whose texts, concatenated, are exactly ``text``.

    ``earlier`` is what agent and tools said before in the session: what comes back from there was copied.
    ``human`` False says that nothing proves a person sent the text: then an unknown tag at its very start makes all of
    it injected.
    """
    if not text:
        return ()
    spans = marked_spans(text, human=human) if has_marks(text) else []
    if len(text) > 16:
        spans = _and_unmarked(text, spans, earlier)
    return _assemble(text, spans) if spans else (Segment(_TYPED, text),)


def _and_unmarked(text: str, spans: list[Span], earlier: Earlier | Iterable[str] | None) -> list[Span]:
    """Look for pastes without a mark in what the marks have left over."""
    memory = earlier if earlier is None or isinstance(earlier, Earlier) else Earlier(earlier)
    found = list(spans)
    for start, end in _gaps(text, spans) if spans else ((0, len(text)),):
        part = text[start:end]
        if part.isspace():
            continue
        inside = memory.copied(part) if memory else []
        if spans or "\n" in part or ":" in part or part.rstrip().endswith((";", "{")):
            from transcripts.pasted import pasted_spans

            below_quote = start > 0 and text[start - 1] == "\n" and text[text.rfind("\n", 0, start - 1) + 1] == ">"
            inside = _union(inside, pasted_spans(part, after_output=below_quote))
        found += [Span(start + a, start + b, Origin.PASTED) for a, b in inside]
    return sorted(found) if found else found


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
