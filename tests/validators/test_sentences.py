"""Where sentences begin and end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.sentences import split_sentences

LONG = "this line is so long that somebody's terminal has wrapped it behind the word"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Staging is on the new box now. By the way preview-7 is up.",
            ["Staging is on the new box now.", "By the way preview-7 is up."],
        ),
        ("no no. for now on use bun", ["no no.", "for now on use bun"]),
        ("use pnpm! ok? yes", ["use pnpm!", "ok?", "yes"]),
        ("use e.g. pnpm v1.2 here. ok", ["use e.g. pnpm v1.2 here.", "ok"]),
        ("i.e. never. ok", ["i.e. never.", "ok"]),
        ("run `go test ./... -race` always. ok", ["run `go test ./... -race` always.", "ok"]),
        ("run go test ./... -race always. ok", ["run go test ./... -race always.", "ok"]),
        ("use `a. b` always. ok", ["use `a. b` always.", "ok"]),
        ("edit foo.py. Then bar.rs", ["edit foo.py.", "Then bar.rs"]),
        ("never touch .env files, ever. ok", ["never touch .env files, ever.", "ok"]),
        ("see https://a.example/x.y?z=1. Then go", ["see https://a.example/x.y?z=1.", "Then go"]),
        ("hmm... use npm", ["hmm... use npm"]),
        ("hmm ... use npm", ["hmm ... use npm"]),
        ("wait… Now use npm", ["wait…", "Now use npm"]),
        ("tests, docs etc. always pass", ["tests, docs etc. always pass"]),
        ("tests, docs etc. Always", ["tests, docs etc.", "Always"]),
        ("item no. 5 is ok. no. fine", ["item no. 5 is ok.", "no.", "fine"]),
        ("Dr. Lee reviews it. ok", ["Dr. Lee reviews it.", "ok"]),
        ('you asked "who reviews?" it\'s Noor', ['you asked "who reviews?" it\'s Noor']),
        ("以后一律用pnpm，不要用npm。然后呢？好", ["以后一律用pnpm，不要用npm。", "然后呢？", "好"]),
        ("use pnpm here\ntoday i want x", ["use pnpm here", "today i want x"]),
        ("use pnpm here\n\nand today", ["use pnpm here", "and today"]),
        ("never touch src/a\nexcept this once", ["never touch src/a\nexcept this once"]),
        ("we use pnpm,\nalways", ["we use pnpm,\nalways"]),
        (f"{LONG}\nwrapped goes on", [f"{LONG}\nwrapped goes on"]),
        (f"{LONG}\nNew line", [LONG, "New line"]),
        ("- use npm\n- use uv", ["use npm", "use uv"]),
        ("always run:\n    make check", ["always run:\n    make check"]),
        ("always run:\n\nmake check", ["always run:", "make check"]),
        ("1. use npm\n2) use uv", ["use npm", "use uv"]),
        ("- [x] use npm", ["use npm"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert expected == [text[s.start : s.end] for s in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "item", "intro"),
    [
        ("for this PR only:\n- use npm\n- skip lint", "skip lint", "for this PR only:"),
        ("todo today\n- use npm", "use npm", "todo today"),
        ("Hi. for this PR only:\n- use npm", "use npm", "for this PR only:"),
        ("for today:\n\n1. use npm", "use npm", "for today:"),
        ("- use npm", "use npm", None),
        ("- fix it today\n- use npm\n- go on", "use npm", None),
        ("for today:\n- fix it\n- use npm. twice\n- go on", "go on", "for today:"),
        ("We talked.\n\n- use npm", "use npm", None),
        ("for today:\n- use npm\n\nnever touch it", "never touch it", None),
        ("for today:\n- use npm. and yarn", "and yarn", "for today:"),
    ],
)
def test_a_list_item_belongs_to_the_line_that_introduces_its_list(text: str, item: str, intro: str | None) -> None:
    found = next(s for s in split_sentences(text) if text[s.start : s.end] == item)
    assert intro == (text[found.intro[0] : found.intro[1]] if found.intro else None)


@given(st.text(alphabet="éü .!?\n-`1/:)…。", max_size=80))  # no letter that is a list mark ("a)")
def test_sentences_cover_every_letter_in_order(text: str) -> None:
    sentences = split_sentences(text)
    covered = "".join(text[s.start : s.end] for s in sentences)
    assert [c for c in text if c in "éü/`"] == [c for c in covered if c in "éü/`"]
    assert all(one.end <= other.start for one, other in pairwise(sentences))
