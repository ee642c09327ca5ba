"""What holds for every transcript: nothing raises, nothing is lost, and a prefix reads as a prefix."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.transcripts.pieces import brought_in, words
from transcripts.earlier import Earlier
from transcripts.marks import candidate, next_candidate
from transcripts.registry import read_transcript
from transcripts.segments import segment
from transcripts.session import Origin, Session, Skipped

settings.register_profile(
    "transcripts",
    deadline=None,  # a busy machine is no failure
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("transcripts")

GOLDEN = Path(__file__).parent / "golden"
LINE_FILES = sorted(GOLDEN.rglob("*.jsonl"))
DOCUMENTS = sorted(
    path for path in GOLDEN.rglob("*.json*") if path.suffix in (".json", ".jsonl") and b'":' in path.read_bytes()
)
MARKDOWN = [path for path in sorted(GOLDEN.rglob("*.md")) if path.parent.name != "side_files"]
FILES = [*LINE_FILES, *(path for path in DOCUMENTS if path.suffix == ".json"), *MARKDOWN, *GOLDEN.rglob("*.traj")]
GROWING = [path for path in LINE_FILES if path.name != "changes.jsonl"]  # those change what they said before

prose = st.sampled_from(
    [
        "we use pnpm here",
        "please fix it",
        "why?",
        "never on Fridays, ok?",
        "- one\n- two",
        "run `make x` first",
        "是的",
        "",
    ]
)
# ruff: noqa: E501 - lists of marks
marks = st.sampled_from(
    [
        "```", "~~~", '"""', "> ", "<system-reminder>", "</system-reminder>", "<pasted_content id=\"a\">", "<!--", "-->",
        "</pasted_content id=\"a\">", "<afterpass-memory>", "</afterpass-memory>", "<div>", "<x-y>", "</x-y>", "`", "<", ">",
        "Traceback (most recent call last):", "ERROR: x", "| a | b |", "|---|---|", "here is the log:", "# A", "## B", "**c**:",
        "2026-01-01 10:00:00 INFO x", "$ ls", "diff --git a/x b/x", "From: a", "Subject: b", "[Image: source: /x]", "\r", "\u2028",
    ]
)  # fmt: skip
messages = st.lists(st.one_of(prose, marks, st.text(max_size=12), st.just("\n"), st.just("\n\n")), max_size=24).map(
    "".join
)


@given(messages, st.booleans(), st.lists(messages, max_size=3))
def test_segments_are_the_text_and_nothing_else(text: str, human: bool, earlier: list[str]) -> None:
    parts = segment(text, Earlier(earlier), human=human)
    assert text == "".join(part.text for part in parts)
    assert all(part.text for part in parts)
    assert all(one.origin is not other.origin for one, other in pairwise(parts))


typed = words.map(lambda text: f"we said typed {text}\n")


@given(st.lists(st.one_of(brought_in, typed), min_size=1, max_size=8))
def test_no_wrapped_text_is_typed_and_no_typed_text_is_cut(pieces: list[str]) -> None:
    parts = segment("".join(pieces))
    own = "".join(part.text for part in parts if part.origin is Origin.TYPED)
    other = "".join(part.text for part in parts if part.origin is not Origin.TYPED)
    assert "INJECTED" not in own
    assert "PASTED" not in own
    assert "typed" not in other


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz .,`*\n", min_size=140, max_size=600), st.data())
def test_what_the_agent_said_is_found_again_however_it_is_wrapped(said: str, data: st.DataObject) -> None:
    plain = said.replace("`", "").replace("*", "")
    wrapped_again = " ".join(plain.split())
    if len(wrapped_again.replace(" ", "")) < 70:
        return
    parts = segment(f"NOW {wrapped_again} AND", [said])
    own = "".join(part.text for part in parts if part.origin is Origin.TYPED)
    assert len(own.replace(" ", "")) <= len("NOWAND") + 4


def turns_of(read: Session | Skipped) -> list[tuple[str, str]]:
    return [(turn.id, turn.text) for turn in read.turns] if isinstance(read, Session) else []


