"""The one way in: each file goes to the reader that knows its content, and what cannot be read says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from transcripts import neutral
from transcripts.errors import AmbiguousTranscript, TranscriptError
from transcripts.file import TranscriptFile
from transcripts.registry import read_transcript, reader_of, readers
from transcripts.session import Session, Skipped

GOLDEN = Path(__file__).parent / "golden"
INPUTS = sorted(path for path in GOLDEN.rglob("*") if path.is_file() and not path.name.endswith(".golden.txt"))
HEADER = b'{"afterpass":1,"session":"s","repo":"r"}\n'
WORDS = b'{"speaker":"developer","text":"use pnpm"}\n'


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.name)
def test_every_reader_has_a_golden_file_and_a_row_in_the_docs(reader: object) -> None:
    name = reader.name  # type: ignore[attr-defined]
    assert hasattr(reader, "read_all") or (GOLDEN / name.replace("-", "_")).is_dir()
    docs = Path(__file__).parents[2] / "docs" / "transcripts.md"
    assert f"| `{name}`" in docs.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_no_two_readers_claim_one_file(path: Path) -> None:
    with TranscriptFile(path) as file:
        claims = [reader.name for reader in readers() if reader.identify(file)]
    folder = path.parent.name.replace("_", "-")
    assert claims == ([] if folder == "side-files" else [folder])


def test_two_readers_that_claim_one_file_are_named(tmp_path: Path) -> None:
    class Greedy:
        name = "greedy"

        def identify(self, file: TranscriptFile) -> bool:
            return True

        def read(self, file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
            raise AssertionError

    path = tmp_path / "x"
    path.write_bytes(HEADER)
    with TranscriptFile(path) as file, pytest.raises(AmbiguousTranscript, match="neutral, greedy") as caught:
        reader_of(file, [neutral, Greedy()])
    assert caught.value.readers == ("neutral", "greedy")


@pytest.mark.parametrize("place", ["missing.jsonl", "folder"])
def test_what_cannot_be_opened_is_an_error_with_a_next_step(place: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(TranscriptError) as caught:
        read_transcript(tmp_path / place)
    assert caught.value.where == str(tmp_path / place)
    assert caught.value.next_step.startswith("afterpass ")


SKIPPED = {
    "empty": (b"", "empty"),
    "white space": (b"\xef\xbb\xbf \n\n\x00", "empty"),
    "binary": (bytes(range(256)), "unknown_format"),
    "text": (b"just a note\n", "unknown_format"),
    "a web page": (b"<html><body>\n", "unknown_format"),
    "first line unfinished": (HEADER[:20], "unknown_format"),
    "only a header": (HEADER, "empty"),
    "agent alone": (HEADER + b'{"speaker":"agent","text":"hi"}\n', "unrecognised"),
    "settings": (b'{"permissions": {"allow": []}}', "not_a_session"),
    "tasks": (b'[{"content":"x","status":"pending","id":"1"}]', "not_a_session"),
}


@pytest.mark.parametrize(("content", "code"), SKIPPED.values(), ids=SKIPPED.keys())
def test_what_holds_no_session_says_why(content: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    read = read_transcript(path)
    assert isinstance(read, Skipped)
    assert (path, code) == (read.path, read.code)
    assert read.reason


def test_a_session_that_is_still_being_written_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(HEADER + WORDS + WORDS[:20])
    read = read_transcript(path)
    assert isinstance(read, Session)
    assert (1, True, ()) == (len(read.turns), read.incomplete, read.bad_lines)


def test_what_a_program_sent_counts_only_when_it_is_asked_for() -> None:
    for path in (
        GOLDEN / "claude_code/automation.jsonl",
        GOLDEN / "codex/exec.jsonl",
        GOLDEN / "copilot_cli/automation.jsonl",
    ):
        skipped, counted = read_transcript(path), read_transcript(path, automation=True)
        assert isinstance(skipped, Skipped)
        assert skipped.code == "automation"
        assert isinstance(counted, Session)
        assert counted.automation
        assert len(counted.developer_turns()) == 1
