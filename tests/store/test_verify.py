"""Verify finds nothing in a store that has seen everything, and finds each kind of damage."""

from __future__ import annotations

from typing import Any

import pytest

from extractors.note import Outcome as CameOfIt
from extractors.note import SessionNote
from validators.verdict import Code


@pytest.fixture
def lived(work: Any) -> Any:
    """A store with a bit of everything."""
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=1)
    work.db.accept(item, actor="dana", now=work.at(2))
    work.db.undo(item, actor="dana", now=work.at(3))
    work.db.accept(item, actor="dana", now=work.at(4))
    work.queue(Code.CONFIRMATION, "make test", type_name="test_command", subject="", day=5)
    work.db.reject(work.queue(Code.CONFIRMATION, "qa", day=6, subject="qa"), actor="dana", now=work.at(7))
    work.write("hotfix", day=7, until=work.at(9).date(), code=Code.TEMPORARY)
    gone = work.write("infra/", "do_not_edit", "", day=8)
    work.write("db/", "do_not_edit", "", day=8, code=Code.ADDITIONAL)
    work.forget(gone, day=9, value="infra/")
    erased = work.write("make lint", "lint_command", "", day=9)
    work.db.forget_fact(erased.id, actor="dana", now=work.at(10))
    noted = SessionNote("All was said.", CameOfIt.DONE, ("a.py",), 3)
    work.land(work.session("noted", "hello there", day=9), note=noted)
    work.db.add_note("note", "a note", owner="o", now=work.at(10), derived_from=[main.id])
    work.db.add_fact(
        work.policy.types["code_style"],
        owner="github.com/acme/webapp",
        subject="tabs",
        value="use tabs",
        actor="d",
        now=work.at(11),
    )
    work.db.upkeep(now=work.at(12))
    return work


def test_a_store_that_has_seen_everything_is_clean(lived: Any) -> None:
    assert [] == lived.db.verify()


DAMAGE = [
    ("UPDATE facts SET active_key = NULL WHERE value = 'preview' AND state = 'active'", {"broken_active_keys"}),
    ("UPDATE facts SET superseded_by = 'f_nothere' WHERE value = 'main'", {"broken_successors"}),
    ("UPDATE facts SET times_stated = 9 WHERE value = 'db/'", {"broken_counts"}),
    ("UPDATE facts SET value = 'secret again' WHERE erased_at IS NOT NULL", {"broken_erasures"}),
    ("UPDATE facts SET state = 'retired' WHERE value = 'main'", {"broken_fact_stories"}),
    ("UPDATE facts SET subject = 'elsewhere' WHERE value = 'db/'", {"wrong_keys"}),
    ("DELETE FROM statements WHERE quote = 'db/ it is'", {"broken_evidence", "broken_counts"}),
    ("DELETE FROM turns WHERE text = 'so db/ it is'", {"orphaned_statements", "orphaned_candidates"}),
    ("UPDATE turns SET text = 'so something else' WHERE text = 'so db/ it is'", {"wrong_quotes", "wrong_hashes"}),
    ("DELETE FROM sessions WHERE native_id = 'w8-db/'", {"orphaned_candidates"}),
    ("UPDATE reviews SET state = 'refused' WHERE proposed = 'make test'", {"broken_open_keys", "broken_item_stories"}),
    ("DELETE FROM proposals WHERE value = 'make test'", {"broken_items"}),
    ("DELETE FROM events WHERE action = 'written' AND type = 'code_style'", {"broken_fact_stories"}),
    ("DELETE FROM tombstones WHERE type = 'lint_command'", {"missing_tombstones"}),
    ("UPDATE sessions SET state = 'running' WHERE native_id = 'w8-db/'", {"broken_leases"}),
    ("UPDATE notes SET session_key = 'neutral:none' WHERE outcome IS NOT NULL", {"broken_notes"}),
    ("UPDATE notes SET outcome = 'done', session_key = 'neutral:noted'", {"broken_notes"}),
    ("UPDATE notes SET derived_from = '[\"f_nothere\"]'", {"missing_sources"}),
]


@pytest.mark.parametrize(("damage", "rules"), DAMAGE, ids=[damage[:60] for damage, _ in DAMAGE])
def test_each_kind_of_damage_is_found_and_named(lived: Any, damage: str, rules: set[str]) -> None:
    lived.db.sql.raw.execute(damage)
    problems = lived.db.verify()
    assert rules == {problem.rule for problem in problems}
    assert all(problem.id and problem.says for problem in problems)
