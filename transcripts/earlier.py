"""What the session has already said: text that comes back in a developer's message was copied, not typed.

Compared without white space, back-ticks and Markdown, because people copy from a rendered and re-wrapped screen.
Earlier text is indexed in blocks of 32 bytes; a copied run of at least 63 bytes always contains a whole block, so that
the work stays linear in both texts.
"""

from __future__ import annotations

from itertools import repeat
from struct import Struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

BLOCK = 32
_ONE, _MANY = Struct("32s"), Struct("32s" * 32)
SHORTEST = 2 * BLOCK - 1  # bytes of folded text: about twelve English words
_GENERATION = 2_000_000  # bytes of folded text in each of the two generations that are remembered

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
        self._pending: list[str] = [text for text in texts if text]
        self._blocks: dict[bytes, bytes] = {}
        self._older: dict[bytes, bytes] = {}
        self._size = 0
        self._waiting = sum(map(len, self._pending))
        self._own: list[str] = []
        self._own_folded = b""

    def add(self, text: str) -> None:
        """Something that the developer did not type. Costs nothing until a message is compared with it."""
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
        if len(text) < SHORTEST // 3 or not (self._pending or self._blocks):
            return []
        folded = fold(text)
        if len(folded) < SHORTEST:
            return []
        self._index()
        runs = self._runs(folded)
        if not runs:
            return []
        if self._own:
            self._own_folded += b"\n" + b"\n".join(fold(own) for own in self._own)
            self._own.clear()
        runs = [run for run in runs if folded[run[0] + _EDGE : run[1] - _EDGE] not in self._own_folded]
        return _as_characters(text, folded, runs) if runs else []

    def _index(self) -> None:
        """Take up what has been said since the last time, as one text: a zero byte keeps two texts apart."""
        if not self._pending:
            return
        folded = fold("\0".join(self._pending))
        self._pending.clear()
        self._waiting = 0
        usable = len(folded) - len(folded) % BLOCK
        many = usable - usable % _MANY.size
        view = memoryview(folded)
        for blocks in _MANY.iter_unpack(view[:many]):
            self._blocks.update(zip(blocks, repeat(folded)))
        for (block,) in _ONE.iter_unpack(view[many:usable]):
            self._blocks[block] = folded
        self._size += usable
        if self._size > _GENERATION:
            self._older, self._blocks, self._size = self._blocks, {}, 0

    def _runs(self, folded: bytes) -> list[tuple[int, int]]:
        """Maximal runs of at least ``SHORTEST`` bytes that stand in one earlier text, in order, without overlap."""
        runs: list[tuple[int, int]] = []
        blocks, older = self._blocks, self._older
        at, floor, last = 0, 0, len(folded) - BLOCK
        while at <= last:
            block = folded[at : at + BLOCK]
            if block in blocks:
                source = blocks[block]
            elif older and block in older:
                source = older[block]
            else:
                at += 1
                continue
            start, end = _grow(folded, at, floor, source, source.find(block))
            if end - start >= SHORTEST:
                runs.append((start, end))
                at = floor = end
            else:
                at += 1
        return runs


def _grow(folded: bytes, at: int, floor: int, source: bytes, where: int) -> tuple[int, int]:
    """Stretch a common block as far as both texts agree, never before ``floor``."""
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


def _as_characters(text: str, folded: bytes, runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Byte runs of the folded text as character spans of the text, drawn in to whole words."""
    where: list[int] = []  # the character that each folded byte comes from
    for index, character in enumerate(text):
        where.extend([index] * len(fold(character)))
    if len(where) != len(folded):
        return []
    spans: list[tuple[int, int]] = []
    for start, end in runs:
        first, last = where[start], where[end - 1] + 1
        while first < last and first > 0 and text[first - 1].isalnum() and text[first].isalnum():
            first += 1
        while last > first and last < len(text) and text[last].isalnum() and text[last - 1].isalnum():
            last -= 1
        if last > first:
            spans.append((first, last))
    return spans
