"""Many sessions in a few statements do what one after the other would."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from store.records import Landing, ModelCall, SessionFile
from validators.verdict import Code

NAMES = ("s1", "s2", "s3")


def file(name: str, **changes: Any) -> SessionFile:
    values = {"path": f"/t/{name}.jsonl", "size": 10, "mtime_ns": 5, "fingerprint": "a"} | changes
    return SessionFile(key=f"neutral:{name}", agent="neutral", native_id=name, repo="github.com/acme/webapp", **values)


def claim(work: Any, *files: SessionFile, worker: str = "one", **options: Any) -> list[Any]:
    rows = work.db.claim_many(files, worker=worker, now=work.at(options.pop("day", 0)), **options)
    return [row and row.state.value for row in rows]


def quiet(work: Any, name: str, *, calls: tuple[ModelCall, ...] = (), **changes: Any) -> Landing:
    return Landing(
        session=work.session(name, "hello"),
        file=file(name, **changes),
        decisions=(),
        policy=work.policy,
        now=work.at(0),
        last_turn="2",
        turn_count=2,
        calls=calls,
        worker="one",
    )


def call() -> ModelCall:
    return ModelCall("openai", "m", "v1", {"format": "json"}, "{}", input_tokens=100, output_tokens=20, seconds=1.5)


def test_a_batch_is_claimed_as_each_would_be(work: Any) -> None:
    assert ["running"] * 3 == claim(work, *map(file, NAMES))
    alone = work.db.claim(replace(file("alone"), key="neutral:alone"), worker="one", now=work.at(0))
    together = work.db.ledger("neutral:s1")
    assert (alone.state, alone.lease_owner, alone.lease_until) == (
        together.state,
        together.lease_owner,
        together.lease_until,
    )
    assert ("/t/s1.jsonl", 10, 5, "a", "github.com/acme/webapp") == (
        together.path,
        together.size,
        together.mtime_ns,
        together.fingerprint,
        together.repo,
    )


def test_what_another_worker_has_or_what_is_done_is_not_in_a_batch(work: Any) -> None:
    claim(work, file("s1"), worker="two")
    claim(work, file("s2"))
    work.db.land_quiet([quiet(work, "s2")])
    assert [None, None, "running"] == claim(work, *map(file, NAMES))
    assert ["running"] == claim(work, file("s2", fingerprint="b"))


def test_a_pending_session_keeps_its_attempts_and_its_waiting_time(work: Any) -> None:
    claim(work, file("s1"))
    failed = {"step": "propose", "error": "no answer", "next_step": "start it", "terminal": False}
    work.db.record_failure("neutral:s1", worker="one", now=work.at(0), **failed)
    assert [None] == claim(work, file("s1"))
    (row,) = work.db.claim_many([file("s1")], worker="one", now=work.at(0), ignore_wait=True)
    assert (1, 0) == (row.attempts, row.turn_count)


def test_a_key_that_is_twice_in_a_batch_is_taken_once(work: Any) -> None:
    assert ["running", None] == claim(work, file("s1"), file("s1", path="/t/other.jsonl"))
    assert [] == claim(work)


def test_quiet_sessions_are_done_with_their_costs_and_files(work: Any) -> None:
    claim(work, *map(file, NAMES))
    done = work.db.land_quiet([quiet(work, "s1", calls=(call(), call())), quiet(work, "s2")])
    assert {"neutral:s1", "neutral:s2"} == done
    row = work.db.ledger("neutral:s1")
    assert ("done", 200, 40, 3.0, "m", "2", 2, None) == (
        row.state.value,
        row.input_tokens,
        row.output_tokens,
        row.seconds,
        row.model,
        row.last_turn,
        row.turn_count,
        row.lease_owner,
    )
    assert {"/t/s1.jsonl": (10, 5), "/t/s2.jsonl": (10, 5)} == work.db.seen_files()
    assert "running" == work.db.ledger("neutral:s3").state.value
    assert [] == work.db.verify()


def test_a_file_that_was_seen_before_is_seen_as_it_is_now(work: Any) -> None:
    claim(work, file("s1"))
    work.db.land_quiet([quiet(work, "s1")])
    claim(work, file("s1", fingerprint="b", size=20))
    work.db.land_quiet([quiet(work, "s1", fingerprint="b", size=20)])
    assert {"/t/s1.jsonl": (20, 5)} == work.db.seen_files()


def test_a_session_whose_lease_was_lost_keeps_nothing_and_the_others_land(work: Any) -> None:
    claim(work, file("s1"), file("s2"))
    work.db.release("neutral:s2", worker="one", now=work.at(0))
    claim(work, file("s2"), worker="two")
    landings = [quiet(work, "s1", calls=(call(),)), quiet(work, "s2", calls=(call(),))]
    assert {"neutral:s1"} == work.db.land_quiet(landings)
    assert ({"/t/s1.jsonl": (10, 5)}, 0) == (work.db.seen_files(), work.db.ledger("neutral:s2").input_tokens)


def test_what_was_decided_lands_by_itself(work: Any) -> None:
    claim(work, file("s1"))
    said = work.session("s1", "staging moved to preview")
    decided = replace(quiet(work, "s1"), decisions=(work.decide(said, "staging moved to preview", Code.NEW),))
    with pytest.raises(ValueError, match="quiet"):
        work.db.land_quiet([decided])
    assert set() == work.db.land_quiet([])
