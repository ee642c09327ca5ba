"""Finding a quote in a session: in the developer's typed words, in what the developer chose, or somewhere else.

A quote is looked for as it stands before an ellipsis in it is taken for a gap, so that ``go test ./... -race`` is one
piece. The pieces of a quote with gaps must stand in order within one turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from transcripts.lazy import lazy
from transcripts.secrets import PLACEHOLDER, Span, find_secrets
from transcripts.session import Origin, Session, Speaker, Turn
from validators.fold import Folded, fold, fold_text, strip_label, trim
from validators.sentences import Sentence, split_sentences

BARRIER = "\x00"  # stands for what is not typed: no quote reaches across it
GAP = lazy(r"\s?[\[(]?\.{3,}[\])]?\s?")
WORD = lazy(r"[a-z0-9]+")
MARKS = str.maketrans("", "", "`*_~")  # what the fold takes out of the middle of a word
LEAST_FRAGMENT = 8  # folded characters
MOST_FRAGMENTS = 12
MOST_OCCURRENCES = 40  # of one quote in one turn that are worth a look


class Place(StrEnum):
    """Where a quote stands."""

    TYPED = "typed"
    CHOSEN = "chosen"
    ELSEWHERE = "elsewhere"
    NOWHERE = "nowhere"


class Located(NamedTuple):
    """A quote's place: the turn and the half-open span in the turn's text.
    Without a turn it was not found as evidence.
    """

    place: Place
    turn: Turn | None = None
    at: int = -1
    start: int = 0
    end: int = 0
    detail: str = ""


class TurnText:
    """One turn's text, cut by origin, folded when a quote is looked for in it."""

    __slots__ = ("_folded", "_plain", "_secrets", "_sentences", "turn")

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self._folded: dict[tuple[Origin | None, bool], Folded] = {}
        self._sentences: dict[tuple[int, int], list[Sentence]] = {}
        self._secrets: list[Span] | None = None
        self._plain: str | None = None

    @property
    def secrets(self) -> list[Span]:
        """The credentials in the turn's whole text, so that none is missed where two segments meet."""
        if self._secrets is None:
            self._secrets = find_secrets(self.turn.text)
        return self._secrets

    def folded(self, origin: Origin | None, *, redacted: bool = False) -> Folded:
        """The text of one origin folded, with a barrier for everything else; of all origins where ``origin`` is
        None.
        """
        key = (origin, redacted)
        if key not in self._folded:
            self._folded[key] = _join(
                _fold_redacted(text, at) if redacted else fold(text, at) for at, text in self.stretches(origin)
            )
        return self._folded[key]

    def may_hold(self, word: str) -> bool:
        """Whether a quote with this word of plain letters can stand in the turn: a cheap look before it is folded."""
        if self._plain is None:
            text = self.turn.text
            self._plain = text.lower().translate(MARKS) if text.isascii() else ""
        return not self._plain or word in self._plain

    def stretches(self, origin: Origin | None) -> Iterator[tuple[int, str]]:
        """The unbroken stretches of one origin, each with its offset in the turn's text."""
        at = start = 0
        held: list[str] = []
        for segment in self.turn.segments:
            if origin is None or segment.origin is origin:
                start = start if held else at
                held.append(segment.text)
            elif held and segment.text:
                yield start, "".join(held)
                held = []
            at += len(segment.text)
        if held:
            yield start, "".join(held)

    def sentences(self, start: int, text: str) -> list[Sentence]:
        """The sentences of the stretch that begins at ``start``; their offsets count from there."""
        key = (start, len(text))
        if key not in self._sentences:
            self._sentences[key] = split_sentences(text)
        return self._sentences[key]


class SessionText:
    """A session's turns, each folded at most once however many candidates are judged."""

    __slots__ = ("_turns", "session")

    def __init__(self, session: Session) -> None:
        self.session = session
        self._turns: dict[int, TurnText] = {}

    def turn(self, index: int) -> TurnText:
        """The turn at a position of the session."""
        if index not in self._turns:
            self._turns[index] = TurnText(self.session.turns[index])
        return self._turns[index]

    def named(self, turn: str | None) -> int | None:
        """The position of the turn that a candidate names by id or by its 1-based position."""
        if turn is None:
            return None
        for index, found in enumerate(self.session.turns):
            if found.id == turn:
                return index
        if turn.isdecimal() and len(turn) < 10 and 0 < int(turn) <= len(self.session.turns):
            return int(turn) - 1
        return None

    def locate(self, quote: str, turn: str | None) -> list[Located]:
        """The places of the quote as evidence: those of the preferred turn that holds it, of every turn where none is
        named; else one place that says where the quote stands, if anywhere.
        """
        wanted = _Quote(quote)
        if not wanted.whole:
            return [Located(Place.NOWHERE, detail="the quote is empty")]
        named = self.named(turn)
        for place, origin in ((Place.TYPED, Origin.TYPED), (Place.CHOSEN, Origin.CHOSEN)):
            found: list[Located] = []
            for index in self._by_preference(named):
                found += self._places(wanted, index, place, origin)
                if found and named is not None:
                    return found
            if found:
                return found
        return [self._elsewhere(wanted)]

    def _places(self, wanted: _Quote, index: int, place: Place, origin: Origin) -> list[Located]:
        turn = self.turn(index)
        if not turn.may_hold(wanted.word):
            return []
        folded = turn.folded(origin, redacted=wanted.redacted)
        spans = wanted.spans_in(folded.text)
        return [Located(place, turn.turn, index, *folded.span(start, end)) for start, end in spans]

    def _by_preference(self, named: int | None) -> list[int]:
        """Positions of the developer's turns: the named one, then its neighbours outward; unnamed, the latest first."""
        turns = self.session.turns
        positions = [i for i, t in enumerate(turns) if t.speaker is Speaker.DEVELOPER and not t.withdrawn]
        if named is None:
            return positions[::-1]
        return sorted(positions, key=lambda i: (abs(i - named), -i))

    def _elsewhere(self, wanted: _Quote) -> Located:
        for index, turn in enumerate(self.session.turns):
            text = self.turn(index)
            if text.may_hold(wanted.word) and next(iter(wanted.spans_in(text.folded(None).text)), None):
                where = "a withdrawn turn" if turn.withdrawn else f"{_article(turn.speaker)} turn"
                if turn.speaker is Speaker.DEVELOPER and not turn.withdrawn:
                    where = "pasted or injected text"
                return Located(Place.ELSEWHERE, detail=f"only in {where} ({turn.id})")
        return Located(Place.NOWHERE, detail="no turn holds the quote")


