"""JSON Lines as agents really write them: by bytes, one record at a time, and no bad record costs a good one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import orjson

from transcripts.packed import cut_short
from transcripts.session import BadLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from transcripts.file import TranscriptFile

Record = dict[str, Any]

BLANK = b"\xef\xbb\xbf\x00\r\n\t "
"""Bytes that may stand around a transcript's text and are none of it."""
_JUNK = b"\x00\r \t\n"
_BOM = b"\xef\xbb\xbf"
_JOIN_LINES = 32  # a record broken by raw newlines is put together from at most so many lines
_JOIN_BYTES = 4_000_000
_RESYNC_TRIES = 64
_UNLIKE = (ValueError, RecursionError, msgspec.DecodeError)  # what parsing raises of a line that is not as expected


class Parsed(NamedTuple):
    """What one line held: its objects, and why the rest of it could not be read (None when nothing was lost)."""

    objects: list[Record]
    problem: str | None


def parse(line: bytes) -> Parsed:
    """Read one line that may hold one object, several, a broken one before a whole one, or none."""
    try:
        value = orjson.loads(line)
    except ValueError:
        return _recover(line)
    if isinstance(value, dict):
        return Parsed([value], None)
    return Parsed([], f"a JSON {type(value).__name__} where an object was expected")


def _recover(line: bytes) -> Parsed:
    """The slow way, taken only for lines that the fast parser refuses."""
    line = line.strip(_JUNK).removeprefix(_BOM).strip(_JUNK)
    if not line:
        return Parsed([], None)
    text = line.decode("utf-8", "replace")
    decoder = json.JSONDecoder(strict=False)
    objects: list[Record] = []
    problem: str | None = None
    at = 0
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            problem = f"not JSON at byte {at}: {error}"
            again = _resync(text, at + 1, decoder)
            if again is None:
                break
            at = again
            continue
        if isinstance(value, dict):
            objects.append(without_surrogates(value))
        elif problem is None:
            problem = f"a JSON {type(value).__name__} where an object was expected"
        at = end
        while at < len(text) and text[at] in "\x00\r \t\n":
            at += 1
    return Parsed(objects, problem)


@cache
def _record_start() -> re.Pattern[str]:
    keys = "type|parentUuid|timestamp|uuid|id|role|sessionId|isSidechain|kind|record_type|speaker|message"
    return re.compile(r'\{"(?:' + keys + r')"\s*:')


def _resync(text: str, start: int, decoder: json.JSONDecoder) -> int | None:
    """Where the next whole record begins after a truncated one: it must run to the end or to another record."""
    for tried, match in enumerate(_record_start().finditer(text, start)):
        if tried >= _RESYNC_TRIES:
            return None
        try:
            _, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        rest = text[end : end + 64].lstrip("\x00\r \t\n")
        if not rest or rest.startswith('{"'):
            return match.start()
    return None


