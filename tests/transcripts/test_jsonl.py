"""JSON Lines by bytes: no bad record costs a good one, and nothing that is lost goes unnamed."""

# ruff: noqa: E501 - a case stays on one line

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from transcripts.errors import TranscriptError
from transcripts.file import TranscriptFile
from transcripts.interface import HEAD_BYTES
from transcripts.jsonl import Records
from transcripts.session import BadLine

A, B = {"type": "a", "n": 1}, {"type": "b", "n": 2}
LINE_A, LINE_B = b'{"type":"a","n":1}', b'{"type":"b","n":2}'


def read(data: bytes, tmp_path: Path) -> tuple[list[dict[str, Any]], list[int], bool]:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with TranscriptFile(path) as file:
        records = Records(file)
        found = [record for _, record in records]
    return found, [line.line for line in records.bad], records.incomplete


CASES: dict[str, tuple[bytes, list[dict[str, Any]], list[int], bool]] = {
    "plain": (LINE_A + b"\n" + LINE_B + b"\n", [A, B], [], False),
    "no newline at the end": (LINE_A + b"\n" + LINE_B, [A, B], [], False),
    "carriage returns": (LINE_A + b"\r\n" + LINE_B + b"\r\n", [A, B], [], False),
    "byte order mark": (b"\xef\xbb\xbf" + LINE_A + b"\n", [A], [], False),
    "zero bytes around": (b"\x00\x00" + LINE_A + b"\x00\n" + LINE_B + b"\n\x00\x00\x00", [A, B], [], False),
    "blank lines": (b"\n \n" + LINE_A + b"\n\n\n" + LINE_B + b"\n", [A, B], [], False),
    "two on a line": (LINE_A + LINE_B + b"\n", [A, B], [], False),
    "cut before a whole one": (b'{"type":"a","text":"half' + LINE_B + b"\n", [B], [1], False),
    "cut inside a nested one": (b'{"type":"a","m":[{"type":"t","text":"ha' + LINE_B + b"\n" + LINE_A, [B, A], [1], False),
    "malformed in the middle": (LINE_A + b"\n{oh no}\n" + LINE_B + b"\n", [A, B], [2], False),
    "text in the middle": (LINE_A + b"\nError: disk full\n" + LINE_B + b"\n", [A, B], [2], False),
    "not objects": (b'42\n"x"\n[1]\nnull\n' + LINE_A + b"\n", [A], [1, 2, 3, 4], False),
    "unfinished tail": (LINE_A + b"\n" + LINE_B[:9], [A], [], True),
    "unfinished after a whole one": (LINE_A + LINE_B[:9], [A], [], True),
    "only an unfinished line": (LINE_A[:9], [], [], True),
    "raw newline before another on its line": (b'{"type":"a","t":"x\ny"}' + LINE_B + b"\n" + LINE_A + b"\n", [{"type": "a", "t": "x\ny"}, B, A], [], False),
    "raw newline behind another on its line": (LINE_B + b'{"type":"a","t":"x\ny"}\n' + LINE_A + b"\n", [B, {"type": "a", "t": "x\ny"}, A], [], False),
    "another before half a one": (LINE_A + LINE_B[:9] + b"\n" + LINE_B + b"\n", [A, B], [1], False),
    "raw newline in a string": (b'{"type":"a","t":"x\ny"}\n' + LINE_B + b"\n", [{"type": "a", "t": "x\ny"}, B], [], False),
    "raw newlines, then malformed": (b'{"type":"a","t":"x\ny\n' + LINE_B + b"\n", [B], [1, 2], False),
    "control characters": (b'{"type":"a","t":"x\ty\x1b"}\n', [{"type": "a", "t": "x\ty\x1b"}], [], False),
    "line separators stay inside": ('{"type":"a","t":"x\u2028y\u2029z\u0085"}\n'.encode(), [{"type": "a", "t": "x\u2028y\u2029z\u0085"}], [], False),
    "invalid UTF-8": (b'{"type":"a","t":"x\xff"}\n', [{"type": "a", "t": "x\ufffd"}], [], False),
    "lone surrogate": (b'{"type":"a","t":"x\\ud83d y"}\n', [{"type": "a", "t": "x\ufffd y"}], [], False),
    "pair of surrogates": (b'{"type":"a","t":"\\ud83d\\ude00"}\n', [{"type": "a", "t": "\U0001f600"}], [], False),
    "not a number": (b'{"type":"a","n":Infinity}\n', [{"type": "a", "n": float("inf")}], [], False),
    "deep nesting": (b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"\n" + LINE_A + b"\n", [A], [1], False),
    "empty": (b"", [], [], False),
}  # fmt: skip


