"""Public bug reports about hooks, missing transcripts and moved stores, each by its number, over whole passes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from flows.result import RunResult
from flows.run import Order, carry_out
from policy.settings import Settings
from store.store import Store
from tests.flows.conftest import ago
from tests.flows.test_background import command, environment, hook, inbox, until

ID = "5c0375b4-57a5-4f26-b12d-d022ee4e51b7"
Pass = Callable[[], RunResult]


def claude(path: Path, *said: str, session: str = ID, cwd: str = "/home/dana/shop", ended: str = "") -> Path:
    """A Claude Code session that ended a minute ago, or then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    last = ended or ago(minutes=1)
    common = {"sessionId": session, "cwd": cwd, "timestamp": last, "version": "2.1.40"}
    records: list[dict[str, Any]] = []
    for number, text in enumerate(said):
        records.append(
            common | {"type": "user", "uuid": f"{session}-u{number}", "message": {"role": "user", "content": text}}
        )
        answer = {"role": "assistant", "content": [{"type": "text", "text": "ok"}]}
        records.append(common | {"type": "assistant", "uuid": f"{session}-a{number}", "message": answer})
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    then = datetime.fromisoformat(last).timestamp()
    os.utime(path, (then, then))
    return path


@pytest.fixture
def projects(settings: Settings) -> Path:
    """Where the agent keeps its sessions, a folder for each project."""
    return settings.roots[0]


@pytest.fixture
def nightly(settings: Settings, environ: dict[str, str]) -> Pass:
    return lambda: carry_out(Order(settings, kind="nightly", explicit=False, environ=environ))


@pytest.fixture
def told(settings: Settings) -> Callable[..., Path]:
    """Leaves a marker as the hook does."""

    def leave(path: Path | str | None, *, session: str | None = ID, event: str = "SessionEnd", **since: float) -> Path:
        settings.inbox.mkdir(parents=True, exist_ok=True)
        file = settings.inbox / f"{len(list(settings.inbox.iterdir())):020d}-1.json"
        at = (datetime.now(UTC) - timedelta(**since)).timestamp()
        marker = {"marker": 1, "event": event, "session": session, "path": path and str(path), "cwd": None, "at": at}
        file.write_text(json.dumps(marker), "ascii")
        return file

    return leave


def counts(result: RunResult) -> dict[str, int]:
    return {name: count for name, count in result.sessions.items() if count}


def values(settings: Settings) -> list[str]:
    with Store(settings.home).connect() as db:
        return sorted(fact.value for fact in db.facts())


# number: (the path that the hook gave, where the session lies)
ELSEWHERE = {
    "claude-code#44450": (f"-home-dana-shop--claude-worktrees-x/{ID}.jsonl", f"-home-dana-shop/{ID}.jsonl"),
    "claude-code#77565": (f"-home-dana-shop/{ID}.jsonl", f"-home-dana-shop--claude-worktrees-x/{ID}.jsonl"),
    "entireio/cli#1159": (f"-home-dana-shop--worktrees-feature-a/{ID}.jsonl", f"-home-dana-shop/{ID}.jsonl"),
    "claude-mem#1234": (f"-srv-gone/{ID}.jsonl", f"-srv-kept/deeper/{ID}.jsonl"),
    "claude-mem#2434": ("", f"-home-dana-shop/{ID}.jsonl"),
}


@pytest.mark.parametrize("number", ELSEWHERE)
def test_a_session_that_lies_in_another_folder_than_the_hook_said_is_found_by_its_id(
    number: str, nightly: Pass, told: Callable[..., Path], projects: Path, settings: Settings
) -> None:
    given, place = ELSEWHERE[number]
    claude(projects / place, "We use pnpm here.")
    claude(projects / "-home-dana-shop" / "newer.jsonl", "Never touch legacy/.", session="newer", ended=ago(seconds=5))
    told(projects / given if given else None)
    result = nightly()
    assert ({"done": 1}, ["pnpm"]) == (counts(result), values(settings))
    assert [] == list(settings.inbox.iterdir())


@pytest.mark.parametrize("number", ["claude-mem#1264", "claude-mem#1276"])
def test_of_two_files_of_one_session_the_longer_one_holds_it(
    number: str, nightly: Pass, told: Callable[..., Path], projects: Path, settings: Settings
) -> None:
    left_behind = projects / "-home-dana-shop" / f"{ID}.jsonl"
    claude(left_behind)
    left_behind.write_text(json.dumps({"type": "bridge-session", "sessionId": ID}) + "\n", "utf-8")
    claude(projects / "-home-dana-shop--claude-worktrees-x" / f"{ID}.jsonl", "We use pnpm here.")
    told(projects / "-home-dana-nowhere" / f"{ID}.jsonl")
    nightly()
    assert ["pnpm"] == values(settings)
    assert [] == list(settings.inbox.iterdir())


