"""The tables of the published pages, made from the program itself; ``make docs`` fails when a page is out of date."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence

from afterpass.cli import COMMANDS
from afterpass.exits import Exit
from policy.load import load_policy
from validators.verdict import Code


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; bars inside cells are escaped."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n" + "\n".join(lines) + "\n\n"


def fact_types() -> str:
    """Every fact type of the shipped policy."""
    rows = []
    for kind in load_policy().types.values():
        trust = "none" if kind.trust_days is None else str(kind.trust_days)
        gate = str(kind.gate)
        rows.append(
            (
                f"`{kind.name}`",
                kind.scope,
                kind.subject,
                kind.value,
                "yes" if kind.multi else "no",
                kind.stakes,
                gate,
                trust,
                kind.past_trust,
            )
        )
    head = ("type", "whose", "subject", "value", "multi", "stakes", "gate", "trust days", "past trust")
    return markdown(head, rows)


def exit_codes() -> str:
    """Every exit code with what it says."""
    import ast
    import inspect

    import afterpass.exits

    body = ast.parse(inspect.getsource(afterpass.exits)).body[-1]
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - the shape of our own file
    texts = [n.value.value for n in body.body[1:] if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)]
    return markdown(("code", "meaning"), [(str(int(code)), str(text)) for code, text in zip(Exit, texts, strict=True)])


def commands() -> str:
    """Every command with its one line."""
    return markdown(("command", "does"), [(f"`afterpass {name}`", summary) for name, summary in COMMANDS.items()])


def help_of(*words: str) -> str:
    """The real ``--help`` of a command, at a fixed width."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    command = [sys.executable, "-I", "-m", "afterpass", *words, "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    return f"\n```text\n{shown.strip()}\n```\n\n"


def reasons() -> str:
    """Every reason code with its cause and remedy: the docstring of the check that gives it."""
    parts = []
    for code in Code:
        documented = _documented(code)
        if documented:
            parts.append(f"### `{code}`\n\n{documented}\n")
    return "\n" + "\n".join(parts) + "\n"


def _documented(code: Code) -> str:
    import inspect

    from validators.checks import DOCUMENTED

    module = importlib.import_module(DOCUMENTED[code])
    return inspect.cleandoc(module.__doc__ or "")
