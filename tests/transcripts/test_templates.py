"""Custom commands: what a file says stands in the developer's place, and only the arguments are his words."""

# ruff: noqa: E501 - a case stays on one line

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts.test_reported import codex, event, said
from tests.transcripts.test_reported_others import GEMINI, gemini
from tests.transcripts.test_traps import read, told, typed

BODY = "Review the change with care.\nAlways run the tests with tox, and never skip one.\n"
Read = Callable[[Path, str], Any]


def in_opencode(cwd: Path, message: str) -> Any:
    told = [("user", message), ("assistant", "ok"), ("user", "go")]
    messages = [
        {"info": {"id": f"m{n}", "role": role, "time": {}}, "parts": [{"type": "text", "text": words}]}
        for n, (role, words) in enumerate(told)
    ]
    return {"info": {"id": "s", "projectID": "p", "directory": str(cwd), "time": {}}, "messages": messages}


def in_codex(cwd: Path, message: str) -> Any:
    return [
        codex("session_meta", id="s", cwd=str(cwd), source="cli"),
        event(message),
        said("assistant", "ok"),
        event("go"),
    ]


def in_gemini(cwd: Path, message: str) -> Any:
    told = [gemini("a", message), gemini("b", "ok", "gemini"), gemini("c", "go")]
    return GEMINI | {"directories": [str(cwd)], "messages": told}


def in_pi(cwd: Path, message: str) -> Any:
    told = [("user", message), ("assistant", "ok"), ("user", "go")]
    lines = [{"type": "message", "message": {"role": role, "content": words}} for role, words in told]
    return [{"type": "session", "id": "p", "cwd": str(cwd)}, *lines]


AGENTS: dict[str, tuple[str, Read]] = {
    "opencode": (".opencode/command/review.md", in_opencode),
    "opencode, the other name": (".opencode/commands/team/review.md", in_opencode),
    "codex": (".codex/prompts/review.md", in_codex),
    "gemini-cli": (".gemini/commands/review.toml", in_gemini),
    "pi": (".pi/prompts/review.md", in_pi),
}

# name: (the template, the message that was made of it, the words that were typed)
COMMANDS = {
    "an argument": (BODY + "Look at $ARGUMENTS first.", BODY + "Look at only src/ first.", ["only src/"]),
    "no argument": (BODY, BODY, []),
    "two arguments": (BODY + "$1 before $2", BODY + "db before web", ["db", "web"]),
    "an argument behind it": (BODY, BODY.strip() + "\n\nonly src/ please", ["only src/ please"]),
    "a line that is typed": (BODY, "always run the tests with pytest, and never skip one", ["always run the tests with pytest, and never skip one"]),
    "a short template": ("fix $ARGUMENTS", "fix the login and never touch legacy/ again", ["fix the login and never touch legacy/ again"]),
}  # fmt: skip


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", COMMANDS)
def test_only_the_arguments_of_a_command_are_typed(name: str, agent: str, tmp_path: Path) -> None:
    template, message, expected = COMMANDS[name]
    place, session = AGENTS[agent]
    file = tmp_path / "shop" / place
    file.parent.mkdir(parents=True)
    quoted = template.replace("$ARGUMENTS", "{{args}}") if file.suffix == ".toml" else template
    file.write_text(
        f"prompt = '''\n{quoted}'''\n" if file.suffix == ".toml" else f"---\nmodel: x\n---\n{quoted}", "utf-8"
    )
    assert typed(*expected, "go") == told(read(tmp_path / "x", session(tmp_path / "shop", message)))


def test_what_a_command_of_the_template_printed_is_no_argument(tmp_path: Path) -> None:
    file = tmp_path / ".opencode" / "command" / "x.md"
    file.parent.mkdir(parents=True)
    file.write_text(BODY + "The branch is !`git branch`. Do $ARGUMENTS.", "utf-8")
    message = BODY + "The branch is always-use-yarn. Do the rest."
    assert typed("the rest", "go") == told(read(tmp_path / "x", in_opencode(tmp_path, message)))


def test_commands_of_the_home_count_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    file = tmp_path / "home" / ".config" / "opencode" / "command" / "x.md"
    file.parent.mkdir(parents=True)
    file.write_text(BODY, "utf-8")
    assert typed("go") == told(read(tmp_path / "x", in_opencode(tmp_path / "shop", BODY)))


def test_a_template_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    folder = tmp_path / ".gemini" / "commands"
    folder.mkdir(parents=True)
    (folder / "broken.toml").write_text("prompt = ", "utf-8")
    (folder / "other.toml").write_text("prompt = 5\n", "utf-8")
    (folder / "folder.md").mkdir()
    message = "a message of more than forty characters, typed by hand"
    assert typed(message, "go") == told(read(tmp_path / "x", in_gemini(tmp_path, message)))
