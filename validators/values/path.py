"""A path or glob inside the repository."""

from __future__ import annotations

import re
import unicodedata

from transcripts.lazy import lazy
from validators.values.words import FUNCTION_WORDS, stands_in, unwrap

MOST = 200
GLUE = "[](){}$#@+%~&="  # marks that file names hold: app/[locale]/(auth)/$generated
EVERYTHING = frozenset({"", ".", "*", "**", "**/*", "/", "*.*", "/*", "/**"})
FORBIDDEN = lazy(r"[\s;&|<>$`\"\x00-\x1f\x7f]|^[a-z][a-z0-9+.-]*://|^~|^-", re.IGNORECASE)


def clean(value: str) -> str:
    """The path without outer marks and without ``./`` in front."""
    bare = unicodedata.normalize("NFKC", unwrap(value)).rstrip(",;:!?。，").strip()
    bare = bare[:-1] if bare.endswith(".") and not bare.endswith("..") and len(bare) > 1 else bare
    return re.sub(r"^(?:\./)+(?=.)", "", bare)


def check(value: str) -> str | None:
    """A problem unless the value is a path or glob that stays inside the repository and names a part of it."""
    if value in EVERYTHING:
        return "names everything, not a part of the repository"
    if len(value) > MOST:
        return f"longer than {MOST} characters"
    if ".." in re.split(r"[/\\]", value):
        return "leaves its directory with '..'"
    found = FORBIDDEN.search(value)
    if found:
        return f"no path or glob: it holds {found.group()!r}"
    return "a word, not a path" if value.casefold() in FUNCTION_WORDS else None


def normalise(value: str) -> str:
    """A directory is the same with and without its slash or ``/**``."""
    bare = clean(value).replace("\\", "/")
    bare = re.sub(r"(?:/\*\*(?:/\*)?)+$", "", bare)
    return bare.rstrip("/") or bare


def supported(value: str, text: str) -> bool:
    """Whether the text holds the path itself: ``src/legacy`` stands neither in ``src/legacy-billing`` nor in
    ``src/legacy/core``.
    """
    bare = normalise(value)
    return any(stands_in(form, text, glue=GLUE) for form in {bare, value, f"{bare}/", f"{bare}/*", f"{bare}/**"})
