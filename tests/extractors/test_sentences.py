"""Cutting chat into sentences and clauses."""

from __future__ import annotations

import pytest

from extractors.cues.sentences import clause_end, clause_start, sentences


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("it is the jira key. ours is SHOP- plus", ["it is the jira key.", "ours is SHOP- plus"]),
        ("edit src/app.py to v1.2.3 please", ["edit src/app.py to v1.2.3 please"]),
        ("run `make a. b` always. then stop", ["run `make a. b` always.", "then stop"]),
        ("some tools, e.g. ruff, are slow. ok", ["some tools, e.g. ruff, are slow.", "ok"]),
        ("1. use tabs\n2. no semicolons", ["use tabs", "no semicolons"]),
        ("- first\n- second thing", ["first", "second thing"]),
        ("this line is\nwrapped here", ["this line is\nwrapped here"]),
        ("why npm? we use pnpm", ["why npm?", "we use pnpm"]),
        ('"Great. End it with that."', ["Great.", 'End it with that."']),
        ("一律用pnpm。不要用npm。", ["一律用pnpm。", "不要用npm。"]),
        ("   \n\n ", []),
    ],
)  # fmt: skip
def test_sentences(text: str, cut: list[str]) -> None:
    """Sentences come in order, each exactly as it stands at its place."""
    found = sentences(text)
    assert cut == [one.text for one in found]
    assert cut == [text[one.start : one.end] for one in found]


@pytest.mark.parametrize(
    ("sentence", "word", "clause"),
    [
        ("the docs are wrong, lint runs with ruff, always", "lint", "lint runs with ruff"),
        ("use `a, b` here; not there", "here", "use `a, b` here"),
        ("one fact", "one", "one fact"),
    ],
)
def test_clause(sentence: str, word: str, clause: str) -> None:
    """A clause ends at commas, colons and conjunctions, never inside back-ticks."""
    at = sentence.index(word)
    assert clause == sentence[clause_start(sentence, at) : clause_end(sentence, at)].strip()
