"""A short statement in the developer's own words."""

from __future__ import annotations

import unicodedata

from validators.fold import fold_text, trim
from validators.sentences import split_sentences
from validators.values.words import begins_name, ends_name

MOST = 200  # characters of one sentence


def clean(value: str) -> str:
    """The statement on one line."""
    return " ".join(unicodedata.normalize("NFC", value).split())


def check(value: str) -> str | None:
    """A problem unless the value is one sentence of at most 200 characters."""
    if not any(c.isalnum() for c in value):
        return "says nothing"
    if value.isascii() and len(value.split()) == 1:
        return "one word, which states nothing"
    if len(value) > MOST:
        return f"longer than {MOST} characters"
    return "more than one sentence" if len(split_sentences(value)) > 1 else None


def normalise(value: str) -> str:
    """Statements are compared under the fold of quotes."""
    return trim(fold_text(value))


def supported(value: str, text: str) -> bool:
    """Whether the statement stands in the text word for word."""
    wanted, folded = normalise(value), fold_text(text)
    at = folded.find(wanted) if wanted else -1
    while at >= 0:
        if begins_name(folded, at) and ends_name(folded, at + len(wanted)):
            return True
        at = folded.find(wanted, at + 1)
    return False
