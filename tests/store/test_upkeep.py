"""Upkeep: what ends, leaves the reading paths, or is not kept for ever; shown first by a dry run."""

from __future__ import annotations

from typing import Any

from store.records import ModelCall
from store.store import Store
from store.upkeep import Horizons
from validators.verdict import Code


def test_dated_rules_end_after_their_last_day(work: Any) -> None:
    rule = work.write("hotfix", until=work.at(10).date(), code=Code.TEMPORARY)
    assert () == work.db.upkeep(now=work.at(10)).expired
    assert (rule.id,) == work.db.upkeep(now=work.at(11), dry_run=True).expired
    assert "active" == work.db.fact(rule.id).state
    assert (rule.id,) == work.db.upkeep(now=work.at(11)).expired
    assert "expired" == work.db.fact(rule.id).state
    assert () == work.db.upkeep(now=work.at(12)).expired


def test_rows_past_their_horizon_are_archived_and_remember_what_they_were(work: Any) -> None:
    main = work.write("main")
    work.db.edit_fact(main.id, "preview", actor="dana", now=work.at(3))
    assert (main.id,) == work.db.upkeep(now=work.at(14), horizons=Horizons(archive=10)).archived
    row = work.db.fact(main.id)
    (new,) = work.db.facts()
    assert ("archived", "superseded", new.id) == (row.state, row.archived_from, row.superseded_by)
    assert ["preview"] == work.values()


def test_undecided_items_expire_and_say_so(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview", day=1)
    snoozed = work.queue(Code.CONFIRMATION, "qa", day=1, subject="qa")
    work.db.snooze(snoozed, actor="dana", now=work.at(1), until=work.at(50))
    assert (item,) == work.db.upkeep(now=work.at(20), horizons=Horizons(review=10)).reviews
    assert ("expired", "nobody decided it for 10 days") == (work.db.review(item).state, work.db.review(item).reason)
    assert "open" == work.db.review(snoozed).state


def test_old_replies_are_emptied_and_loose_turns_deleted(work: Any) -> None:
    session = work.session("s1", "tabs today", "preview it is")
    call = ModelCall("cues", reply="the reply")
    refused = work.decide(session, "tabs today", Code.ONE_OFF_CUE, "code_style", "tabs", "tabs")
    work.land(session, refused, work.decide(session, "preview it is", Code.NEW), calls=(call,))
    done = work.db.upkeep(now=work.at(40), horizons=Horizons(reply=30, turn=30))
    assert (1, 1) == (done.replies, len(done.turns))
    fact = work.only_fact()
    assert ("preview it is", "done: 0") == (fact.evidence.turn_text, fact.evidence.before_text)
    texts = [row[0] for row in work.raw("SELECT text FROM turns ORDER BY text")]
    assert ["done: 0", "preview it is"] == texts
    assert 2 == len(work.db.candidates("neutral:s1"))
    again = work.db.upkeep(now=work.at(41), horizons=Horizons(reply=30, turn=30))
    assert (0, 0) == (again.replies, len(again.turns))


def test_the_whole_job_erases_what_is_due_and_compacts(store: Store, open_work: Any) -> None:
    with open_work(store) as work:
        work.forget(work.write("zebra-box-17", name="s1"), day=5)
        now = work.at(20)
    assert store.upkeep(now=now, dry_run=True).erased != ()
    done = store.upkeep(now=now)
    assert (1, True) == (len(done.erased), done.compact)
    assert store.url or b"zebra-box-17" not in store.path.read_bytes()
    assert not store.upkeep(now=now).compact
