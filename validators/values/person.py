"""A person or a team."""

from __future__ import annotations

import re
import unicodedata

from transcripts.lazy import lazy
from validators.values.words import FUNCTION_WORDS, stands_in, unpunctuated

MOST_WORDS, MOST = 7, 80
SHAPE = lazy(r"@?[^\W_][\w.'’@/+&-]*(?:,?\s+(?:&|\+|@?[^\W_][\w.'’@/+-]*\.?))*")
JOINING = frozenset({"and", "or", "the", "of", "from"})  # "Priya and Tom", "the head of data", "Tom from infra"
NOBODY = frozenset(
    {
        "me",
        "myself",
        "i",
        "us",
        "him",
        "her",
        "them",
        "himself",
        "herself",
        "none",
        "nobody",
        "tbd",
        "ai",
        "claude",
        "codex",
        "assistant",
    }
)

COUNTED = frozenset({"approval", "approvals", "lgtm", "lgtms", "sign-off", "sign-offs"})


def clean(value: str) -> str:
    """The name without an article or outer marks."""
    bare = " ".join(unicodedata.normalize("NFKC", unpunctuated(value)).split())
    return re.sub(r"^the\s+(?=\S)", "", bare, flags=re.IGNORECASE)


def check(value: str) -> str | None:
    """A problem unless the value looks like a name, a handle or a team."""
    words = value.casefold().replace(",", " ").split()
    if not words or not SHAPE.fullmatch(value):
        return "no person or team"
    if len(words) > MOST_WORDS or len(value) > MOST:
        return "longer than a person's or a team's name"
    if set(words) & NOBODY and len(words) == 1:
        return "names nobody in particular"
    if COUNTED & set(words):
        return "a number of approvals, not a person or team"
    prose = [w for w in words if w in FUNCTION_WORDS - JOINING]
    return f"no person or team: {prose[0]!r} belongs to a sentence" if prose else None


def normalise(value: str) -> str:
    """Names are compared without case, ``@`` and the word team at their end."""
    bare = clean(value).casefold().lstrip("@")
    return re.sub(r"(?<=\S)[\s-]+team$", "", bare)


def supported(value: str, text: str) -> bool:
    """Whether the text names the person or team."""
    return stands_in(value, text) or (value.startswith("@") and stands_in(value[1:], text))
