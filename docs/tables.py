"""The tables of the published pages, made from the program itself; ``make docs`` fails when a page is out of date."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence

from afterpass.cli import COMMANDS
from afterpass.exits import Exit
from policy.load import load_policy
from validators.verdict import Code

SETTINGS = {
    "extractor": "who proposes: `auto`, `cues`, `ollama` or `openai`; `auto` takes a model where one is configured",
    "model": "the model's name at the server",
    "base_url": "the model server",
    "timeout": "the longest wait for one model call, in seconds",
    "lock_timeout": "the longest wait for another process that holds the store, in seconds",
    "store": "a `postgresql://` address for a team's store; without one, a file in the home",
    "policy": "a policy file laid over the shipped one",
    "api_key": "the model server's key; `OPENAI_API_KEY` counts too",
    "notes": "let the model that proposes write a short note of each session; the cues alone write none",
    "embedding_model": "a model of the same server that makes vectors of notes; without one their words are searched",
    "roots": "folders to search besides the agents' own",
    "idle_minutes": "how long a session rests before it counts as finished without a hook",
    "turn_end_minutes": "how long it rests after a hook that only says that a turn has ended",
    "workers": "how many sessions are proposed for at the same time",
    "prefect": "run passes as Prefect flow runs",
    "automation": "count what programs sent as the developer's words",
    "developer": "who you are, where neither the transcript nor git says it",
    "since": "leave out sessions that ended before this day",
    "repositories": 'whose directory a path was: `"/home/dana/src/webapp" = "github.com/acme/webapp"`',
    "developers": 'who is meant by a name that a transcript gives: `dana = "dana@acme.example"`',
    "team": "the team whose rows are seen in a shared store",
}


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


def task_kinds() -> str:
    """Every kind of work of the shipped policy: what it needs, and a task of it."""
    kinds = load_policy().tasks.items()
    rows = [(kind, ", ".join(f"`{name}`" for name in table.types), table.examples[0]) for kind, table in kinds]
    return markdown(("kind of work", "needs", "such as"), rows)


def note_ranking() -> str:
    """The shipped ranking of notes, as it stands in the policy file."""
    from policy.load import DEFAULT

    table = DEFAULT.read_text(encoding="utf-8").partition("[notes]")[2]
    return f"\n```toml\n[notes]{table.rstrip()}\n```\n\n"


def exit_codes() -> str:
    """Every exit code with what it says."""
    import ast

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
    return "\n" + "\n".join(f"### `{code}`\n\n{_documented(code)}\n" for code in Code) + "\n"


def _documented(code: Code) -> str:
    """One file per code, its docstring; the three labels of an extractor share a file and have a function each."""
    if code.value.startswith("kind_"):
        source = getattr(importlib.import_module("validators.kind"), "check_" + code.value.removeprefix("kind_"))
    else:
        source = importlib.import_module(f"validators.{code.value}")
    return inspect.cleandoc(source.__doc__ or "").replace("``", "`").replace("Remedy:", "\nRemedy:")


def settings() -> str:
    """Every key of ``settings.toml`` with its environment variable and its default."""
    from policy.settings import Settings

    rows = []
    for field in dataclasses.fields(Settings):
        if field.name == "home":
            continue
        default = (
            ""
            if field.default in (None, ())
            else str(field.default).lower()
            if isinstance(field.default, bool)
            else str(field.default)
        )
        variable = "" if field.name in {"repositories", "developers"} else f"`AFTERPASS_{field.name.upper()}`"
        rows.append((f"`{field.name}`", variable, default, SETTINGS[field.name]))
    return markdown(("key", "variable", "default", "what it says"), rows)
