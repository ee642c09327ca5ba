"""Which files a repository marks as made by a program or brought in from outside."""

from __future__ import annotations

from pathlib import Path

from transcripts.lazy import lazy
from validators.context import Hint
from validators.machine_read import codeowners
from validators.machine_read.files import text_of

ATTRIBUTES = ("linguist-generated", "linguist-vendored")
HEAD_BYTES, HEAD_LINES = 4096, 20
HEAD = lazy(
    r"^\s*(?://|#|/\*|\*|--|;|%|<!--).*?(?:(?<!not )(?<![\w@])@generated\b|\bCode generated\b.*\bDO NOT EDIT\b)"
)


def mark_on(root: Path, path: str) -> Hint | None:
    """What says that no hand edits a file: the pattern in ``.gitattributes``, else the file's own first lines."""
    pattern = _by_attributes(text_of(root / ".gitattributes") or "", path)
    if pattern is not None:
        return Hint(pattern, ".gitattributes")
    return Hint(path, path) if any(HEAD.match(line) for line in _head(root, path)) else None


def _by_attributes(text: str, path: str) -> str | None:
    """The pattern that sets one of the attributes for a path; of each attribute the last line that matches decides."""
    decided: dict[str, str | None] = {}
    for line in text.splitlines():
        pattern, *said = line.split() or [""]
        if not said or pattern.startswith(("#", '"', "[")) or not codeowners.regex(pattern).fullmatch(path):
            continue
        for word in said:
            name, _, value = word.lstrip("-!").partition("=")
            if name in ATTRIBUTES:
                decided[name] = pattern if word[0] not in "-!" and value in ("", "true") else None
    return next((pattern for pattern in decided.values() if pattern is not None), None)


def _head(root: Path, path: str) -> list[str]:
    """The first lines of a file of the checkout; none of what lies outside or cannot be read."""
    try:
        file = (root / path).resolve()
        if not file.is_relative_to(root.resolve()) or not file.is_file():
            return []
        with file.open("rb") as stream:
            return stream.read(HEAD_BYTES).decode("utf-8", "replace").splitlines()[:HEAD_LINES]
    except (OSError, ValueError):
        return []