@pytest.mark.parametrize(("data", "records", "bad", "incomplete"), CASES.values(), ids=CASES.keys())
def test_what_can_be_read_is_read(
    data: bytes, records: list[dict[str, Any]], bad: list[int], incomplete: bool, tmp_path: Path
) -> None:
    assert (records, bad, incomplete) == read(data, tmp_path)


def test_a_bad_line_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"[1]\n")
    with TranscriptFile(path) as file:
        records = Records(file)
        assert list(records) == []
    assert [BadLine(1, "a JSON list where an object was expected")] == records.bad


def test_a_line_of_twenty_megabytes_is_one_record(tmp_path: Path) -> None:
    found, bad, _ = read(json.dumps({"type": "a", "t": "x" * 20_000_000}).encode() + b"\n" + LINE_B + b"\n", tmp_path)
    assert ([20_000_000, B], []) == ([len(found[0]["t"]), found[1]], bad)


def test_everything_found_can_be_encoded(tmp_path: Path) -> None:
    found, _, _ = read(b'{"type":"a","\\udc00":["\\ud800",{"x":"\\udfff"}],"t":"x\xff\xfe"}\n', tmp_path)
    assert json.dumps(found, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress], ids=["gzip", "zstd"])
def test_packed_files_are_read_as_they_are(pack: Any, tmp_path: Path) -> None:
    data = pack((LINE_A + b"\n") * 500 + LINE_B + b"\n")
    assert ([A] * 500 + [B], [], False) == read(data, tmp_path)
    with TranscriptFile(tmp_path / "x.jsonl") as file:
        assert (LINE_A + b"\n") * 500 + LINE_B + b"\n" == file.head == file.read()
    cut = read(data[:-9], tmp_path)
    assert all(record in (A, B) for record in cut[0])


def in_utf16(data: bytes) -> bytes:
    """As PowerShell writes it to a file."""
    return b"\xff\xfe" + data.decode().encode("utf-16-le")


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, zstandard.ZstdCompressor().compress, in_utf16],
    ids=["plain", "gzip", "zstd", "utf-16"],
)
@pytest.mark.parametrize("size", [100, HEAD_BYTES, HEAD_BYTES + 1, 1 << 20, (1 << 20) + 1])
def test_a_file_gives_the_same_bytes_however_it_is_looked_at(pack: Any, size: int, tmp_path: Path) -> None:
    data = ((LINE_A + b"\n") * (size // 20 + 1))[:size]
    path = tmp_path / "x.jsonl"
    path.write_bytes(pack(data))
    with TranscriptFile(path) as file:
        assert data[:HEAD_BYTES] == file.head
        assert [data, data, data] == [file.read(), b"".join(file.stream()), b"".join(iter(file.stream().readline, b""))]


def test_utf_16_of_either_order_is_read_as_it_is(tmp_path: Path) -> None:
    record = {"type": "a", "t": "naïve 日本 😀"}
    line = json.dumps(record, ensure_ascii=False) + "\r\n"
    for mark, order in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        data = mark + (line * 3).encode(order)
        assert ([record] * 3, [], False) == read(data, tmp_path)
        assert ([record] * 2, [], True) == read(data[:-9], tmp_path)
    assert ([{"type": "a", "t": "\ufffd"}], [], False) == read(
        b"\xff\xfe" + '{"type":"a","t":"\ud800"}\n'.encode("utf-16-le", "surrogatepass"), tmp_path
    )


def test_a_first_line_longer_than_the_head_belongs_to_it_and_as_much_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"x" * 2 * HEAD_BYTES + b"\n" + (LINE_A + b"\n") * HEAD_BYTES)
    with TranscriptFile(path) as file:
        assert 3 * HEAD_BYTES + 1 == len(file.head)


def test_a_filter_keeps_lines_from_being_parsed(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINE_A + b'\n{"type":"c", this is not JSON}\n' + LINE_B + b"\n")
    with TranscriptFile(path) as file:
        records = Records(file, lambda line: b'"c"' not in line)
        assert ([(1, A), (3, B)], []) == (list(records), records.bad)


@pytest.mark.parametrize("place", ["missing", "folder"])
def test_what_cannot_be_opened_says_what_where_and_what_to_do(place: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    if place == "folder":
        path.mkdir()
    with pytest.raises(TranscriptError, match=r"x\.jsonl \(next: afterpass ") as caught:
        TranscriptFile(path)
    assert caught.value.where == str(path)
