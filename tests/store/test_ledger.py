"""The ledger: one worker for each session, attempts that end, files that are not looked at twice."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from store.errors import AmbiguousId, LeaseLost
from store.records import SessionFile
from store.workers import is_dead, worker_name

KEY = "neutral:s1"


def file(**changes: Any) -> SessionFile:
    values: dict[str, Any] = {
        "key": KEY,
        "path": "/t/s1.jsonl",
        "size": 10,
        "mtime_ns": 5,
        "fingerprint": "a",
        "agent": "neutral",
        "native_id": "s1",
        "repo": "github.com/acme/webapp",
        **changes,
    }
    return SessionFile(**values)


def claim(work: Any, day: float = 0, worker: str = "one", **options: Any) -> Any:
    changes = options.pop("changes", {})
    return work.db.claim(file(**changes), worker=worker, now=work.at(day), **options)


def fail(work: Any, day: float = 0, worker: str = "one", *, terminal: bool = False) -> Any:
    return work.db.record_failure(
        KEY,
        worker=worker,
        step="propose",
        error="no answer",
        next_step="start the server",
        terminal=terminal,
        now=work.at(day),
    )


def land(work: Any, worker: str | None = "one") -> None:
    work.land(work.session("s1", "hello"), worker=worker)


def test_one_worker_has_a_session_until_its_lease_ends(work: Any) -> None:
    mine = claim(work, lease_seconds=60)
    assert ("running", "one", work.at(0) + timedelta(seconds=60)) == (mine.state, mine.lease_owner, mine.lease_until)
    assert claim(work, worker="two") is None
    assert "two" == work.db.claim(file(), worker="two", now=work.at(0) + timedelta(seconds=60)).lease_owner
    with pytest.raises(LeaseLost):
        land(work)


def test_a_dead_workers_session_is_free_at_once(work: Any) -> None:
    child = subprocess.run(
        [sys.executable, "-c", "from store.workers import worker_name; print(worker_name())"],
        capture_output=True,
        text=True,
        check=True,
    )
    dead = child.stdout.strip()
    assert (True, False, False) == (is_dead(dead), is_dead(worker_name()), is_dead("elsewhere/1/2"))
    claim(work, worker=dead)
    assert [KEY] == [row.key for row in work.db.pending(now=work.at(0))]
    assert claim(work, worker="two") is not None


def test_a_lease_can_be_renewed_and_given_back(work: Any) -> None:
    claim(work, lease_seconds=60)
    assert work.db.renew(KEY, worker="one", now=work.at(1), lease_seconds=60)
    assert not work.db.renew(KEY, worker="two", now=work.at(1))
    assert work.db.release(KEY, worker="one", now=work.at(1))
    row = work.db.ledger(KEY)
    assert ("pending", 0, None) == (row.state, row.attempts, row.lease_owner)
    assert not work.db.release(KEY, worker="one", now=work.at(1))


def test_done_is_not_taken_again_unless_it_has_grown(work: Any) -> None:
    claim(work)
    land(work)
    done = work.db.ledger(KEY)
    same = {"fingerprint": done.fingerprint, "path": done.path}
    assert claim(work, 1, changes=same) is None
    grown = claim(work, 1, changes={"fingerprint": "b", "size": 99})
    assert ("2", 2, 99) == (grown.last_turn, grown.turn_count, grown.size)


def test_done_is_taken_again_when_that_is_asked_for(work: Any) -> None:
    claim(work)
    land(work)
    same = {"fingerprint": work.db.ledger(KEY).fingerprint}
    assert claim(work, 1, again=True, changes=same) is not None


def test_a_failure_waits_longer_each_time_and_ends_after_five(work: Any) -> None:
    waits = []
    for attempt in range(1, 6):
        assert claim(work, attempt) is not None
        row = fail(work, attempt)
        waits.append(row.next_attempt_at and (row.next_attempt_at - work.at(attempt)).total_seconds())
    assert ("failed", 5, "propose", "no answer", "start the server") == (
        row.state,
        row.attempts,
        row.error_step,
        row.error,
        row.error_next,
    )
    assert waits[4] is None
    for wait, least in zip(waits[:4], (60, 120, 240, 480), strict=True):
        assert least <= wait < least * 4 / 3
    assert claim(work, 99, ignore_wait=True) is None


def test_a_waiting_session_is_taken_when_its_time_has_come_or_when_asked(work: Any) -> None:
    claim(work)
    fail(work)
    assert claim(work) is None
    assert [] == work.db.pending(now=work.at(0))
    assert [KEY] == [row.key for row in work.db.pending(now=work.at(0), ignore_wait=True)]
    assert [KEY] == [row.key for row in work.db.pending(now=work.at(1))]
    assert 1 == claim(work, ignore_wait=True).attempts


def test_a_terminal_error_fails_at_once_and_waits_for_a_person(work: Any) -> None:
    claim(work)
    assert "failed" == fail(work, terminal=True).state
    assert [KEY] == [row.key for row in work.db.failures()]
    assert 0 == work.db.reopen_failed(now=work.at(1), keys=["other"])
    assert 1 == work.db.reopen_failed(now=work.at(1))
    assert 0 == claim(work, 1).attempts


def test_a_failure_of_a_lost_lease_is_nobodys_business(work: Any) -> None:
    claim(work, lease_seconds=1)
    claim(work, 1, worker="two")
    assert fail(work, 1) is None
    assert "two" == work.db.ledger(KEY).lease_owner


def test_success_clears_the_error(work: Any) -> None:
    claim(work)
    fail(work)
    claim(work, 1)
    land(work)
    row = work.db.ledger(KEY)
    assert ("done", 0, None, None, None) == (row.state, row.attempts, row.error, row.next_attempt_at, row.lease_owner)
    assert [] == work.db.failures()


def test_errors_are_kept_without_credentials(work: Any) -> None:
    claim(work)
    row = work.db.record_failure(
        KEY,
        worker="one",
        step="propose",
        error="401 for password: hunter22x",
        next_step="",
        terminal=True,
        now=work.at(0),
    )
    assert "401 for password: [redacted]" == row.error


def test_side_files_are_passed_over_while_they_stay_as_they_are(work: Any) -> None:
    work.db.record_skip(
        SessionFile.side_file("/t/x.meta.json", 7, 8), code="not_a_session", reason="side file", now=work.at(0)
    )
    assert {"/t/x.meta.json": (7, 8)} == work.db.seen_files()
    row = work.db.ledger("/t/x.meta.json")
    assert ("skipped", "not_a_session", "side file") == (row.state, row.skip_code, row.skip_reason)


def test_a_skipped_session_that_grows_is_taken(work: Any) -> None:
    work.db.record_skip(file(), code="empty", reason="nothing yet", now=work.at(0))
    assert claim(work) is None
    assert claim(work, changes={"fingerprint": "b"}) is not None


def test_a_session_read_by_another_is_not_skipped_under_its_hands(work: Any) -> None:
    claim(work)
    with pytest.raises(LeaseLost):
        work.db.record_skip(file(), code="empty", reason="", now=work.at(0))
    work.db.record_skip(file(), code="empty", reason="", now=work.at(0), worker="one")
    assert "skipped" == work.db.ledger(KEY).state


def test_only_what_is_done_or_skipped_counts_as_seen(work: Any) -> None:
    claim(work)
    assert {} == work.db.seen_files()
    fail(work)
    assert {} == work.db.seen_files()


def test_enqueued_sessions_wait_in_the_order_in_which_they_ended(work: Any) -> None:
    for name, day in (("late", 3), ("early", 1), ("middle", 2)):
        added = work.db.enqueue(file(key=f"neutral:{name}", native_id=name, ended_at=work.at(day)), now=work.at(9))
        assert added
    assert not work.db.enqueue(file(key="neutral:late"), now=work.at(9))
    assert ["early", "middle", "late"] == [row.native_id for row in work.db.pending(now=work.at(9))]


def test_a_session_is_found_by_key_native_id_or_path(work: Any) -> None:
    claim(work)
    for name in (KEY, "s1", "/t/s1.jsonl"):
        assert KEY == work.db.ledger(name).key
    assert work.db.ledger("s2") is None
    claim(work, changes={"key": "codex:s1", "agent": "codex", "path": "/c/s1.jsonl"})
    with pytest.raises(AmbiguousId, match="codex:s1"):
        work.db.ledger("s1")
    assert KEY == work.db.ledger(KEY).key


def test_a_path_means_what_the_file_holds_now(work: Any) -> None:
    """First a file without a session, then a session, then another one under the same path, then nothing again."""
    path = "/t/s1.jsonl"
    skip = SessionFile.side_file(Path(path), 1, 1)
    work.db.record_skip(skip, code="empty", reason="no turn", now=work.at(0))
    assert "skipped" == work.db.ledger(path).state
    claim(work, 1)
    assert (KEY, "running") == (work.db.ledger(path).key, work.db.ledger(path).state)
    claim(work, 2, changes={"key": "neutral:s2", "native_id": "s2"})
    assert "neutral:s2" == work.db.ledger(path).key
    work.db.record_skip(skip, code="empty", reason="no turn", now=work.at(3))
    assert skip.key == work.db.ledger(path).key
    assert path == work.db.ledger(KEY).path
