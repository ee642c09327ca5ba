"""What only a shared server has: teams, an address, and many that open it at the same time."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.errors import StoreTooNew, StoreUnreachable
from store.migrate import migrations
from store.postgres import shown, split_url
from store.sql import PATIENCE
from store.store import Store

MOMENT = datetime(2026, 6, 1, tzinfo=UTC)
ADDRESSES = [
    ("postgresql://db/memory", "postgresql://db/memory", ""),
    ("postgresql://db/memory?team=core", "postgresql://db/memory", "core"),
    (
        "postgres://dana@db:5432/memory?sslmode=require&team=core%20two",
        "postgres://dana@db:5432/memory?sslmode=require",
        "core two",
    ),
    ("postgresql://db/memory?team=", "postgresql://db/memory", ""),
]


@pytest.mark.parametrize(("url", "address", "team"), ADDRESSES)
def test_the_team_is_part_of_the_address(url: str, address: str, team: str) -> None:
    assert (address, team) == split_url(url)


def test_a_password_is_never_shown() -> None:
    assert "postgresql://dana:…@db/memory" == shown("postgresql://dana:hunter22x@db/memory")


@pytest.mark.parametrize("url", ["mysql://db/memory", "memory", "http://db"])
def test_another_address_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreUnreachable, match="postgresql://"), Store(tmp_path, url=url).connect():
        pass


def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    store = Store(tmp_path, url="postgresql://dana:hunter22x@127.0.0.1:9/memory")
    with pytest.raises(StoreUnreachable, match="does not answer") as caught, store.connect():
        pass
    assert "hunter22x" not in str(caught.value)


def test_many_that_open_an_empty_server_at_once_make_one_schema(server_url: str, tmp_path: Path) -> None:
    """Each with a team of its own."""
    failed: list[BaseException] = []
    together = threading.Barrier(6)

    def use(number: int) -> None:
        try:
            together.wait()
            with Store(tmp_path, url=f"{server_url}&team=t{number}").connect() as db:
                db.begin_pass("run", worker=str(number), now=MOMENT)
                assert [str(number)] == [each.worker for each in db.passes()]
        except BaseException as error:  # noqa: BLE001 - told by the test's own thread
            failed.append(error)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == failed
    with Store(tmp_path, url=server_url).connect() as db:
        assert (len(migrations()), []) == (db.status().schema_version, db.passes())


def test_a_newer_schema_is_refused(server_url: str, tmp_path: Path) -> None:
    with Store(tmp_path, url=server_url).connect() as db:
        db.sql.raw.execute("INSERT INTO migrations VALUES (99, 'from_the_future', now())")
    with pytest.raises(StoreTooNew, match="schema 99"), Store(tmp_path, url=server_url).connect():
        pass


def test_a_transaction_that_is_overtaken_again_and_again_comes_through(server_url: str, tmp_path: Path) -> None:
    """After a few tries it keeps the others waiting. Each try reads what another has changed by the time it writes."""
    store, tries = Store(tmp_path, url=server_url), 0
    with store.connect() as db, store.connect() as other:
        pass_id = db.begin_pass("run", worker="w", now=MOMENT)
        overtaking = threading.Thread()

        def count_up() -> None:
            nonlocal tries, overtaking
            tries += 1
            (before,) = db.passes()
            number = (before.summary or {}).get("number", 0)
            overtaking = threading.Thread(
                target=other.finish_pass, args=(pass_id,), kwargs={"summary": {"number": number + 1}, "now": MOMENT}
            )
            overtaking.start()
            overtaking.join(2)
            db.finish_pass(pass_id, summary={"number": number + 100}, now=MOMENT)

        db.sql.transact(count_up)
        overtaking.join()
        (after,) = db.passes()
        assert PATIENCE + 1 == tries
        # The other one's write came last: it had to wait for ours, and was run again after it.
        assert {"number": PATIENCE + 1} == after.summary
