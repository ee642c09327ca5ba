"""Files in which an agent keeps all its sessions: each is taken for itself, and once."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from afterpass.sessions import load_session
from extractors.errors import Transient
from extractors.interface import Extraction
from flows.gather import source_of
from flows.keeper import Keeper
from flows.result import RunResult, Tally
from flows.run import Order, carry_out
from flows.session import pass_over_all
from flows.steps import Context
from policy.load import load_policy
from policy.model import Policy
from policy.settings import Settings
from store.store import Store
from store.workers import worker_name
from transcripts.session import Session

BEGAN = 1_777_881_600_000  # 4 May 2026, 08:00 UTC, in milliseconds
Words = Sequence[str]
Make = Callable[[dict[str, "Words"]], Path]


def opencode(path: Path, sessions: dict[str, Words]) -> Path:
    """A database with these sessions; the session named after its parent's id and a slash is a sub-agent's."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript("""
        create table session (id text primary key, parent_id text, directory text, time_created integer);
        create table message (id text primary key, session_id text, time_created integer, data text);
        create table part (id text primary key, message_id text, data text);
    """)
    for hour, (name, words) in enumerate(sessions.items()):
        began, parent = BEGAN + 3_600_000 * hour, name.partition("/")[0] if "/" in name else None
        connection.execute("insert into session values (?, ?, '/home/dana/shop', ?)", (name, parent, began))
        for index, text in enumerate(words):
            message, part = f"{name}-{index}", json.dumps({"type": "text", "text": text})
            data = json.dumps({"role": "user"})
            connection.execute("insert into message values (?, ?, ?, ?)", (message, name, began + index, data))
            connection.execute("insert into part values (?, ?, ?)", (f"{message}a", message, part))
    connection.commit()
    connection.close()
    return rested(path, sessions)


def goose(path: Path, sessions: dict[str, Words]) -> Path:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript("""
        create table sessions (id text primary key, working_dir text, session_type text);
        create table messages (id integer primary key, session_id text, role text, content_json text,
            metadata_json text, created_timestamp integer);
    """)
    for hour, (name, words) in enumerate(sessions.items()):
        kind = "sub_agent" if "/" in name else "user"
        connection.execute("insert into sessions values (?, '/home/dana/shop', ?)", (name, kind))
        for text in words:
            content = json.dumps([{"type": "text", "text": text}])
            connection.execute(
                "insert into messages (session_id, role, content_json, created_timestamp) values (?, 'user', ?, ?)",
                (name, content, BEGAN // 1000 + 3600 * hour),
            )
    connection.commit()
    connection.close()
    return rested(path, sessions)


def zed(path: Path, sessions: dict[str, Words]) -> Path:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(
        "create table threads (id text, parent_id text, summary text, updated_at text, data_type text, data blob)"
    )
    for hour, (name, words) in enumerate(sessions.items()):
        told = [{"User": {"id": f"{name}{n}", "content": [{"Text": text}]}} for n, text in enumerate(words)]
        place = {"worktree_snapshots": [{"worktree_path": "/home/dana/shop"}]}
        data = json.dumps({"messages": told, "initial_project_snapshot": place}).encode()
        values = (name, "x" if "/" in name else None, "s", f"2026-05-04T{8 + hour:02d}:00:00Z", "json", data)
        connection.execute("insert into threads values (?, ?, ?, ?, ?, ?)", values)
    connection.commit()
    connection.close()
    return rested(path, sessions)


def aider(path: Path, sessions: dict[str, Words]) -> Path:
    lines: list[str] = []
    for hour, (name, words) in enumerate(sessions.items()):
        if "/" not in name:
            lines.append(f"# aider chat started at 2026-05-04 {8 + hour:02d}:00:00")
            lines += [f"#### {text}  \n\nOk." for text in words]
    path.write_text("\n\n".join(lines) + "\n", "utf-8")
    return rested(path, sessions)


def rested(path: Path, sessions: dict[str, Words]) -> Path:
    """The file was last written an hour or more after the first session, later the more there is in it."""
    written = BEGAN / 1000 + 3600 + sum(map(len, sessions.values()))
    os.utime(path, (written, written))
    return path


MAKERS = {
    "opencode.db": opencode,
    "sessions.db": goose,
    "threads.db": zed,
    ".aider.chat.history.md": aider,
}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest, settings: Settings) -> Make:
    """Writes the sessions into the file of one of the agents, in a folder in which a pass looks."""
    folder = settings.roots[0]
    folder.mkdir(exist_ok=True)
    return lambda sessions: MAKERS[request.param](folder / request.param, sessions)


@pytest.fixture
def go(settings: Settings, environ: dict[str, str]) -> Callable[..., RunResult]:
    return lambda *paths: carry_out(Order(settings, paths, environ=environ))


def counts(result: RunResult) -> dict[str, int]:
    return {name: count for name, count in result.sessions.items() if count}


def values(settings: Settings) -> list[str]:
    with Store(settings.home).connect() as db:
        return sorted(fact.value for fact in db.facts())


SESSIONS: dict[str, Words] = {
    "a": ["We use pnpm here."],
    "a/1": ["Always run the tests with tox."],
    "b": ["Staging moved to preview.", "Never touch legacy/."],
}


def test_every_session_of_a_file_is_taken_once(make: Make, go: Callable[..., RunResult], settings: Settings) -> None:
    make(SESSIONS)
    first, second = go(), go()
    assert ({"done": 2}, 0) == (counts(first), first.unchanged)
    assert ({}, 1) == (counts(second), second.unchanged)
    assert ["legacy/", "pnpm", "preview"] == values(settings)


def test_a_new_session_is_taken_next_time_and_the_others_are_left(
    make: Make, go: Callable[..., RunResult], settings: Settings
) -> None:
    make(SESSIONS)
    go()
    path = make(SESSIONS | {"c": ["Production deploys from the branch release."]})
    again = go(path)
    assert ({"done": 1}, 2) == (counts(again), again.unchanged)
    assert ["legacy/", "pnpm", "preview", "release"] == values(settings)
    assert ({}, 1) == (counts(last := go(path)), last.unchanged)


def test_a_session_that_grew_is_read_on_from_where_it_ended(
    make: Make, go: Callable[..., RunResult], settings: Settings
) -> None:
    make({"a": ["We use pnpm here."], "b": ["Never touch legacy/."]})
    go()
    make({"a": ["We use pnpm here."], "b": ["Never touch legacy/.", "Staging moved to preview."]})
    again = go(settings.roots[0])
    assert ({"done": 1}, 1) == (counts(again), again.unchanged)
    with Store(settings.home).connect() as db:
        assert {("legacy/", 1), ("pnpm", 1), ("preview", 1)} == {(fact.value, fact.times_stated) for fact in db.facts()}


class Absent:
    """A provider that is there for one session only."""

    name = "absent"
    model = None

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        if "legacy" in session.turns[0].text:
            raise Transient("extract", "nobody answers", "start it")
        return Extraction(())


def test_a_session_that_is_left_pending_is_taken_again_though_its_file_is_on_record(
    make: Make, go: Callable[..., RunResult], settings: Settings
) -> None:
    path = make({"a": ["We use pnpm here."], "b": ["Never touch legacy/."]})
    keeper = Keeper(
        Context(settings, load_policy(), Absent(), Store(settings.home), worker_name(), explicit=True), Tally()
    )
    pass_over_all([source_of(path)], keeper)
    assert ["done", "pending"] == sorted(keeper.tally.states.values())
    assert {"done": 1} == counts(go(path))
    assert ["legacy/"] == values(settings)


def test_new_sessions_that_stand_only_in_a_databases_log_are_seen(
    go: Callable[..., RunResult], settings: Settings
) -> None:
    settings.roots[0].mkdir()
    path = opencode(settings.roots[0] / "opencode.db", {"a": ["We use pnpm here."]})
    go(path)
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.execute("insert into session values ('b', null, '/home/dana/shop', ?)", (BEGAN,))
    writer.execute("insert into message values ('m', 'b', ?, ?)", (BEGAN, json.dumps({"role": "user"})))
    part = json.dumps({"type": "text", "text": "Never touch legacy/."})
    writer.execute("insert into part values ('p', 'm', ?)", (part,))
    writer.commit()
    try:
        assert {"done": 1} == counts(go(path))
    finally:
        writer.close()
    assert ["legacy/", "pnpm"] == values(settings)


def test_a_session_of_the_store_is_shown_out_of_the_file_of_many(make: Make, settings: Settings) -> None:
    make(SESSIONS)
    carry_out(Order(settings, (settings.roots[0],)))
    with Store(settings.home).connect() as db:
        rows = db.sessions("done")
    shown = [load_session(row.key, argparse.Namespace(home=settings.home)) for row in rows]
    assert sorted(row.native_id for row in rows) == sorted(session.id for session in shown)
    assert 2 == len(shown)
