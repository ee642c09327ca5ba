"""What a model gets to see of a session: the developer's typed words, numbered, and as little else as they need.

Credentials are taken out before anything is cut. Tool output never enters; of the agent only the end of what it said
just before, where the developer may have answered it, marked as context. A session that does not fit is cut at turn
boundaries, a turn that does not fit at sentence boundaries.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extractors.cues.sentences import sentences
from transcripts.secrets import redact
from transcripts.session import Origin, Segment, Session, Speaker, Turn

CHARS_PER_TOKEN = 3.0  # English prose has about 4, paths and code about 3
TOKENS_PER_WIDE_CHAR = 1.5  # other scripts cost one to two tokens a character
AGENT_CUT = 280  # characters of the agent's last words: enough for a question
EARLIER_CUT = 160  # characters of an earlier developer turn, so that "that one" has something to point at
SHORT_ANSWER = 8  # words; a longer turn says by itself what it is about, unless the agent asked something
LINE_CUT = 600  # characters of a turn in a digest
END_CUT = 1200  # characters of the agent's last words in a digest
LEAST_PIECE = 200  # a window is never cut smaller than this many characters
LEFT_OUT = "[pasted text left out]"
GAP = "[...]"
WORD = re.compile(r"\w{2}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A developer turn, or a part of a long one. ``context`` is shown before it and is never quoted."""

    alias: int
    turn: str
    text: str
    context: tuple[str, ...] = ()

    @property
    def rendered(self) -> str:
        """The lines of the prompt, one for each sentence: a small model reads the first of a long line and stops."""
        said = "\n    ".join(" ".join(sentence.text.split()) for sentence in sentences(self.text))
        return "\n".join((*self.context, f"[{self.alias}] {said}"))


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces that are shown together. ``earlier`` holds typed words from before the first new turn: context only."""

    pieces: tuple[Piece, ...]
    earlier: str = ""

    @property
    def rendered(self) -> str:
        """The session's part of the prompt."""
        return "\n".join(piece.rendered for piece in self.pieces)

    def halves(self) -> tuple[Window, Window] | None:
        """The window as two smaller ones; None where it cannot be cut any further."""
        if len(self.pieces) > 1:
            middle = len(self.pieces) // 2
            return Window(self.pieces[:middle], self.earlier), Window(self.pieces[middle:], self.earlier)
        piece = next(iter(self.pieces))
        if len(piece.text) < 2 * LEAST_PIECE:
            return None
        texts = list(_cut(piece.text, math.ceil(len(piece.text) / 2)))
        first = Piece(piece.alias, piece.turn, texts[0], piece.context)
        rest = tuple(Piece(piece.alias, piece.turn, text) for text in texts[1:])
        return Window((first,), self.earlier), Window(rest, self.earlier)


