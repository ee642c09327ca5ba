"""Sessions of which only the prompts are left: taken once, and never beside the session itself."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.result import RunResult
from flows.run import Order, carry_out
from policy.settings import Settings
from store.store import Store

BEGAN = 1_777_881_600_000  # 4 May 2026, 08:00 UTC, in milliseconds
DAY = 86_400_000
SAID = "We use pnpm here."


@pytest.fixture
def agent(settings: Settings) -> Path:
    """An agent's folder, in which a pass looks."""
    (settings.roots[0] / "projects/-home-dana-shop").mkdir(parents=True)
    return settings.roots[0]


@pytest.fixture
def go(settings: Settings, environ: dict[str, str]) -> Callable[[], RunResult]:
    return lambda: carry_out(Order(settings, (), environ=environ))


def history(agent: Path, *prompts: tuple[str, int, str]) -> Path:
    path = agent / "history.jsonl"
    place = {"pastedContents": {}, "project": "/home/dana/shop"}
    lines = [{"display": text, "timestamp": at, "sessionId": ident} | place for ident, at, text in prompts]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return rested(path)


def session(agent: Path, ident: str, *words: str) -> Path:
    path = agent / f"projects/-home-dana-shop/{ident}.jsonl"
    place = {"type": "user", "sessionId": ident, "cwd": "/home/dana/shop", "timestamp": "2026-05-04T08:00:00Z"}
    lines = [
        place | {"uuid": f"{ident}{n}", "message": {"role": "user", "content": text}} for n, text in enumerate(words)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return rested(path)


def rested(path: Path) -> Path:
    os.utime(path, (BEGAN / 1000 + 3600, BEGAN / 1000 + 3600))
    return path


def facts(settings: Settings) -> list[tuple[str, int]]:
    with Store(settings.home).connect() as db:
        return sorted((fact.value, fact.times_stated) for fact in db.facts())


def test_claude_code_20612_the_prompts_of_a_session_whose_file_was_never_written_are_read(
    agent: Path, go: Callable[[], RunResult], settings: Settings
) -> None:
    history(agent, ("gone", BEGAN, SAID), ("young", BEGAN + 3 * DAY, "Never touch legacy/."))
    assert 1 == go().sessions["done"]
    assert [("pnpm", 1)] == facts(settings)
    assert 0 == go().sessions["done"]


def test_they_are_not_read_beside_the_sessions_own_file(
    agent: Path, go: Callable[[], RunResult], settings: Settings
) -> None:
    session(agent, "here", SAID, "Never touch legacy/.")
    history(agent, ("here", BEGAN, SAID), ("young", BEGAN + 3 * DAY, "go on"))
    assert 1 == go().sessions["done"]
    assert [("legacy/", 1), ("pnpm", 1)] == facts(settings)


def test_a_session_that_was_read_before_its_file_was_deleted_is_not_told_again(
    agent: Path, go: Callable[[], RunResult], settings: Settings
) -> None:
    path = session(agent, "here", SAID)
    go()
    path.unlink()
    history(agent, ("here", BEGAN, SAID), ("gone", BEGAN, "Never touch legacy/."), ("young", BEGAN + 3 * DAY, "go on"))
    assert 1 == go().sessions["done"]
    assert [("legacy/", 1), ("pnpm", 1)] == facts(settings)
