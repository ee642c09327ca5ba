"""A branch, tag pattern, host or environment name."""

from __future__ import annotations

import re
import unicodedata

from transcripts.lazy import lazy
from validators.values.words import FUNCTION_WORDS, stands_in, unpunctuated, unwrap

MOST = 120  # characters
GLUE = "#@+[{$%"  # marks that git allows within a name
NOUN = lazy(
    r"(?:the\s+)?(?:(?:branch|tag|host|environment|env)s?\s+)?(?P<name>\S+)(?:\s+(?:branch|tag|tags|host|environment|env))?",
    re.I,
)
# What git forbids in a name, apart from the marks of a tag pattern and a host's port.
FORBIDDEN = lazy(r"[\s~^\\\x00-\x1f\x7f]|\.\.|@\{|//(?<!://)|[;&|$<>(){}!\"'`,=%]|\.lock$|\.$|^[-/.]|/$")
URL = lazy(r"https?://[a-z0-9.-]+(?::[0-9]+)?(?:/[\w./~-]*)?", re.IGNORECASE)


def clean(value: str) -> str:
    """The name alone: ``the branch main`` is ``main``."""
    bare = unicodedata.normalize("NFKC", unwrap(value)).rstrip(",;:!?。，").strip()
    bare = bare.rstrip(".") if not bare.endswith("..") else bare
    match = NOUN.fullmatch(bare)
    return unpunctuated(match["name"]) if match and match["name"].casefold() not in FUNCTION_WORDS else unwrap(bare)


def check(value: str) -> str | None:
    """A problem unless git would allow the name, or it is a pattern of such names, a host or an environment."""
    if not value:
        return "empty"
    if len(value) > MOST:
        return f"longer than {MOST} characters"
    if URL.fullmatch(value):
        return None
    if value.casefold() in FUNCTION_WORDS or not any(c.isalnum() or c == "*" for c in value):
        return "no name"
    found = FORBIDDEN.search(value)
    return f"no branch, tag pattern, host or environment: it holds {found.group()!r}" if found else None


def normalise(value: str) -> str:
    """Names are compared without their case and without ``refs/heads/`` or ``refs/tags/``."""
    return re.sub(r"^refs/(?:heads|tags)/", "", clean(value).casefold())


def supported(value: str, text: str) -> bool:
    """Whether the text names it: ``main`` does not stand in ``feature/main``, ``main-2`` or ``main#2``."""
    return stands_in(value, text, glue=GLUE)
