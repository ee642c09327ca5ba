"""Words as the phrases see them: contractions written out, code opaque, separators of all scripts in one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.language.tokens import tokenise

SPELLING = {"dont": ("do", "not"), "tmrw": ("tomorrow",)}


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("we are on pnpm .", "We're on pnpm."),
        ("do not ever", "don't ever"),
        ("do not ever", "dont ever"),
        ("will not can not is not", "won't can't ain't"),
        ("it is what is let us", "it's what's let's"),
        ("noor 's pr", "Noor's PR"),
        ("today 's standup", "today’s standup"),
        ("i would have i will", "i'd have i'll"),
        ("run `make now", "run `make` now"),
        ("edit src/*.ts and .env , e.g , v1.2", "edit src/*.ts and .env, e.g. v1.2"),
        ("go test ./... -race , ok", "go test ./... -race, ok"),
        ("wait … what ?", "wait... what?!"),
        ("a — b — c", "a - b — c"),
        ("use pnpm , not npm .", "use ｐｎｐｍ，not npm。"),
        ("不 要 用 npm", "不要用npm"),
        ("n' utilise pas d' abord", "n'utilise pas d'abord"),
        ("rule : nobody edits it", "rule:\nnobody edits it"),
        ("use npm for this one", "use npm\nfor this one"),
        ("a \n — b", "a\n- b"),
        ("see https://x.dev/?q=1 .", "see https://x.dev/?q=1."),
        ("tests:unit", "tests:unit"),
        ("always", "**always**"),
        ("say no", 'say "no"'),
        ("tomorrow", "tmrw"),
        ("1 , fix 2 .", "1. fix 2."),
    ],
)
def test_words(expected: str, text: str) -> None:
    assert expected.split(" ") == tokenise(text, SPELLING).words


@given(st.text(max_size=200))
def test_spans_lie_in_the_text_in_order(text: str) -> None:
    tokens = tokenise(text, SPELLING)
    assert len(tokens.words) == len(tokens.starts) == len(tokens.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(tokens.starts, tokens.ends, strict=True))
    assert tokens.starts == sorted(tokens.starts)