@pytest.mark.parametrize(("number", "written"), [("claude-code#30217", True), ("agent-usage-stat#60", False)])
def test_a_transcript_that_is_gone_or_never_was_is_nothing_to_do_and_no_failure(
    number: str, written: bool, nightly: Pass, told: Callable[..., Path], projects: Path, settings: Settings
) -> None:
    path = projects / "-home-dana-shop" / f"{ID}.jsonl"
    if written:
        claude(path, "We use pnpm here.")
    told(path)
    path.unlink(missing_ok=True)
    first = nightly()
    assert ({}, True, 1) == (counts(first), first.ok, len(first.waiting))
    for file in settings.inbox.iterdir():
        file.unlink()
    told(path, days=2)
    second = nightly()
    assert ({"skipped": 1}, True) == (counts(second), second.ok)


def test_claude_code_70632_a_transcript_that_is_written_only_after_the_hook_is_taken_by_a_later_pass(
    nightly: Pass, told: Callable[..., Path], projects: Path, settings: Settings
) -> None:
    path = projects / "-home-dana-shop" / f"{ID}.jsonl"
    told(path)
    assert {} == counts(nightly())
    claude(path, "We use pnpm here.")
    assert ({"done": 1}, ["pnpm"]) == (counts(nightly()), values(settings))
    assert [] == list(settings.inbox.iterdir())


@pytest.mark.parametrize("number", ["claude-mem#1449", "claude-mem#1486", "claude-honcho#56"])
def test_a_session_whose_hook_was_killed_is_taken_once_it_rests(
    number: str, nightly: Pass, projects: Path, settings: Settings
) -> None:
    claude(projects / "-home-dana-shop" / f"{ID}.jsonl", "We use pnpm here.", ended=ago(hours=1))
    still = claude(projects / "-home-dana-shop" / "still.jsonl", "Never touch legacy/.", session="still")
    first = nightly()
    assert ({"done": 1}, 1, ["pnpm"]) == (counts(first), first.unfinished, values(settings))
    os.utime(still, (0, 0))
    claude(still, "Never touch legacy/.", session="still", ended=ago(hours=2))
    assert ({"done": 1}, ["legacy/", "pnpm"]) == (counts(nightly()), values(settings))


@pytest.mark.parametrize("number", ["claude-watchdog#15", "agento11y#175"])
def test_records_that_are_written_after_the_hook_are_read_by_the_next_pass(
    number: str, nightly: Pass, told: Callable[..., Path], projects: Path, settings: Settings
) -> None:
    path = projects / "-home-dana-shop" / f"{ID}.jsonl"
    claude(path, "fix the login", ended=ago(minutes=10))
    told(path, event="Stop", minutes=9)
    assert ({"done": 1}, []) == (counts(nightly()), values(settings))
    claude(path, "fix the login", "We use pnpm here.", ended=ago(minutes=9))
    told(path, event="Stop", minutes=9)
    assert ({"done": 1}, ["pnpm"]) == (counts(nightly()), values(settings))


def test_nowledge_community_478_a_session_that_is_not_found_is_never_another_one(
    nightly: Pass, told: Callable[..., Path], projects: Path, settings: Settings
) -> None:
    claude(projects / "-home-dana-shop" / "latest.jsonl", "We use pnpm here.", session="latest", ended=ago(seconds=5))
    told(projects / "-home-dana-shop" / f"{ID}.jsonl")
    result = nightly()
    assert ({}, 1, 1) == (counts(result), len(result.waiting), result.unfinished)
    assert [] == values(settings)


@pytest.mark.parametrize("first", ["agent", "tool"])
def test_a_session_that_a_tool_keeps_in_its_own_format_too_is_said_once(
    first: str, settings: Settings, tmp_path: Path, environ: dict[str, str]
) -> None:
    said = "2026-05-04T08:00:00.123Z"
    shop = tmp_path / "shop"
    own = claude(tmp_path / "sessions" / f"{ID}.jsonl", "We use pnpm here.", cwd=str(shop), ended=said)
    kept = shop / ".specstory" / "history" / "2026-05-04.md"
    kept.parent.mkdir(parents=True)
    kept.write_text(
        f"<!-- Claude Code Session {ID} (2026-05-04 08:00:00Z) -->\n\n"
        "_**User (2026-05-04 08:00:00Z)**_\n\nWe use pnpm here.\n\n---\n\n_**Agent (2026-05-04 08:00:01Z)**_\n\nok\n",
        "utf-8",
    )
    for path in (own, kept) if first == "agent" else (kept, own):
        assert {"done": 1} == counts(carry_out(Order(settings, (path,), environ=environ)))
    with Store(settings.home).connect() as db:
        assert [("pnpm", 1)] == [(fact.value, fact.times_stated) for fact in db.facts()]


