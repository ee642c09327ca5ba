"""Regular expressions mean the same on every Python that is supported."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parents[2]
PACKAGES = ("afterpass", "extractors", "flows", "policy", "store", "transcripts", "validators")
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+|\(\?>")


def test_no_group_is_possessive_or_atomic() -> None:
    """Python 3.11.0 to 3.11.4 lose their place in one whose inner repetition fails: ``(?: \\w+)*+`` eats a blank."""
    found = [
        f"{path.relative_to(HERE)}:{number}"
        for package in PACKAGES
        for path in sorted((HERE / package).rglob("*"))
        if path.suffix in {".py", ".toml"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if POSSESSIVE_GROUP.search(line)
    ]
    assert [] == found
