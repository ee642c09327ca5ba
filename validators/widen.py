"""A quote widened to the sentences it stands in, and the commands that a sentence introduces."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from transcripts.lazy import lazy
from transcripts.session import Origin

if TYPE_CHECKING:
    from validators.locate import TurnText
    from validators.sentences import Sentence
    from validators.view import View

FENCE = lazy(r"\s*(?:```|~~~)[^\n`]*\n(?P<body>.*?)(?:\n\s*(?:```|~~~)\s*)?$", re.DOTALL)
DIRECTS = lazy(
    r"\b(?:run|runs|running|use|using|do|execute|command|always|call|invoke|type|with|via|is|are|works? like"
    r"|like this|this way|as follows)\b"
    r"|ausführen|verwende|nutze|ejecuta|usa|utilise|lance|execute|rode|用|执行|运行|実行",
    re.IGNORECASE,
)
TAIL_WORDS = 8  # of a continuation behind a fence
MOST_LINES = 12  # of a fence that is taken for commands


class Widened(NamedTuple):
    """The sentences of a quote: their verbatim text, the quote's span in it, their spans in the turn, their
    neighbours.
    """

    text: str
    focus: tuple[int, int] | None
    spans: tuple[tuple[int, int], ...]
    before: str
    after: str


def widen(turn: TurnText, origin: Origin, start: int, end: int) -> Widened:
    """The quote [start, end) of a turn with the whole sentences that it touches.

    A list item brings its introduction; a sentence that introduces a fence brings a short continuation behind the
    fence. A quote with a gap may reach over several stretches of typed words: each gives its sentences.
    """
    stretches = [(at, text) for at, text in turn.stretches(origin) if at < end and at + len(text) > start]
    spans: list[tuple[int, int]] = []
    before = after = ""
    for at, text in stretches:
        sentences = turn.sentences(at, text)
        touched = [i for i, s in enumerate(sentences) if s.start + at < end and s.end + at > start]
        if not touched:
            continue
        first, last = touched[0], touched[-1]
        intro = sentences[first].intro
        if intro and intro[0] + at < start:
            spans.append((intro[0] + at, intro[1] + at))
        spans.append((sentences[first].start + at, sentences[last].end + at))
        before = before or (_cut(text, sentences[first - 1]) if first else "")
        after = _cut(text, sentences[last + 1]) if last + 1 < len(sentences) else ""
    if not spans:
        spans = [(start, end)]
    whole = turn.turn.text
    tail = _tail(turn, origin, spans[-1][1])
    if tail:
        spans.append(tail)
    return _composed(whole, start, end, spans, before, after)


def _composed(whole: str, start: int, end: int, spans: list[tuple[int, int]], before: str, after: str) -> Widened:
    text = ""
    focus_start = focus_end = None
    for first, last in spans:
        offset = len(text) + bool(text)
        if focus_start is None and last > start and first <= start:
            focus_start = offset + start - first
        if first < end:
            focus_end = offset + min(end, last) - first
        text = f"{text}\n{whole[first:last]}" if text else whole[first:last]
    focus = (focus_start or 0, focus_end or len(text))
    return Widened(text, focus, tuple(spans), before, after)


def _cut(text: str, sentence: Sentence) -> str:
    return text[sentence.start : sentence.end]


def _tail(turn: TurnText, origin: Origin, end: int) -> tuple[int, int] | None:
    """A short continuation in lower case behind the fence that the sentence ending at ``end`` introduces."""
    stretches = list(turn.stretches(origin))
    for (at, text), (next_at, next_text) in pairwise(stretches):
        if at <= end <= at + len(text) and not text[end - at :].strip():
            sentences = turn.sentences(next_at, next_text)
            if not sentences:
                return None
            first = sentences[0]
            words = _cut(next_text, first)
            if words[:1].islower() and len(words.split()) <= TAIL_WORDS and not words.endswith("?"):
                return first.start + next_at, first.end + next_at
    return None


def introduced_commands(view: View) -> list[str]:
    """The commands of the fence that the view's sentence introduces ("always run this:"), in order."""
    turn = view.turn
    if turn is None:
        return []
    ends = [last for _, last in view.widened.spans]
    at = 0
    for segment, following in pairwise(turn.segments):
        stop = at + len(segment.text)
        introduces = segment.origin is Origin.TYPED and any(
            at < end <= stop and not segment.text[end - at :].strip() for end in ends
        )
        if introduces and following.origin is Origin.PASTED and _directs(view, segment.text[-400:]):
            return _commands(following.text)
        at = stop
    return []


def _directs(view: View, words: str) -> bool:
    return view.reading.standing is not None or bool(DIRECTS.search(words))


def _commands(pasted: str) -> list[str]:
    """The lines of a fence, or the only line of another paste, without prompts and comments."""
    fence = FENCE.match(pasted)
    body = fence["body"] if fence else pasted
    lines = [re.sub(r"^\s*[$>%]\s+", "", line).strip() for line in body.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if fence is None and len(lines) != 1:
        return []
    return lines if len(lines) <= MOST_LINES else []