@pytest.mark.parametrize("path", GROWING, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_a_prefix_of_a_file_gives_a_prefix_of_its_turns(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    whole = turns_of(read_transcript(path))
    cut = tmp_path / "x.jsonl"
    for end in {*range(0, len(data), 211), *range(max(0, len(data) - 120), len(data), 5)}:
        cut.write_bytes(data[:end])
        found = turns_of(read_transcript(cut))
        assert whole[: len(found)] == found


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_a_prefix_of_markdown_gives_a_prefix_of_its_turns_but_for_the_last_one(path: Path, tmp_path: Path) -> None:
    """Or, while a fence is open, but for the one in which it opened and all behind it: it may be closed much later."""
    lines = path.read_bytes().splitlines(keepends=True)
    whole = turns_of(read_transcript(path))
    cut = tmp_path / "x.md"
    settled, fenced = 0, False
    for end in range(len(lines)):
        cut.write_bytes(b"".join(lines[:end]))
        found = turns_of(read_transcript(cut))
        if end and lines[end - 1].startswith(b"```"):
            fenced = not fenced
        if not fenced:
            settled = max(0, len(found) - 1)
        assert whole[:settled] == found[:settled]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_no_truncation_raises(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    cut = tmp_path / "x.bin"
    for end in {*range(0, len(data), 97), *range(max(0, len(data) - 60), len(data))}:
        cut.write_bytes(data[:end])
        read_transcript(cut)


VALUES = ["null", "5", "[]", "{}", '"s"', '[null,1,"s",{}]', "true", "1e999"]


@given(st.sampled_from(DOCUMENTS), st.data())
def test_no_value_of_another_kind_raises(tmp_path: Path, path: Path, data: st.DataObject) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    places = [match.end() for match in re.finditer(r'"\w+":', text)]
    for place in sorted(data.draw(st.lists(st.sampled_from(places), max_size=5, unique=True)), reverse=True):
        text = f'{text[:place]}{data.draw(st.sampled_from(VALUES))},"x":{text[place:]}'
    changed = tmp_path / "x.json"
    changed.write_text(text, encoding="utf-8")
    read = read_transcript(changed)
    if isinstance(read, Session):
        for word in (read.id, read.repo, read.developer, read.cwd, read.branch, read.parent):
            assert word is None or word.encode("utf-8")


@given(st.sampled_from(FILES), st.data())
def test_no_damage_raises(tmp_path: Path, path: Path, data: st.DataObject) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(content) - 1)))
        piece = data.draw(
            st.sampled_from(
                [
                    b"",
                    b"\x00",
                    b"\n",
                    b"\r\n",
                    b"}{",
                    b"\xff",
                    b"\\ud83d",
                    "\u2028".encode(),
                    b"null",
                    b"[]",
                    b'"',
                    b"{",
                    b"1e999",
                ]
            )
        )
        content[at : at + data.draw(st.integers(0, 9))] = piece
    damaged = tmp_path / "x.jsonl"
    damaged.write_bytes(bytes(content))
    first, second = read_transcript(damaged), read_transcript(damaged)
    assert first == second
    if isinstance(first, Session):
        for turn in first.turns:
            assert turn.text.encode("utf-8")


@pytest.mark.parametrize("path", LINE_FILES, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_line_endings_and_marks_of_other_systems_change_nothing(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    expected = turns_of(read_transcript(path))
    changed = {
        "carriage returns": data.replace(b"\n", b"\r\n"),
        "byte order mark": b"\xef\xbb\xbf" + data,
        "blank lines": data.replace(b"\n", b"\n\n"),
    }
    for name, content in changed.items():
        (tmp_path / "x.jsonl").write_bytes(content)
        assert expected == turns_of(read_transcript(tmp_path / "x.jsonl")), name


MARKS = [
    *'<>`~"[ \n\t',
    "</a>",
    "<a ",
    "<!-- ",
    "```",
    "~~~",
    '"""',
    "\n> ",
    "[Image: source: x]",
    "[Pasted text #3]",
    "->",
    "x y",
]


@given(st.lists(st.sampled_from(MARKS), max_size=20).map("".join), st.integers(0, 20))
def test_a_mark_is_found_by_its_first_character_where_the_whole_pattern_finds_it(text: str, at: int) -> None:
    at = min(at, len(text))
    expected, found = candidate().search(text, at), next_candidate(text, at)
    assert (expected and (expected.span(), expected.lastgroup)) == (found and (found.span(), found.lastgroup))
