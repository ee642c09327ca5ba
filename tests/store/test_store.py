"""The file: private, whole from its first moment, waited for, and consistent after any kind of end."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from store.database import OpenStore
from store.errors import StoreDamaged, StoreLocked, StoreTooNew, StoreUnwritable
from store.migrate import bring_up_to_date, migrations
from store.records import SessionFile
from store.store import Store

MOMENT = datetime(2026, 6, 1, tzinfo=UTC)

HOLD = """
import sys
from pathlib import Path
from store.store import Store
with Store(Path(sys.argv[1])).connect() as db:
    print("open", flush=True)
    sys.stdin.readline()
"""

TAKE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from store.store import Store
with Store(Path(sys.argv[1])).connect() as db:
    db.begin_pass("run", worker=sys.argv[2], now=datetime.now(UTC))
"""

HOLD_AS_ANOTHER_PROGRAM = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def store(home: Path) -> Store:
    """These are about the file."""
    return Store(home, lock_timeout=5)


# Rows as the first schema has them.
EARLIEST = """
INSERT INTO files (team, path, session_key, size, mtime_ns, seen_at) VALUES ('', '/t', 'a:1', 1, 2, now());
INSERT INTO turns (team, id, session_key, turn, speaker, text, text_hash, path, transcript_hash, recorded_at)
VALUES ('', 't_1', 'a:1', '1', 'developer', 'so main it is', 'h', '/t', 'th', now());
INSERT INTO statements (team, id, fact_id, session_key, session, turn, start_char, end_char, quote, stated_at,
    turn_hash, turn_id, recorded_at)
VALUES ('', 's_1', 'f_1', 'a:1', '1', '1', 3, 13, 'main it is', now(), 'h', 't_1', now());
INSERT INTO facts (team, id, owner, scope, type, subject, value, state, multi, stakes, slot, active_key, stated_at,
    recorded_at, valid_from, times_stated, derived_from, evidence_id)
VALUES ('', 'f_1', 'r', 'repo', 'deploy_target', 'staging', 'main', 'active', false, 'high', 'k', 'k', now(), now(),
    now(), 1, '[]', 's_1');
"""


class Stop(Exception):  # noqa: N818 - a signal of these tests
    pass


