"""What a developer asks to be forgotten, without a model: from the words in a session to the state of the fact."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.person import Person

RULES = (
    "we use pnpm here",
    "staging always deploys from the branch preview",
    "never touch legacy/",
    "run the tests with make test-fast",
)


@pytest.fixture
def told(person: Person) -> Person:
    """Somebody who stated four rules on the first of June."""
    write(person.sessions / "rules.jsonl", 1, *RULES)
    return person


def write(path: Path, day: int, *texts: str) -> None:
    header = {
        "afterpass": 1,
        "session": path.stem,
        "repo": "github.com/acme/webapp",
        "ended": f"2026-06-{day:02}T10:00Z",
    }
    turns = [{"speaker": "developer", "time": f"2026-06-{day:02}T09:00:00Z", "text": text} for text in texts]
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *turns]), "utf-8")


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("forget what I said about staging", {"pnpm", "legacy/", "make test-fast"}),
        ("please forget pnpm", {"preview", "legacy/", "make test-fast"}),
        ("please forget what I told you about legacy/, you can edit it", {"pnpm", "preview", "make test-fast"}),
        ("forget the test command", {"pnpm", "preview", "legacy/"}),
        ("did I forget what I said about staging?", {"pnpm", "preview", "legacy/", "make test-fast"}),
        ("don't forget to run the tests", {"pnpm", "preview", "legacy/", "make test-fast"}),
        ("never forget pnpm", {"pnpm", "preview", "legacy/", "make test-fast"}),
        ("please forget what I said about billing", {"pnpm", "preview", "legacy/", "make test-fast"}),
    ],
)
def test_only_what_was_asked_for_is_forgotten(told: Person, said: str, left: set[str]) -> None:
    write(told.sessions / "later.jsonl", 2, said)
    done = told.runs()
    assert 0 == done.returncode, done.stderr
    assert left == set(told.values)