def without_surrogates(value: Any) -> Any:
    """Lone surrogates pass the JSON parser and kill every later encoder: they become U+FFFD here."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    return value


class Records:
    """The records of one file, streamed: ``for number, record in Records(file)``; line numbers start at 1.

    ``wanted`` sees each raw line before it is parsed, and says False of a line that cannot matter. ``shape`` is a
    TypedDict of what the reader looks at: of a record that is like it nothing else is taken out of the bytes, which
    takes a third of the time; any other record comes whole.
    After the loop ``bad`` names the lines that could not be read, and ``incomplete`` says that the last line was
    still being written (it is not bad: the next reading will find it whole).
    """

    def __init__(
        self, file: TranscriptFile, wanted: Callable[[bytes], bool] | None = None, shape: type | None = None
    ) -> None:
        """Nothing is read before the loop begins."""
        self._file = file
        self._decoder = None if shape is None else _decoder(shape)
        self.bad: list[BadLine] = []
        self.incomplete = False
        self._wanted = wanted

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        """Every object of every line, in file order."""
        loads, wanted = orjson.loads if self._decoder is None else self._decoder.decode, self._wanted
        if wanted is None and (at_once := self._at_once()):
            yield from enumerate(at_once, 1)
            return
        broken: list[bytes] = []  # a record that raw newlines may have cut: (lines so far)
        number = 0
        try:
            for number, line in enumerate(self._file.stream(), 1):
                if wanted is not None and not broken and not wanted(line):
                    continue
                try:
                    value = loads(line)
                except _UNLIKE:
                    value = None if self._decoder is None else _loaded(line)
                if value.__class__ is dict and not broken:
                    yield number, value
                    continue
                yield from self._slow(number, line, value, broken)
        except cut_short():
            pass  # compressed data that ends too early ends the lines, like any unfinished tail
        except OSError as error:
            raise self._file.unreadable(error) from error
        if broken:
            yield from self._give_up(number, broken, last=not broken[-1].endswith(b"\n"))

    def _at_once(self) -> list[Record] | None:
        """All records of a small file in which every line is one of the wanted shape; None for any other."""
        content = self._file.content
        if content is None or self._decoder is None:
            return None
        try:
            records = self._decoder.decode_lines(content)
        except _UNLIKE:
            return None
        return records if len(records) == content.count(b"\n") + (not content.endswith(b"\n")) else None

    def _slow(self, number: int, line: bytes, value: Any, broken: list[bytes]) -> Iterator[tuple[int, Record]]:
        """A line that is not simply one object: join it to what it may belong to, or take out what can be read."""
        if broken:
            whole = isinstance(value, dict)
            joined = b"".join(broken) + line
            if not whole and len(broken) < _JOIN_LINES and len(joined) < _JOIN_BYTES:
                together = parse_joined(joined)
                if together is not None:
                    broken.clear()
                    for record in together:
                        yield number, record
                else:
                    broken.append(line)
                return
            yield from self._give_up(number - 1, broken, last=False)
            broken.clear()
            if whole:
                yield number, value
                return
        stripped = line.strip(_JUNK).removeprefix(_BOM).strip(_JUNK)
        if not stripped:
            return
        parsed = parse(stripped)
        if (parsed.problem or not parsed.objects) and stripped.startswith(b"{"):
            broken.append(line)  # what follows may be the rest of its last record
            return
        for record in parsed.objects:
            yield number, record
        if parsed.problem is None:
            return
        if line.endswith(b"\n"):
            self.bad.append(BadLine(number, parsed.problem))
        else:
            self.incomplete = True

    def _give_up(self, number: int, broken: list[bytes], *, last: bool) -> Iterator[tuple[int, Record]]:
        """The collected lines are no record together: each is bad on its own, and the very last may be unfinished."""
        first = number - len(broken) + 1
        for offset, line in enumerate(broken):
            parsed = parse(line)
            for record in parsed.objects:
                yield first + offset, record
            if parsed.problem is None:
                continue
            if last and offset == len(broken) - 1:
                self.incomplete = True
            else:
                self.bad.append(BadLine(first + offset, parsed.problem))


@cache
def _decoder(shape: type) -> msgspec.json.Decoder[Record]:
    return msgspec.json.Decoder(shape)


def _loaded(line: bytes) -> Any:
    """The whole of a line that is no record of the wanted shape; None where it is no JSON."""
    try:
        return orjson.loads(line)
    except ValueError:
        return None


def parse_joined(text: bytes) -> list[Record] | None:
    """The objects that lines make together which raw newlines inside a string had parted: one, or several glued ones.

    None where they do not make whole ones; most often they do not even end as one.
    """
    if not text.rstrip(_JUNK).endswith(b"}"):
        return None
    told, decoder = text.decode("utf-8", "replace").strip("\x00\r \t\n"), json.JSONDecoder(strict=False)
    found: list[Record] = []
    at = 0
    try:
        while at < len(told):
            value, at = decoder.raw_decode(told, at)
            if not isinstance(value, dict):
                return None
            found.append(without_surrogates(value))
    except (ValueError, RecursionError):
        return None
    return found
