"""What holds for every reader there is, on sessions written in its format."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.transcripts.pieces import brought_in, words
from tests.transcripts.writers import ANSWER, SILENT, WRITERS, Writer
from transcripts.errors import TranscriptError
from transcripts.file import TranscriptFile
from transcripts.registry import READERS, read_transcript, reader_of
from transcripts.session import Origin, Session, Skipped

few = settings(
    deadline=None,  # a busy machine is no failure
    derandomize="CI" in os.environ,
    max_examples=15,  # for each of the formats
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

SPOKEN = [writer for writer in WRITERS if writer.reader != SILENT]
LINES = [writer for writer in WRITERS if writer.kind == "lines"]
every = pytest.mark.parametrize("writer", SPOKEN, ids=lambda writer: writer.label)
every_in_lines = pytest.mark.parametrize("writer", LINES, ids=lambda writer: writer.label)

SAID = ["we use pnpm here", "never touch legacy/\nand thank you", "why? 是的"]


def read(path: Path) -> Session | Skipped:
    """Read a file that may be damaged: it is a session, or skipped, or named as unreadable (a database)."""
    try:
        return read_transcript(path)
    except TranscriptError as error:
        return Skipped(path, "unreadable", str(error))


def turns_of(found: Session | Skipped) -> list[tuple[str, str]]:
    return [(turn.id, turn.text) for turn in found.turns] if isinstance(found, Session) else []


def typed(found: Session | Skipped) -> list[str]:
    """What the developer typed, turn by turn, without white space around it."""
    assert isinstance(found, Session), found
    parts = [
        "".join(part.text for part in turn.segments if part.origin is Origin.TYPED) for turn in found.developer_turns()
    ]
    return [part.strip() for part in parts]


def test_every_reader_that_is_registered_takes_part() -> None:
    assert set(READERS) == {writer.reader for writer in WRITERS}


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.label)
def test_a_file_is_known_by_its_content_and_its_name_changes_nothing(writer: Writer, tmp_path: Path) -> None:
    first = tmp_path / "x.jsonl"
    writer.write(first, SAID)
    with TranscriptFile(first) as file:
        reader = reader_of(file)
    assert reader is not None
    assert writer.reader in (reader.__name__, "transcripts.claude_code")  # type: ignore[attr-defined]
    expected = replace(read(first), path=None)
    for name in ("notes.md", "a b.json", "sub/settings", "sub/agent-1.jsonl.bak"):
        other = tmp_path / name
        other.parent.mkdir(exist_ok=True)
        other.write_bytes(first.read_bytes())
        assert expected == replace(read(other), path=None), name


@every
def test_each_message_is_a_turn_and_what_the_agent_answers_is_not(writer: Writer, tmp_path: Path) -> None:
    path = tmp_path / "x"
    writer.write(path, SAID)
    found = read(path)
    assert typed(found) == SAID
    assert not any(ANSWER in turn.text for turn in found.developer_turns())  # type: ignore[union-attr]


def test_swe_agents_trajectories_have_no_developer(tmp_path: Path) -> None:
    (writer,) = (writer for writer in WRITERS if writer.reader == SILENT)
    writer.write(tmp_path / "x", SAID)
    assert isinstance(read(tmp_path / "x"), Skipped)


own = words.map(lambda text: f"we said OWN {text.strip()} too\n")
messages = st.lists(st.lists(st.one_of(brought_in, own), min_size=1, max_size=5).map("".join), min_size=1, max_size=3)


@every
@given(said=messages)
@few
def test_no_injected_or_pasted_text_is_typed_and_no_typed_text_is_cut(
    writer: Writer, said: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "x"
    writer.write(path, said)
    found = read(path)
    turns = found.developer_turns() if isinstance(found, Session) else ()
    parts = [part for turn in turns for part in turn.segments]
    mine = "".join(part.text for part in parts if part.origin is Origin.TYPED)
    theirs = "".join(part.text for part in parts if part.origin is not Origin.TYPED)
    assert "INJECTED" not in mine
    assert "PASTED" not in mine
    assert "OWN" not in theirs
    assert "".join(said).count("OWN") == mine.count("OWN")
    for turn in turns:
        assert turn.text == "".join(part.text for part in turn.segments)
        assert any("".join(text.split()) in "".join(turn.text.split()) for text in said)


@every
@given(said=messages)
@few
def test_reading_twice_gives_the_same(writer: Writer, said: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x"
    writer.write(path, said)
    assert read(path) == read(path)


@every
def test_a_prefix_gives_a_prefix_of_the_turns_and_raises_nothing(writer: Writer, tmp_path: Path) -> None:
    path = tmp_path / "x"
    writer.write(path, SAID)
    data, whole = path.read_bytes(), turns_of(read(path))
    for end in range(0, len(data), 509 if writer.kind == "database" else 7):
        path.write_bytes(data[:end])
        found = turns_of(read(path))
        if writer.kind == "database":
            assert set(found) <= set(whole), end  # its pages lie in any order
        elif writer.kind == "markdown":
            whole_lines = turns_of(_cut(path, data[:end].rpartition(b"\n")[0] + b"\n"))[:-1]  # the last may go on
            assert whole[: len(whole_lines)] == whole_lines, end
        else:
            assert whole[: len(found)] == found, end


def _cut(path: Path, data: bytes) -> Session | Skipped:
    path.write_bytes(data)
    return read(path)


def _on_one_line(data: bytes) -> bytes:
    """``}{``: no line's end between two records."""
    return data.replace(b"}\n{", b"}{")


def _between(what: bytes) -> Callable[[bytes], bytes]:
    return lambda data: what.join(line + b"\n" for line in data.splitlines())


def _last(what: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data + what


# name: (what is done to a file, what it makes of the word ``pnpm``)
DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "carriage returns": (lambda data: data.replace(b"\n", b"\r\n"), "pnpm"),
    "byte order mark": (lambda data: b"\xef\xbb\xbf" + data, "pnpm"),
    "zero bytes at the end": (_last(b"\0" * 1728), "pnpm"),
    "two records on a line": (_on_one_line, "pnpm"),
    "an invalid byte": (lambda data: data.replace(b"pnpm", b"pn\xffpm"), "pn\ufffdpm"),
    "a lone surrogate": (lambda data: data.replace(b"pnpm", rb"pn\ud83dpm"), "pn\ufffdpm"),
    "a raw line separator": (lambda data: data.replace(b"pnpm", "pn\u2028pm".encode()), "pn\u2028pm"),
    "blank lines": (_between(b"\n \n"), "pnpm"),
    "lines that are no objects": (_between(b'42\n"x"\n[1]\nnull\n'), "pnpm"),
    "a record of an unknown type": (_between(b'{"type":"of tomorrow","v":[{}]}\n'), "pnpm"),
    "an unfinished last line": (_last(b'{"type":"us'), "pnpm"),
    "garbage": (_between(b"\x80 not {json at all\n"), "pnpm"),
}


@every_in_lines
@pytest.mark.parametrize("name", DAMAGE)
def test_damage_to_lines_costs_no_word(writer: Writer, name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    writer.write(path, SAID)
    damage, word = DAMAGE[name]
    path.write_bytes(damage(path.read_bytes()))
    found = read(path)
    assert typed(found) == [text.replace("pnpm", word) for text in SAID]
    for text in typed(found):
        assert text.encode("utf-8")


@pytest.mark.parametrize("name", ["carriage returns", "byte order mark", "zero bytes at the end", "an invalid byte"])
@pytest.mark.parametrize(
    "writer", [writer for writer in SPOKEN if writer.kind == "document"], ids=lambda writer: writer.label
)
def test_damage_to_a_document_costs_no_word(writer: Writer, name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    writer.write(path, SAID)
    damage, word = DAMAGE[name]
    path.write_bytes(damage(path.read_bytes()))
    assert typed(read(path)) == [text.replace("pnpm", word) for text in SAID]


@pytest.mark.parametrize("name", ["carriage returns", "byte order mark", "an invalid byte", "a raw line separator"])
@pytest.mark.parametrize("writer", [w for w in SPOKEN if w.kind == "markdown"], ids=lambda writer: writer.label)
def test_damage_to_markdown_costs_no_word(writer: Writer, name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    writer.write(path, SAID)
    damage, word = DAMAGE[name]
    path.write_bytes(damage(path.read_bytes()))
    assert typed(read(path)) == [text.replace("pnpm", word) for text in SAID]


def without(value: Any, keys: set[str]) -> Any:
    """The same, with these keys left out wherever they stand."""
    if isinstance(value, dict):
        return {key: without(inner, keys) for key, inner in value.items() if key not in keys}
    return [without(item, keys) for item in value] if isinstance(value, list) else value


def changed(value: Any, key: str, to: Any) -> Any:
    """The same, with another value under a key wherever it stands."""
    if isinstance(value, dict):
        return {name: to if name == key else changed(inner, key, to) for name, inner in value.items()}
    return [changed(item, key, to) for item in value] if isinstance(value, list) else value


WHERE = {"cwd", "working_dir", "directory"}
WHEN = {"timestamp", "time", "ts", "created", "startTime", "time_created"}


@every_in_lines
@pytest.mark.parametrize("keys", [WHERE, WHEN], ids=["place", "time"])
def test_a_missing_place_or_time_costs_no_word(writer: Writer, keys: set[str], tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    writer.write(path, SAID)
    if writer.reader in ("transcripts.goose", "transcripts.pi", "transcripts.gemini_cli"):
        keys = keys - {"working_dir", "cwd", "startTime"}  # their first line is known by it
    if writer.reader == "transcripts.claude_history":
        keys = keys - {"timestamp"}  # what has none may be of a session that goes on
    lines = [json.dumps(without(json.loads(line), keys)) for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert typed(read(path)) == SAID


@every_in_lines
@pytest.mark.parametrize("key", ["message", "content", "type", "text", "payload", "data", "role", "id", "parts"])
@pytest.mark.parametrize("to", ["words", None, [], {}, [None, 1, "s", {}], 5])
def test_a_field_of_another_kind_raises_nothing(writer: Writer, key: str, to: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    writer.write(path, SAID)
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines = [json.dumps(changed(record, key, to) if number > 1 else record) for number, record in enumerate(records)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert read(path) == read(path)


@pytest.mark.parametrize("broken", [True, False])
def test_a_line_of_twenty_megabytes_costs_no_other(broken: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    (writer,) = (writer for writer in WRITERS if writer.reader == "transcripts.claude_code")
    writer.write(path, SAID)
    giant = b'{"type":"user","uuid":"g","toolUseResult":"' + b"x" * 20_000_000 + (b"\n" if broken else b'"}\n')
    path.write_bytes(giant + path.read_bytes() + giant)
    assert typed(read(path)) == SAID
