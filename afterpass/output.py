"""Standard output is data, standard error is talk: the one module that writes to either."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def write_json(document: Any) -> None:
    """One JSON document on standard output, nothing else."""
    json.dump(
        document, sys.stdout, ensure_ascii=False, indent=None if os.environ.get("AFTERPASS_COMPACT") else 1, default=str
    )
    sys.stdout.write("\n")
    sys.stdout.flush()


def write_line(text: str = "") -> None:
    """One line of data on standard output."""
    sys.stdout.write(visible(text) + "\n")


def visible(text: str) -> str:
    """The text with every character that would steer the terminal, or turn the line around, spelled out."""
    if text.isprintable():
        return text
    return "".join(
        c if c in "\n\t" or c.isprintable() or unicodedata.category(c) == "Zs" else _escaped(c) for c in text
    )


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def flush() -> None:
    """Let a reader have what was written so far."""
    sys.stdout.flush()


def say(text: str) -> None:
    """One line of talk on standard error."""
    sys.stderr.write(text + "\n")


def slot(kind: str, subject: str) -> str:
    """A slot as people read it: ``deploy_target [staging]``."""
    return f"{kind} [{subject}]" if subject else kind


def console() -> Console:
    """Styled text on standard output, unwrapped. Its closed pipe is told like any other: rich would exit with 1."""
    from rich.console import Console

    class Told(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            raise BrokenPipeError

    return Told(file=sys.stdout, highlight=False, soft_wrap=True)


def write_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on standard output: ruled and coloured on a terminal, plain and unwrapped in a pipe."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 200
    console = Console(file=sys.stdout, width=width, highlight=False)
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column == "id")  # an id is there to be copied
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    with console.capture() as drawn:
        console.print(table)
    lines = (line.rstrip() for line in drawn.get().splitlines())
    sys.stdout.write("\n".join(line for line in lines if line) + "\n\n")
    sys.stdout.flush()