def child(script: str, *args: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def wait_until(is_so: Callable[[], bool]) -> None:
    """Waits for another process to have come so far; a minute is a failure."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_files_are_the_users_own(home: Path) -> None:
    before = os.umask(0o022)
    try:
        with Store(home).connect() as db:
            db.enqueue(SessionFile("a:1", "/t", 1, 1), now=MOMENT)
            assert [0o600] == sorted({mode(file) for file in home.iterdir() if file.is_file()})
            assert 0o700 == mode(home / "afterpass.queue")
            assert (home / "afterpass.duckdb.wal").exists()
        assert 0o700 == mode(home)
        assert {"afterpass.duckdb", "afterpass.lock", "afterpass.queue"} == {file.name for file in home.iterdir()}
    finally:
        assert 0o022 == os.umask(before)


def test_nothing_is_made_before_it_is_opened(home: Path) -> None:
    assert home / "afterpass.duckdb" == Store(home).path
    assert not home.exists()


@pytest.mark.parametrize(
    ("script", "target"), [(HOLD, "home"), (HOLD_AS_ANOTHER_PROGRAM, "file")], ids=["afterpass", "another program"]
)
def test_a_held_file_is_waited_for_and_then_reported(home: Path, script: str, target: str) -> None:
    store = Store(home, lock_timeout=0.3)
    with store.connect():
        pass
    holder = child(script, str(home if target == "home" else store.path))
    with pytest.raises(StoreLocked, match=rf"process {holder.pid} .*0.3 seconds.*ps -p {holder.pid}"), store.connect():
        pass
    patient = Store(home, lock_timeout=30)
    done = []

    def wait() -> None:
        with patient.connect() as db:
            done.append(db.status().schema_version)

    waiter = threading.Thread(target=wait)
    waiter.start()
    holder.communicate("go\n")
    waiter.join(30)
    assert [len(migrations())] == done


def test_who_asked_first_comes_first(home: Path) -> None:
    """Of several waiters none overtakes another, and one that was killed in line holds nobody up."""
    holder = child(HOLD, str(home))
    waiters = []
    for number in range(4):
        waiters.append(subprocess.Popen([sys.executable, "-c", TAKE, str(home), str(number)]))
        wait_until(lambda number=number: len(list((home / "afterpass.queue").iterdir())) == number + 1)  # type: ignore[misc]
    waiters[1].kill()
    waiters[1].wait()
    holder.communicate("go\n")
    for waiter in waiters:
        waiter.wait()
    with Store(home).connect() as db:
        assert ["0", "2", "3"] == [each.worker for each in reversed(db.passes())]
    assert [] == list((home / "afterpass.queue").iterdir())


def test_a_killed_holder_leaves_the_file_free(home: Path) -> None:
    holder = child(HOLD, str(home))
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with Store(home, lock_timeout=5).connect() as db:
        assert {} == db.seen_files()


def test_connects_of_one_process_share_the_file(store: Store) -> None:
    with store.connect() as one, store.connect() as other:
        one.enqueue(SessionFile("a:1", "/t", 1, 1), now=MOMENT)
        assert "pending" == other.ledger("a:1").state  # type: ignore[union-attr]


def test_threads_lose_no_update(store: Store) -> None:
    def add(number: int) -> None:
        with store.connect() as db:
            for place in range(5):
                db.enqueue(SessionFile(f"a:{number}-{place}", "/t", 1, 1), now=MOMENT)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.connect() as db:
        assert 30 == len(db.sessions("pending"))


def test_an_error_inside_a_unit_of_work_rolls_it_back_and_closes(store: Store) -> None:
    def half(db: OpenStore) -> None:
        db.enqueue(SessionFile("a:lost", "/t", 1, 1), now=MOMENT)
        raise Stop

    def work() -> None:
        with store.connect() as db:
            db.enqueue(SessionFile("a:kept", "/t", 1, 1), now=MOMENT)
            db.sql.transact(lambda: half(db))

    with pytest.raises(Stop):
        work()
    with store.connect() as db:
        assert ["a:kept"] == [row.key for row in db.sessions()]


def test_a_newer_schema_is_refused_and_left_as_it_is(store: Store) -> None:
    with store.connect():
        pass
    with duckdb.connect(str(store.path)) as connection:
        connection.execute("INSERT INTO migrations VALUES (99, 'from_the_future', now())")
    with pytest.raises(StoreTooNew, match=r"schema 99.*up to \d+.*upgrade Afterpass"), store.connect():
        pass
    with duckdb.connect(str(store.path)) as connection:
        assert (99,) == connection.execute("SELECT max(version) FROM migrations").fetchone()


def test_a_file_that_is_no_database_is_named_and_left_as_it_is(store: Store) -> None:
    store.home.mkdir()
    store.path.write_text("not a database, but long enough to be looked at " * 200)
    with pytest.raises(StoreDamaged, match=str(store.path)), store.connect():
        pass
    assert store.path.read_text().startswith("not a database")


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnwritable, match="--home"), Store(tmp_path / "file" / "home").connect():
        pass


def test_leftovers_of_a_creation_cut_short_are_cleared(home: Path) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "from store.workers import worker_name; print(worker_name())"],
        capture_output=True,
        text=True,
        check=True,
    )
    name = gone.stdout.strip().replace("/", "~")
    home.mkdir()
    (home / f"afterpass.duckdb.new.{name}").write_text("half a database")
    with Store(home).connect():
        pass
    assert {"afterpass.duckdb", "afterpass.lock", "afterpass.queue"} == {file.name for file in home.iterdir()}


@pytest.mark.parametrize("version", range(len(migrations())))
def test_every_released_schema_is_brought_up_to_date(store: Store, version: int) -> None:
    """A database of each earlier version keeps its rows and ends with the schema of a new one."""
    steps = migrations()
    fresh = Store(store.home / "fresh")
    with fresh.connect() as db:
        expected = shape(db.sql.raw)
    store.home.mkdir(exist_ok=True)
    with duckdb.connect(str(store.path)) as connection:
        if version:
            connection.execute("CREATE TABLE migrations (version INTEGER, name TEXT, applied_at TIMESTAMPTZ)")
        for step in steps[:version]:
            connection.execute(step.script)
            connection.execute("INSERT INTO migrations VALUES (?, ?, now())", [step.version, step.name])
            if step.version == 1:
                connection.execute(EARLIEST)
    with store.connect() as db:
        assert expected == shape(db.sql.raw)
        assert ({"/t": (1, 2)} if version else {}) == db.seen_files()
        evidence = [fact.evidence and (fact.evidence.text, fact.evidence.path) for fact in db.facts()]
        assert ([("main it is", "/t")] if version else []) == evidence


def test_a_migration_that_fails_leaves_the_version_before(store: Store) -> None:
    from dataclasses import replace

    broken = replace(
        migrations()[0], version=len(migrations()) + 1, script="CREATE TABLE half (a INTEGER); SELECT nonsense"
    )
    with store.connect() as db:
        with pytest.raises(duckdb.Error):
            bring_up_to_date(db.sql, "the store", (*migrations(), broken))
        assert (len(migrations()),) == db.sql.raw.execute("SELECT max(version) FROM migrations").fetchone()
        assert [] == db.sql.raw.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'half'").fetchall()


def test_every_query_is_told_its_team() -> None:
    from store.sql import load

    queries, teamed = load("duckdb")
    free = {name for name in queries.available_queries if name not in teamed}
    about_no_rows = {
        "begin_work",
        "keep_work",
        "drop_work",
        "has_migrations",
        "schema_version",
        "make_migrations",
        "record_migration",
        "columns_of",
        "highest_event",
        "next_event",
        "skip_events",
    }
    assert about_no_rows == {name for name in free if not name.endswith("_cursor")}


def shape(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, ...]]:
    return connection.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY 1, ordinal_position"
    ).fetchall()


def test_a_compaction_that_has_to_wait_in_vain_leaves_everything_as_it_was(home: Path) -> None:
    with Store(home).connect() as db:
        db.enqueue(SessionFile("a:1", "/t", 1, 1), now=MOMENT)
    before = os.umask(0o022)
    try:
        holder = child(HOLD, str(home))
        with pytest.raises(StoreLocked):
            Store(home, lock_timeout=0.2).compact()
        holder.communicate("go\n")
        with Store(home).connect(), pytest.raises(StoreLocked, match="another thread of this process"):
            Store(home, lock_timeout=0.2).compact()
        Store(home).compact()
        assert 0o022 == os.umask(0o022)
    finally:
        os.umask(before)
    with Store(home).connect() as db:
        assert ["a:1"] == [row.key for row in db.sessions()]
