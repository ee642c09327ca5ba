"""Every command that a message, a help text or a document tells people to type can be typed."""

from __future__ import annotations

import ast
import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from afterpass.cli import parse

ROOT = Path(__file__).parents[2]
ROOMS = ("policy", "transcripts", "extractors", "validators", "store", "flows", "afterpass")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "CHANGELOG.md"]

NAMED = re.compile(r"`afterpass ([^`]+)`")
TYPED = re.compile(r"^(?:\$ |\.venv/bin/)?afterpass ([^#\n]+)", re.MULTILINE)


def _text(node: ast.expr) -> str | None:
    """A string as it is told, with ``X`` for what is put into it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "X" for part in node.values)
    return None


def _told() -> Iterator[tuple[str, str]]:
    """Where a command is named, and its words."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                text = _text(node) if isinstance(node, ast.expr) else None
                for words in [*NAMED.findall(text), *TYPED.findall(text)] if text else ():
                    yield str(path.relative_to(ROOT)), words
    for path in DOCUMENTS:
        text = path.read_text("utf-8")
        for words in [*NAMED.findall(text), *TYPED.findall(text)]:
            yield path.name, words


def _words(command: str) -> list[str]:
    """The words to type. What stands in brackets may be left out."""
    return shlex.split(re.sub(r"\[[^\]]*\]", "", command).replace("AGENT", "codex").replace("…", "X"))


@pytest.mark.parametrize(("where", "command"), sorted(set(_told())))
def test_it_can_be_typed(where: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In prose a command may be named without what it needs; what is only known when it is told fits everywhere."""
    words = _words(command)
    with contextlib.suppress(SystemExit):
        parse(words)
    said = capsys.readouterr().err
    assert not said or "arguments are required" in said or "invalid choice: 'X'" in said, f"{where}: {said}"
