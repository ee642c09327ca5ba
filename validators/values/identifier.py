"""A prefix, key, account or ticket pattern."""

from __future__ import annotations

import unicodedata

from validators.fold import QUOTES
from validators.values.words import function_words, stands_in, unwrap

MOST_WORDS, MOST = 4, 100


def clean(value: str) -> str:
    """The pattern without outer marks; its own punctuation belongs to it."""
    bare = unicodedata.normalize("NFKC", unwrap(value)).rstrip(",;!?。，").strip()
    return unwrap(bare[:-1]) if bare.endswith(".") and (bare[-2:-1].isalnum() or bare[-2:-1] in QUOTES) else bare


def check(value: str) -> str | None:
    """A problem unless the value is short and no sentence."""
    if not any(c.isalnum() for c in value):
        return "holds no letter and no digit"
    if len(value) > MOST:
        return f"longer than {MOST} characters"
    if len(value.split()) > MOST_WORDS or function_words(value):
        return "a sentence, not a pattern"
    return None


def normalise(value: str) -> str:
    """Patterns are compared as they are: their case may matter."""
    return clean(value)


def supported(value: str, text: str) -> bool:
    """Whether the text holds the pattern; a prefix may be followed by what it is the prefix of."""
    return stands_in(value, text, open_end=True)