class _Quote:
    """A quote folded: whole, and in fragments where it has gaps."""

    __slots__ = ("fragments", "redacted", "whole", "word")

    def __init__(self, quote: str) -> None:
        bare = strip_label(quote).replace(BARRIER, "")
        self.redacted = PLACEHOLDER in quote
        folded = fold_text(bare)
        self.whole = trim(folded)
        pieces = [piece for piece in map(trim, GAP.split(folded)) if piece]
        self.fragments = pieces if 1 < len(pieces) <= MOST_FRAGMENTS and min(map(len, pieces)) >= LEAST_FRAGMENT else []

        self.word = max(WORD.findall(folded.replace(fold_text(PLACEHOLDER), " ")), key=len, default="")

    def spans_in(self, text: str) -> Iterable[tuple[int, int]]:
        """Where the quote stands in a folded text, in folded offsets."""
        whole = list(_occurrences(self.whole, text))
        if whole or not self.fragments:
            return whole
        span = _stretch(self.fragments, text)
        return [span] if span else []


def _occurrences(piece: str, text: str) -> list[tuple[int, int]]:
    """The places of a piece; those that cut no word are preferred, and a short piece must not cut one."""
    clean: list[tuple[int, int]] = []
    cutting: list[tuple[int, int]] = []
    at = text.find(piece)
    while at >= 0 and len(clean) + len(cutting) < MOST_OCCURRENCES:
        end = at + len(piece)
        cuts = _joined(text, at, at - 1) or _joined(text, end - 1, end)
        (cutting if cuts else clean).append((at, end))
        at = text.find(piece, at + 1)
    return clean or (cutting if len(piece) >= LEAST_FRAGMENT else [])


def _joined(text: str, inner: int, outer: int) -> bool:
    """Whether a boundary between two neighbouring characters lies inside a word of a script that parts its words."""
    if not 0 <= outer < len(text):
        return False
    return text[inner].isalnum() and text[outer].isalnum() and text[inner] < "\u2e80" and text[outer] < "\u2e80"


def _stretch(fragments: list[str], text: str) -> tuple[int, int] | None:
    """The shortest stretch that ends where the fragments, taken in order, first all have been seen."""
    at = 0
    for fragment in fragments:
        found = text.find(fragment, at)
        if found < 0:
            return None
        at = found + len(fragment)
    end = start = at
    for fragment in reversed(fragments):
        start = text.rfind(fragment, 0, start)
    return start, end


def _join(parts: Iterable[Folded]) -> Folded:
    """Folded stretches as one, with a barrier between them."""
    held = list(parts)
    if len(held) == 1:
        return held[0]
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for part in held:
        if text and part.text:
            text.append(BARRIER)
            starts.append(ends[-1] if ends else 0)
            ends.append(starts[-1])
        text.append(part.text)
        starts += part.starts
        ends += part.ends
    return Folded("".join(text), starts, ends)


def _fold_redacted(text: str, at: int) -> Folded:
    """A stretch folded as its redacted form reads; the placeholder leads back to the credential."""
    parts: list[Folded] = []
    done = 0
    placeholder = fold_text(PLACEHOLDER)
    for span in find_secrets(text):
        parts.append(fold(text[done : span.start], at + done))
        parts.append(Folded(placeholder, [at + span.start] * len(placeholder), [at + span.end] * len(placeholder)))
        done = span.end
    parts.append(fold(text[done:], at + done))
    return Folded(
        "".join(p.text for p in parts), [s for p in parts for s in p.starts], [e for p in parts for e in p.ends]
    )


def _article(speaker: Speaker) -> str:
    return f"an {speaker}" if speaker is Speaker.AGENT else f"a {speaker}"
