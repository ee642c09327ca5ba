"""Forgetting: gone from loading at once, a tombstone without the value, and what goes with it."""

from __future__ import annotations

from typing import Any

from store.records import Applied
from validators.verdict import Code, Tombstone, value_hash

REPO = "github.com/acme/webapp"


def test_a_forgotten_fact_is_gone_at_once_and_its_tombstone_has_the_date_of_the_words(work: Any) -> None:
    work.forget(work.write("main"), day=5)
    assert {"main": "forgotten"} == work.states()
    assert [] == work.db.known(REPO, None)
    assert [Tombstone("deploy_target", "staging", work.at(5))] == work.db.tombstones(REPO, None)


def test_dated_rules_and_undecided_items_of_the_slot_go_with_it(work: Any) -> None:
    main = work.write("main")
    work.write("hotfix", day=1, until=work.at(50).date(), code=Code.TEMPORARY)
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=2)
    other = work.write("make test", "test_command", "", day=3)
    work.forget(main)
    assert {"main": "forgotten", "hotfix": "forgotten", "make test": "active"} == work.states()
    assert ("expired", "its slot was forgotten") == (work.db.review(item).state, work.db.review(item).reason)
    assert "active" == work.db.fact(other.id).state


def test_with_a_value_in_a_multi_valued_slot_only_that_row_goes(work: Any) -> None:
    keep = work.write("db/", "do_not_edit", "")
    drop = work.write("infra/", "do_not_edit", "", day=1, code=Code.ADDITIONAL)
    stays = work.queue(Code.CONFIRMATION, "docs/", type_name="do_not_edit", subject="", day=2)
    goes = work.queue(Code.CORRECTION, "infra/old", type_name="do_not_edit", subject="", base=drop, day=3)
    work.forget(drop, value="infra/")
    assert {"db/": "active", "infra/": "forgotten"} == work.states()
    assert [Tombstone("do_not_edit", "", work.at(5), value_hash("infra/"))] == work.db.tombstones(REPO, None)
    assert ("open", "expired") == (work.db.review(stays).state, work.db.review(goes).state)
    assert "active" == work.db.fact(keep.id).state


def test_two_extractors_forget_once(work: Any) -> None:
    main = work.write("main")
    session = work.session("s2", "forget the staging branch", day=5)
    targets = tuple(work.db.known(REPO, None))
    landed = work.land(
        session,
        *(
            work.decide(session, "forget the staging branch", Code.FORGOTTEN, value="", targets=targets, extractor=name)
            for name in ("cues", "openai")
        ),
    )
    assert [Applied.FORGOT, Applied.ALREADY_USED] == [each.applied for each in landed.decisions]
    assert 1 == len(work.db.tombstones(REPO, None))
    assert "forgotten" == work.db.fact(main.id).state


def test_what_is_said_after_the_forget_in_the_same_session_is_written(work: Any) -> None:
    work.write("main")
    session = work.session("s2", "forget the staging branch", "main it is then, after all", day=5)
    targets = tuple(work.db.known(REPO, None))
    landed = work.land(
        session,
        work.decide(session, "main it is then", Code.SAME_VALUE, value="main", targets=targets),
        work.decide(session, "forget the staging branch", Code.FORGOTTEN, value="", targets=targets),
    )
    assert [Applied.WRITTEN, Applied.FORGOT] == [each.applied for each in landed.decisions]
    assert ["main"] == work.values()


def test_the_tombstone_does_not_hold_the_value(work: Any) -> None:
    work.forget(work.write("main-secret-branch"), day=5)
    columns = work.raw("SELECT * FROM tombstones")[0]
    assert not [column for column in columns if "main-secret-branch" in str(column)]
