"""Taking a forgotten value out of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

MARK = "[forgotten]"


@dataclass(frozen=True, slots=True)
class Scrub:
    """Knows some values and takes them out of texts: whole words, whatever their case and white space."""

    pattern: re.Pattern[str] | None

    @classmethod
    def of(cls, values: Iterable[str]) -> Scrub:
        """A scrub for these values, as they are and as they stand inside JSON."""
        wanted = {value.strip() for value in values if value.strip()}
        wanted |= {json.dumps(value, ensure_ascii=ascii_only)[1:-1] for value in wanted for ascii_only in (True, False)}
        if not wanted:
            return cls(None)
        ordered = sorted(wanted, key=lambda value: (-len(value), value))
        return cls(re.compile("|".join(map(_one, ordered)), re.IGNORECASE))

    def finds(self, text: str | None) -> bool:
        """Whether one of the values stands in the text."""
        return bool(self.pattern and text and self.pattern.search(text))

    def take_out(self, text: str) -> str:
        """The text without the values."""
        return self.pattern.sub(" ", text) if self.pattern else text

    def clean(self, text: str, keep: Iterable[str] = ()) -> str:
        """The text with the values replaced, except inside the stretches to keep, which other facts rest on."""
        if self.pattern is None:
            return text
        kept = [span for stretch in keep if stretch for span in _spans(text, stretch)]

        def replaced(match: re.Match[str]) -> str:
            inside = any(start <= match.start() and match.end() <= end for start, end in kept)
            return match[0] if inside else MARK

        return self.pattern.sub(replaced, text)


def _one(value: str) -> str:
    body = r"\s+".join(re.escape(word) for word in value.split())
    before = r"(?<!\w)" if re.match(r"\w", value) else ""
    after = r"(?!\w)" if re.search(r"\w$", value) else ""
    return before + body + after


def _spans(text: str, stretch: str) -> Iterable[tuple[int, int]]:
    start = text.find(stretch)
    while start >= 0:
        yield start, start + len(stretch)
        start = text.find(stretch, start + 1)