def opencode_files(data: Path, text: str) -> None:
    """OpenCode's storage before its database: a file for each session, message and part."""
    storage = data / "opencode" / "storage"
    told = {
        "session/p/ses_1.json": {"id": "ses_1", "projectID": "p", "directory": "/home/dana/shop", "time": {}},
        "message/ses_1/msg_1.json": {"id": "msg_1", "role": "user", "time": {"created": 1_777_881_600_000}},
        "part/msg_1/prt_1.json": {"id": "prt_1", "type": "text", "text": text},
    }
    for name, content in told.items():
        (storage / name).parent.mkdir(parents=True, exist_ok=True)
        (storage / name).write_text(json.dumps(content), "utf-8")
        os.utime(storage / name, (1_777_881_600, 1_777_881_600))


def opencode_database(data: Path, text: str) -> None:
    path = data / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript("""
        create table session (id text primary key, parent_id text, directory text, time_created integer);
        create table message (id text primary key, session_id text, time_created integer, data text);
        create table part (id text primary key, message_id text, session_id text, data text);
    """)
    told = json.dumps({"type": "text", "text": text})
    connection.execute("insert into session values ('ses_1', null, '/home/dana/shop', 1777881600000)")
    connection.execute(
        "insert into message values ('msg_1', 'ses_1', 1777881600000, ?)", (json.dumps({"role": "user"}),)
    )
    connection.execute("insert into part values ('prt_1', 'msg_1', 'ses_1', ?)", (told,))
    connection.commit()
    connection.close()
    os.utime(path, (1_777_881_700, 1_777_881_700))


@pytest.mark.parametrize(
    ("number", "kept"),
    [
        ("archgate/cli#275", (opencode_database,)),
        ("entireio/cli#42", (opencode_files,)),
        ("entireio/cli#328", (opencode_files, opencode_database)),
    ],
)
def test_an_agent_that_moved_to_a_database_is_read_in_both_places_and_each_statement_once(
    number: str,
    kept: tuple[Callable[[Path, str], None], ...],
    settings: Settings,
    tmp_path: Path,
    environ: dict[str, str],
) -> None:
    data = tmp_path / "data"
    for make in kept:
        make(data, "We use pnpm here.")
    result = carry_out(Order(settings, kind="nightly", explicit=False, environ=environ | {"XDG_DATA_HOME": str(data)}))
    assert not result.failures
    with Store(settings.home).connect() as db:
        assert [("pnpm", 1)] == [(fact.value, fact.times_stated) for fact in db.facts()]


def in_a_home(home: Path, projects: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(f'extractor = "cues"\nroots = ["{projects}"]\n', "utf-8")


@pytest.mark.parametrize("number", ["claude-code#41577", "claude-code#90637"])
def test_the_pass_outlives_the_process_group_of_the_hook_that_started_it(
    number: str, home: Path, projects: Path, settings: Settings
) -> None:
    path = claude(projects / "-home-dana-shop" / f"{ID}.jsonl", "We use pnpm here.", ended=ago(hours=1))
    in_a_home(home, projects)
    payload = {"session_id": ID, "transcript_path": str(path), "cwd": "/", "hook_event_name": "SessionEnd"}
    with subprocess.Popen(
        command("hook"), stdin=subprocess.PIPE, env=environment(home), start_new_session=True
    ) as process:
        process.communicate(json.dumps(payload).encode())
    with contextlib.suppress(ProcessLookupError):  # nobody is left in it
        os.killpg(process.pid, signal.SIGKILL)
    until(lambda: not inbox(home))
    assert ["pnpm"] == values(settings)


def test_claude_remember_560_the_start_of_the_next_session_takes_up_one_whose_pass_was_killed(
    home: Path, projects: Path, settings: Settings
) -> None:
    path = claude(projects / "-home-dana-shop" / f"{ID}.jsonl", "We use pnpm here.", ended=ago(hours=1))
    in_a_home(home, projects)
    hook(home, path, "--record-only")  # as far as the first hook came
    hook(home, path.with_name("next.jsonl"), event="SessionStart")
    until(lambda: not inbox(home))
    assert ["pnpm"] == values(settings)
