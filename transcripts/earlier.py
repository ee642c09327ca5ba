"""What the session has already said: text that comes back in a developer's message was copied, not typed.

Compared without white space, back-ticks and Markdown, because people copy from a rendered and re-wrapped screen.
Texts are compared in blocks of 32 bytes, at every place of one text and every 32nd of the other: a copied run of at
least 63 bytes always contains such a block, even when the first 31 places are left out. A few blocks are searched for,
more of them are looked up in an index, so that the work stays linear in both texts.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, chain
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

BLOCK = 32
_ONE, _MANY = Struct(f"{BLOCK}s"), Struct(f"{BLOCK}s" * 32)
SHORTEST = 2 * BLOCK - 1  # bytes of folded text: about twelve English words
_GENERATION = 2_000_000  # bytes of folded text in each of the two generations that are remembered

_WORTH_AN_INDEX = 8  # blocks looked for: searching for one is that much faster than indexing the same text
_SHORT = 16_000  # bytes of folded text: searching them is faster than looking up every place of a message

_EDGE = 8  # a run reaches a few bytes into what stands around it in both texts: a colon, a full stop

# White space, Markdown, quotes; and in UTF-8 the lead byte of typography, arrows and boxes with all continuation bytes:
# what is left of other letters is their lead byte, which is proof enough over a run of this length.
_DROPPED = b" \t\r\n\x0b\x0c`*_#>|~-\"'\xe2" + bytes(range(0x80, 0xC0))
_LOWER = bytes(range(256)).lower()


def fold(text: str) -> bytes:
    """The text's bytes without everything that a screen adds or takes away."""
    return text.encode("utf-8", "replace").translate(_LOWER, _DROPPED)


class Earlier:
    """Agent text, tool output and pastes of the session so far, and apart from them the developer's own words."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        """``texts`` are what the agent and its tools have said before."""
        self._pending: list[str] = [text for text in texts if len(text) >= SHORTEST]
        self._waiting = sum(map(len, self._pending))
        self._recent = bytearray()  # folded, but not yet worth an index
        self._searched = 0  # blocks that were looked for in it
        self._blocks: dict[bytes, bytes] = {}
        self._older: dict[bytes, bytes] = {}
        self._size = 0
        self._own: list[str] = []
        self._own_folded = b""

    def add(self, text: str) -> None:
        """Something that the developer did not type. Costs nothing until a message is compared with it."""
        if len(text) < SHORTEST:  # no character is folded into more than one byte
            return
        self._pending.append(text)
        self._waiting += len(text)
        if self._waiting > 4 * _GENERATION:  # nobody pastes from that far back
            self._pending = self._pending[len(self._pending) // 2 :]
            self._waiting = sum(map(len, self._pending))

    def add_own(self, text: str) -> None:
        """Words that the developer typed: what an agent repeats of them stays the developer's."""
        self._own.append(text)

    def copied(self, text: str) -> list[tuple[int, int]]:
        """The stretches of ``text`` that were copied from earlier text, as character spans, at word boundaries."""
        if len(text) < SHORTEST or not (self._pending or self._recent or self._blocks):
            return []
        folded = fold(text)
        if len(folded) < SHORTEST:
            return []
        self._take_up((len(folded) - BLOCK + 1) // BLOCK)
        hits = self._hits(folded)
        if not hits:
            return []
        runs = _runs(folded, hits)
        if self._own:
            self._own_folded += b"\n" + b"\n".join(fold(own) for own in self._own)
            self._own.clear()
        runs = [run for run in runs if folded[run[0] + _EDGE : run[1] - _EDGE] not in self._own_folded]
        return _as_characters(text, folded, runs) if runs else []

    def _take_up(self, blocks: int) -> None:
        """Fold what has been said since the last time, and index it once searching through it has cost as much."""
        if self._pending:
            self._recent += fold("\0".join(["", *self._pending]))  # a zero byte keeps two texts apart
            self._pending.clear()
            self._waiting = 0
        self._searched += blocks
        seldom = self._searched <= _WORTH_AN_INDEX or len(self._recent) <= _SHORT
        if seldom and len(self._recent) <= _GENERATION:
            return
        folded = bytes(self._recent)
        usable = len(folded) - len(folded) % BLOCK
        many = usable - usable % _MANY.size
        view = memoryview(folded)
        rows = chain(_MANY.iter_unpack(view[:many]), _ONE.iter_unpack(view[many:usable]))
        self._blocks.update(dict.fromkeys(chain.from_iterable(rows), folded))
        self._size += usable
        if self._size > _GENERATION:
            self._older, self._blocks, self._size = self._blocks, {}, 0
        self._recent.clear()
        self._searched = 0

    def _hits(self, folded: bytes) -> list[tuple[int, bytes | bytearray]]:
        """Places whose block stands in an earlier text, and that text: in the index at any place, else by search."""
        places = range(len(folded) - BLOCK + 1)
        hits: list[tuple[int, bytes | bytearray]] = []
        for index in (self._blocks, self._older):
            if index:
                hits += [(at, index[block]) for at in places if (block := folded[at : at + BLOCK]) in index]
        recent = self._recent
        if recent:  # searched from its end: CPython skips more on the way back
            aligned = places[BLOCK - 1 :: BLOCK]
            hits += [(at, recent) for at in aligned if recent.rfind(folded[at : at + BLOCK]) >= 0]
        hits.sort(key=itemgetter(0))
        return hits


def _runs(folded: bytes, hits: list[tuple[int, bytes | bytearray]]) -> list[tuple[int, int]]:
    """Maximal runs of at least ``SHORTEST`` bytes that stand in one earlier text, in order, without overlap."""
    runs: list[tuple[int, int]] = []
    floor = 0
    for at, source in hits:
        if at < floor:
            continue
        start, end = _grow(folded, at, floor, source)
        if end - start >= SHORTEST:
            runs.append((start, end))
            floor = end
    return runs


def _grow(folded: bytes, at: int, floor: int, source: bytes | bytearray) -> tuple[int, int]:
    """Stretch a common block as far as both texts agree, never before ``floor``."""
    where = source.find(folded[at : at + BLOCK])
    start, left = at, where
    while start > floor and left > 0 and folded[start - 1] == source[left - 1]:
        start -= 1
        left -= 1
    end, right = at + BLOCK, where + BLOCK
    while end < len(folded) and right < len(source):
        step = 256
        if folded[end : end + step] == source[right : right + step] and end + step <= len(folded):
            end, right = end + step, right + step
            continue
        if folded[end] != source[right]:
            break
        end += 1
        right += 1
    return start, min(end, len(folded))


_BETWEEN = frozenset("\"'`()[]{}<>,;\u2018\u2019\u201c\u201d*")


def _inside_word(text: str, at: int) -> bool:
    """Whether a cut here would part what belongs together: a word, a path, a key."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return not (before.isspace() or after.isspace() or before in _BETWEEN or after in _BETWEEN)


def _as_characters(text: str, folded: bytes, runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Byte runs of the folded text as character spans of the text, drawn in to whole words."""
    width = {character: len(fold(character)) for character in set(text)}
    ends = list(accumulate(map(width.__getitem__, text)))  # where in the folded text each character ends
    if ends[-1] != len(folded):
        return []
    spans: list[tuple[int, int]] = []
    for start, end in runs:
        first, last = bisect_right(ends, start), bisect_right(ends, end - 1) + 1
        while first < last and _inside_word(text, first):
            first += 1
        while last > first and _inside_word(text, last):
            last -= 1
        if last > first:
            spans.append((first, last))
    return spans
