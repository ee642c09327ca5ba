"""A whole pass: what it looks at, what it reports, and that a second one does nothing."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from extractors.errors import Terminal
from flows.gather import NothingThere
from flows.result import RunResult
from flows.run import Order, carry_out
from flows.snapshot import FILE as SNAPSHOT
from policy.files import PolicyError
from policy.settings import Settings
from store.store import Store
from tests.flows.conftest import Write, ago

USE = "we use pnpm here"


def nightly(settings: Settings, environ: dict[str, str], **changes: Any) -> RunResult:
    return carry_out(Order(settings, kind="nightly", explicit=False, environ=environ, **changes))


def leave_marker(settings: Settings, *, at: datetime, session: str = "s", path: Path | None = None) -> Path:
    settings.inbox.mkdir(parents=True, exist_ok=True)
    file = settings.inbox / f"{len(list(settings.inbox.iterdir())):020d}-1.json"
    told = {"marker": 1, "event": "SessionEnd", "session": session, "path": path and str(path), "cwd": None}
    file.write_text(json.dumps(told | {"at": at.timestamp()}), "ascii")
    return file


def counts(result: RunResult) -> dict[str, int]:
    return {name: count for name, count in result.sessions.items() if count}


def test_a_pass_reports_counts_in_the_shape_that_is_relied_on(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    write("a", [("developer", USE)])
    write("b", [("developer", "just this once, use npm")])
    told = nightly(settings, environ).to_json()
    assert {"done": 2, "skipped": 0, "pending": 0, "failed": 0} == told["sessions"]
    assert (1, 1) == (told["decisions"]["write"], told["codes"]["new"])
    assert sum(told["decisions"].values()) == sum(told["codes"].values())
    assert ([], "cues", None, False) == (told["failures"], told["extractor"], told["model"], told["dry_run"])
    assert told == json.loads(json.dumps(told))


def test_a_second_pass_does_nothing_and_says_so(settings: Settings, environ: dict[str, str], write: Write) -> None:
    write("a", [("developer", USE)])
    nightly(settings, environ)
    second = nightly(settings, environ)
    assert ({}, 1, {}) == (counts(second), second.unchanged, second.decisions)


def test_a_second_pass_does_not_even_open_the_store(settings: Settings, environ: dict[str, str], write: Write) -> None:
    write("a", [("developer", USE)])
    nightly(settings, environ)
    store = Store(settings.home)
    before = store.path.stat().st_mtime_ns
    store.path.chmod(0)
    store.path.rename(store.path.with_suffix(".away"))
    store.path.with_suffix(".away").rename(store.path)
    assert 1 == nightly(settings, environ).unchanged
    assert before == store.path.stat().st_mtime_ns


def test_a_pass_that_finds_nothing_is_put_on_record_once_a_day(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    write("a", [("developer", USE)])
    nightly(settings, environ)
    snapshot = settings.home / SNAPSHOT
    told = json.loads(snapshot.read_text("utf-8"))
    snapshot.write_text(json.dumps(told | {"at": time.time() - 24 * 3600}), "utf-8")
    nightly(settings, environ)
    with Store(settings.home).connect() as db:
        assert 2 == len(db.passes())


@pytest.mark.parametrize("content", ["", "{", "[]", '{"store": 1}', '{"store": null, "at": 0, "seen": []}'])
def test_a_snapshot_that_does_not_fit_is_not_believed(
    settings: Settings, environ: dict[str, str], write: Write, content: str
) -> None:
    write("a", [("developer", USE)])
    nightly(settings, environ)
    (settings.home / SNAPSHOT).write_text(content, "utf-8")
    assert 1 == nightly(settings, environ).unchanged


def test_what_somebody_changed_in_the_store_is_seen_by_the_next_pass(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    path = write("a", [("developer", USE)])
    nightly(settings, environ)
    with Store(settings.home).connect() as db:
        db.begin_pass("other", worker="w", now=datetime.now(UTC))
    path.write_text(path.read_text("utf-8") + '{"id": "x", "speaker": "developer", "text": "never touch legacy/"}\n')
    assert {"done": 1} == counts(carry_out(Order(settings, (path,), environ=environ)))


def test_a_marker_goes_when_its_session_is_on_record(settings: Settings, environ: dict[str, str], write: Write) -> None:
    path = write("s", [("developer", USE)], ended=ago(minutes=1))
    leave_marker(settings, at=datetime.now(UTC), path=path)
    assert {"done": 1} == counts(nightly(settings, environ))
    assert [] == list(settings.inbox.iterdir())


def test_a_marker_for_an_unchanged_session_goes_too(settings: Settings, environ: dict[str, str], write: Write) -> None:
    path = write("s", [("developer", USE)])
    nightly(settings, environ)
    os.utime(path)  # touched, not changed
    leave_marker(settings, at=datetime.now(UTC), path=path)
    result = nightly(settings, environ)
    assert ({}, []) == (counts(result), list(settings.inbox.iterdir()))


def test_a_transcript_that_does_not_exist_is_waited_for_a_day_and_taken_should_it_appear(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    path = settings.roots[0] / "late.jsonl"
    young = leave_marker(settings, at=datetime.now(UTC) - timedelta(hours=23), session="late", path=path)
    first = nightly(settings, environ)
    assert ({}, ("late",), True) == (counts(first), first.waiting, first.ok)
    young.unlink()
    leave_marker(settings, at=datetime.now(UTC) - timedelta(hours=25), session="late", path=path)
    second = nightly(settings, environ)
    assert ({"skipped": 1}, ["missing"]) == (counts(second), [skip.code for skip in second.skips])
    assert [] == list(settings.inbox.iterdir())
    write("late", [("developer", USE)])
    assert {"done": 1} == counts(nightly(settings, environ))


def test_a_marker_that_cannot_be_read_is_set_aside_and_reported(settings: Settings, environ: dict[str, str]) -> None:
    settings.inbox.mkdir(parents=True)
    (settings.inbox / "1-1.json").write_bytes(b"\0\0\0")
    result = nightly(settings, environ)
    assert (["broken_marker"], ["1-1.bad"]) == (
        [skip.code for skip in result.skips],
        [file.name for file in settings.inbox.iterdir()],
    )
    assert {} == counts(nightly(settings, environ))


def test_sessions_that_ended_before_the_bound_are_left_alone(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    write("old", [("developer", USE)], ended="2026-01-10T10:00:00Z")
    touched = write("touched", [("developer", USE)], ended="2026-01-11T10:00:00Z")
    now = time.time() - 3600
    os.utime(touched, (now, now))
    write("new", [("developer", USE)], ended="2026-06-10T10:00:00Z")
    bounded = replace(settings, since=date(2026, 6, 1))
    result = nightly(bounded, environ)
    assert ({"done": 1}, 2) == (counts(result), result.older)
    result = nightly(settings, environ, since=datetime(2026, 1, 11, tzinfo=UTC))
    assert ({"done": 1}, 1) == (counts(result), result.older)
    assert {"done": 1} == counts(nightly(settings, environ))


def test_a_wrong_path_is_an_error_and_makes_no_store(settings: Settings, environ: dict[str, str]) -> None:
    with pytest.raises(NothingThere):
        carry_out(Order(settings, (Path("/nowhere/at.jsonl"),), environ=environ))
    assert not settings.home.exists()


def test_a_policy_with_an_unknown_key_is_an_error_before_anything_is_read(
    settings: Settings, environ: dict[str, str], tmp_path: Path
) -> None:
    team = tmp_path / "team.toml"
    team.write_text('[types.port]\nvalue = "statement"\nstakez = "low"\n', "utf-8")
    with pytest.raises(PolicyError, match=r"team\.toml.*stakez.*stakes"):
        nightly(replace(settings, policy=team), environ)


def test_a_model_without_a_name_is_an_error_before_anything_is_read(
    settings: Settings, environ: dict[str, str]
) -> None:
    with pytest.raises(Terminal):
        nightly(replace(settings, extractor="openai"), environ)


def with_server(settings: Settings, url: str) -> Settings:
    return replace(settings, extractor="openai", model="m", base_url=url, timeout=5, api_key="k")


def answers(server: HTTPServer, content: str) -> None:
    message = {"role": "assistant", "content": content}
    reply = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    server.expect_request("/v1/chat/completions").respond_with_json(reply)


FACT = {"turn": 1, "evidence": USE, "type": "package_manager", "subject": "", "value": "pnpm", "kind": "standing"}


def test_a_model_server_is_asked_and_its_tokens_counted(
    settings: Settings, environ: dict[str, str], write: Write, httpserver: HTTPServer
) -> None:
    answers(httpserver, json.dumps({"reasoning": "", "candidates": [FACT | {"importance": 8}]}))
    write("a", [("developer", USE)])
    result = nightly(replace(with_server(settings, httpserver.url_for("/v1")), notes=False), environ)
    assert ({"done": 1}, {"new": 1}) == (counts(result), result.codes)
    assert ("openai", "m", 100, 20) == (result.extractor, result.model, result.input_tokens, result.output_tokens)


@pytest.mark.slow
def test_an_unreachable_server_leaves_sessions_pending_and_a_later_pass_takes_them_up(
    settings: Settings, environ: dict[str, str], write: Write, httpserver: HTTPServer
) -> None:
    write("a", [("developer", USE)])
    down = nightly(with_server(settings, "http://127.0.0.1:9/v1"), environ)
    (failure,) = down.failures
    assert ({"pending": 1}, False) == (counts(down), down.ok)
    assert ("a", str(settings.roots[0] / "a.jsonl")) == (failure.session, failure.path)
    assert "http://127.0.0.1:9/v1" in failure.error
    assert failure.next
    answers(httpserver, json.dumps({"reasoning": "", "candidates": [FACT | {"importance": 8}]}))
    up = with_server(settings, httpserver.url_for("/v1"))
    waiting = nightly(up, environ)
    assert {"pending": 1} == counts(waiting)  # its waiting time is not over, and it is still named
    assert [failure] == list(waiting.failures)
    assert {"done": 1} == counts(carry_out(Order(up, environ=environ)))


def test_a_terminal_failure_waits_for_a_person(
    settings: Settings, environ: dict[str, str], write: Write, httpserver: HTTPServer
) -> None:
    httpserver.expect_oneshot_request("/v1/chat/completions").respond_with_json(
        {"error": {"message": "bad key"}}, status=401
    )
    write("a", [("developer", USE)])
    path = settings.roots[0] / "a.jsonl"
    at_server = with_server(settings, httpserver.url_for("/v1"))
    assert {"failed": 1} == counts(nightly(at_server, environ))
    answers(httpserver, json.dumps({"reasoning": "", "candidates": []}))
    assert {"failed": 1} == counts(carry_out(Order(at_server, environ=environ)))
    assert {"failed": 1} == counts(carry_out(Order(at_server, (path,), environ=environ)))
    assert {"done": 1} == counts(carry_out(Order(at_server, retry_failed=True, environ=environ)))


def test_a_pending_session_whose_transcript_was_deleted_is_reported_once(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    path = write("a", [("developer", USE)], folder="../elsewhere")
    with pytest.raises(KeyboardInterrupt):
        carry_out(Order(settings, (path,), environ=environ), progress=_interrupt)
    path.unlink()
    result = nightly(settings, environ)
    assert ({"skipped": 1}, ["missing"]) == (counts(result), [skip.code for skip in result.skips])
    assert {} == counts(nightly(settings, environ))


def test_a_pending_session_outside_of_every_root_is_taken_up(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    path = write("a", [("developer", USE)], folder="../elsewhere")
    with pytest.raises(KeyboardInterrupt):
        carry_out(Order(settings, (path,), environ=environ), progress=_interrupt)
    assert {"done": 1} == counts(nightly(settings, environ))


def _interrupt(stage: str, _through: int, _total: int) -> None:
    if stage == "deciding":
        raise KeyboardInterrupt


def test_automation_counts_only_where_the_setting_says_so(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    path = write("a", [("developer", USE)], automation=True)
    result = nightly(settings, environ)
    assert ({"skipped": 1}, ["automation"]) == (counts(result), [skip.code for skip in result.skips])
    path.touch()
    counted = replace(settings, automation=True)
    assert {"done": 1} == counts(carry_out(Order(counted, (path,), environ=environ)))


def test_the_configured_developer_owns_the_preferences(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    write("a", [("developer", "I always want summaries as bullet points")], developer=None)
    nightly(replace(settings, developer="sam@acme.example"), environ)
    with Store(settings.home).connect() as db:
        assert ["sam@acme.example"] == [fact.owner for fact in db.facts()]


def test_a_dry_run_leaves_markers_and_ledger_as_they_are(
    settings: Settings, environ: dict[str, str], write: Write
) -> None:
    path = write("s", [("developer", USE)], ended=ago(minutes=1))
    marker = leave_marker(settings, at=datetime.now(UTC), path=path)
    result = nightly(settings, environ, dry_run=True)
    assert ({"done": 1}, True, True) == (counts(result), result.dry_run, marker.exists())
    with Store(settings.home).connect() as db:
        assert ([], [], {}) == (db.sessions(), db.passes(), db.seen_files())


def test_a_pass_puts_its_beginning_and_end_on_record(settings: Settings, environ: dict[str, str], write: Write) -> None:
    write("a", [("developer", USE)])
    result = nightly(settings, environ)
    with Store(settings.home).connect() as db:
        (last,) = db.passes()
    assert last.summary is not None
    assert ("nightly", True, result.sessions) == (last.kind, last.finished_at is not None, last.summary["sessions"])
