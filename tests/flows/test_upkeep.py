"""Upkeep: leftovers go, what was pending is taken up, and a silence is noticed."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.run import Order, carry_out
from flows.upkeep import remove_leftovers, upkeep, week
from policy.settings import Settings
from store.store import Store
from tests.flows.conftest import Write

USE = "we use pnpm here"


def test_only_old_temporary_files_of_hooks_are_removed(settings: Settings) -> None:
    settings.inbox.mkdir(parents=True)
    for name in (".1-1.tmp", ".2-2.tmp", "3-3.json", "4-4.bad"):
        (settings.inbox / name).write_text("{}")
    old = time.time() - 2 * 3600
    for name in (".1-1.tmp", "3-3.json", "4-4.bad"):
        os.utime(settings.inbox / name, (old, old))
    assert 1 == remove_leftovers(settings.inbox)
    assert [".2-2.tmp", "3-3.json", "4-4.bad"] == sorted(file.name for file in settings.inbox.iterdir())


def test_without_an_inbox_there_is_nothing_to_remove(tmp_path: Path) -> None:
    assert 0 == remove_leftovers(tmp_path / "absent")


def test_pending_sessions_are_taken_up_and_nothing_else(settings: Settings, write: Write) -> None:
    path = write("a", [("developer", USE)])
    with pytest.raises(KeyboardInterrupt):
        carry_out(Order(settings, (path,)), progress=_interrupt)
    write("b", [("developer", USE)])
    assert {"done": 1, "skipped": 0, "pending": 0, "failed": 0} == upkeep(settings).sessions
    with Store(settings.home).connect() as db:
        assert ["neutral:a"] == [row.key for row in db.sessions()]
    assert {} == upkeep(settings).sessions


def test_the_store_ends_what_is_over(settings: Settings, write: Write) -> None:
    write("a", [("developer", "until 15 July 2026 staging deploys from freeze")])
    carry_out(Order(settings, settings.roots))
    with Store(settings.home).connect() as db:
        (fact,) = db.facts()
    assert [fact.id] == upkeep(settings).store["expired"]
    with Store(settings.home).connect() as db:
        assert [("freeze", "expired")] == [(found.value, found.state.value) for found in db.facts(all=True)]


def _interrupt(stage: str, _through: int, _total: int) -> None:
    if stage == "deciding":
        raise KeyboardInterrupt


def test_a_good_week_raises_no_alarm(settings: Settings, write: Write) -> None:
    carry_out(Order(settings, (write("a", [("developer", USE)]),)))
    found = week(settings)
    assert (1, (), 0) == (found.passes, found.alarms, found.hooks_waiting)
    assert found.to_json() == json.loads(json.dumps(found.to_json()))


def test_a_week_without_a_pass_is_noticed(settings: Settings, write: Write) -> None:
    carry_out(Order(settings, (write("a", [("developer", USE)]),)))
    (alarm,) = week(settings, datetime.now(UTC) + timedelta(days=8)).alarms
    assert "no pass ran in 7 days" in alarm


def test_passes_that_read_nothing_are_noticed(settings: Settings) -> None:
    carry_out(Order(settings, environ={"HOME": "/nowhere"}))
    (alarm,) = week(settings).alarms
    assert "1 passes in 7 days read no session" in alarm


def test_failures_dead_passes_and_old_markers_are_noticed(settings: Settings, write: Write) -> None:
    path = write("a", [("developer", USE)])
    unreachable = replace(settings, extractor="openai", model="m", base_url="http://127.0.0.1:9/v1", timeout=1)
    carry_out(Order(unreachable, (path,)))
    now = datetime.now(UTC)
    with Store(settings.home).connect() as db:
        db.begin_pass("hook", worker="w", now=now - timedelta(hours=13))
    settings.inbox.mkdir(parents=True)
    told = {"event": "SessionEnd", "session": "s", "path": None, "cwd": None}
    (settings.inbox / "1-1.json").write_text(json.dumps(told | {"at": (now - timedelta(days=3)).timestamp()}))
    alarms = "\n".join(week(settings, now).alarms)
    assert "1 sessions are left with an error" in alarms
    assert "1 passes began and never ended" in alarms
    assert "1 hook markers are older than two days" in alarms