def estimate_tokens(text: str) -> int:
    """How many tokens ``text`` may cost, on the high side: no tokenizer is at hand that fits every model."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return math.ceil(plain / CHARS_PER_TOKEN + (len(text) - plain) * TOKENS_PER_WIDE_CHAR)


def windows(session: Session, *, tokens: int, first_turn: int = 0) -> list[Window]:
    """The session in windows of at most ``tokens`` tokens; none where the developer typed no word.

    ``first_turn`` is an index into ``session.turns``: turns before it are shown as context at most.
    """
    earlier = "\n".join(typed_words(turn) for turn in session.turns[:first_turn] if _developer(turn))
    found: list[Window] = []
    pieces: list[Piece] = []
    size = 0
    for piece in _pieces(session, first_turn, tokens):
        cost = estimate_tokens(piece.rendered) + 2
        if pieces and size + cost > tokens:
            found.append(Window(tuple(pieces), earlier))
            pieces, size = [], 0
        pieces.append(piece)
        size += cost
    return [*found, Window(tuple(pieces), earlier)] if pieces else found


def digest(session: Session, *, tokens: int, first_turn: int = 0) -> str:
    """What was typed from ``first_turn`` on, a line for each turn, and the agent's last words after it.

    Of a long session the middle is left out. Empty where no word was typed, and where nothing was answered: then there
    is nothing to tell.
    """
    lines: list[str] = []
    last = ""  # the agent's words since the last typed ones
    for turn in session.turns[first_turn:]:
        if turn.speaker is Speaker.AGENT and not turn.withdrawn:
            last = " ".join(redact(turn.text).split()) or last
        elif _developer(turn) and WORD.search((said := " ".join(typed_words(turn).split())).replace(LEFT_OUT, "")):
            lines += [f"agent: {last[:AGENT_CUT]}"] if lines and last else []
            lines.append(f"developer: {said[:LINE_CUT]}")
            last = ""
    lines += [f"agent, at the end: {last[:END_CUT]}"] if lines and last else []
    if not any(line.startswith("agent") for line in lines):
        return ""
    costs = [estimate_tokens(line) + 2 for line in lines]
    whole = len(lines)
    while len(lines) > 3 and sum(costs) > tokens - estimate_tokens(GAP):
        del lines[len(lines) // 2], costs[len(costs) // 2]
    if len(lines) < whole:
        lines.insert(len(lines) // 2, GAP)
    return "\n".join(lines)


def _pieces(session: Session, first_turn: int, tokens: int) -> Iterator[Piece]:
    alias = 0
    before: list[str] = []  # what was said since the last developer turn, and the last turn of a session read before
    for index, turn in enumerate(session.turns):
        if turn.speaker is Speaker.AGENT and not turn.withdrawn:
            before = [line for line in before if line.startswith("(earlier")]
            before.append(_context("(agent, context only)", redact(turn.text), AGENT_CUT))
        if not _developer(turn):
            continue
        text = typed_words(turn)
        if not WORD.search(text.replace(LEFT_OUT, "")):
            continue
        if index < first_turn:
            before = [_context("(earlier, context only)", text, EARLIER_CUT)]
            continue
        alias += 1
        context = tuple(line for line in before if "?" in line or len(text.split()) <= SHORT_ANSWER)
        room = max(LEAST_PIECE, int((tokens - estimate_tokens("".join(context)) - 8) * CHARS_PER_TOKEN * 0.9))
        for part in _cut(text, room) if estimate_tokens(text) > tokens - 8 else [text]:
            yield Piece(alias, turn.id, part, context)
            context = ()
        before = []


def _developer(turn: Turn) -> bool:
    return turn.speaker is Speaker.DEVELOPER and not turn.withdrawn


def _context(mark: str, text: str, limit: int) -> str:
    """The end of ``text`` on one line: a question stands at the end."""
    line = " ".join(text.split())
    return f"{mark} {line if len(line) <= limit else '… ' + line[-limit:].split(' ', 1)[-1]}"


def typed_words(turn: Turn) -> str:
    """The typed and chosen words of a turn, with a mark where pasted text stood."""
    parts: list[str] = []
    for segment in turn.segments:
        if segment.origin in {Origin.TYPED, Origin.CHOSEN}:
            parts.append(_shown(segment))
        elif segment.origin is Origin.PASTED and (not parts or parts[-1] != LEFT_OUT):
            parts.append(LEFT_OUT)
    return "\n".join(part for part in parts if part.strip())


def _shown(segment: Segment) -> str:
    text = redact(segment.text).strip()
    return f"chosen from the agent's options: {text}" if segment.origin is Origin.CHOSEN and text else text


def _cut(text: str, limit: int) -> Iterator[str]:
    """``text`` in stretches of about ``limit`` characters: cut between sentences, else between words."""
    start = last = 0
    for end in [*_ends(text, limit), len(text)]:
        if end - start > limit and last > start:
            yield text[start:last].strip()
            start = last
        last = end
    if text[start:].strip():
        yield text[start:].strip()


def _ends(text: str, limit: int) -> Sequence[int]:
    """Where ``text`` may be cut: behind every sentence, and within a sentence that is longer than ``limit``."""
    ends: list[int] = []
    for sentence in sentences(text):
        at = sentence.start
        while sentence.end - at > limit:
            space = text.rfind(" ", at, at + limit)
            at = space if space > at else at + limit
            ends.append(at)
        ends.append(sentence.end)
    return ends
