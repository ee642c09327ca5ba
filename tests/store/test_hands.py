"""What a person does to facts by hand goes through the same transitions."""

from __future__ import annotations

from typing import Any

import pytest

from store.errors import Conflict, ValueNeeded
from validators.verdict import Code

REPO = "github.com/acme/webapp"


def add(
    work: Any, value: str, type_name: str = "deploy_target", subject: str = "staging", day: float = 3, **more: Any
) -> Any:
    return work.db.add_fact(
        work.policy.types[type_name], owner=REPO, subject=subject, value=value, actor="dana", now=work.at(day), **more
    )


def test_a_fact_by_hand_is_confirmed_by_it(work: Any) -> None:
    fact = add(work, "preview", subject=" Stage ")
    assert ("preview", "active", work.at(3), "dana", 1) == (
        fact.value,
        fact.state,
        fact.confirmed_at,
        fact.confirmed_by,
        fact.times_stated,
    )
    assert work.policy.types["deploy_target"].canonical_subject("stage") == fact.subject
    assert "by hand" == fact.evidence.session


def test_a_taken_slot_is_named_and_replaced_only_when_asked(work: Any) -> None:
    main = work.write("main")
    with pytest.raises(Conflict, match=main.id):
        add(work, "preview")
    new = add(work, "preview", replace=True)
    assert ("superseded", new.id) == (work.db.fact(main.id).state, work.db.fact(main.id).superseded_by)


def test_adding_what_is_there_confirms_it(work: Any) -> None:
    main = work.write("main")
    assert main.id == add(work, "main").id
    assert (2, "dana") == (work.db.fact(main.id).times_stated, work.db.fact(main.id).confirmed_by)


def test_adding_answers_the_question_that_asked_for_it(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview")
    add(work, "preview")
    assert "expired" == work.db.review(item).state


@pytest.mark.parametrize("value", ["", "  "])
def test_a_fact_needs_a_value(work: Any, value: str) -> None:
    with pytest.raises(ValueNeeded):
        add(work, value)


@pytest.mark.parametrize(("wrong", "state"), [(False, "superseded"), (True, "wrong")])
def test_an_edit_is_a_new_row(work: Any, wrong: bool, state: str) -> None:
    main = work.write("main")
    new = work.db.edit_fact(main.id, "preview", actor="dana", now=work.at(3), wrong=wrong)
    old = work.db.fact(main.id)
    assert (state, new.id, "preview") == (old.state, old.superseded_by, new.value)
    with pytest.raises(Conflict, match=r"is (superseded|wrong)"):
        work.db.edit_fact(main.id, "qa", actor="dana", now=work.at(4))
    with pytest.raises(Conflict, match="already"):
        work.db.edit_fact(new.id, "preview", actor="dana", now=work.at(4))


def test_confirming_moves_the_confirmation_and_not_the_count(work: Any) -> None:
    main = work.write("main")
    after = work.db.confirm_fact(main.id, actor="dana", now=work.at(9))
    assert (work.at(9), "dana", work.at(0), 1) == (
        after.confirmed_at,
        after.confirmed_by,
        after.stated_at,
        after.times_stated,
    )


def test_retired_and_restored(work: Any) -> None:
    main = work.write("main")
    retired = work.db.retire_fact(main.id, actor="dana", now=work.at(2))
    assert ("retired", work.at(2), []) == (retired.state, retired.ended_at, work.values())
    assert ("active", None) == (
        work.db.restore_fact(main.id, actor="dana", now=work.at(3)).state,
        work.db.fact(main.id).ended_at,
    )
    with pytest.raises(Conflict, match="active"):
        work.db.restore_fact(main.id, actor="dana", now=work.at(3))


def test_nothing_is_restored_into_a_slot_that_is_taken(work: Any) -> None:
    main = work.write("main")
    work.db.edit_fact(main.id, "preview", actor="dana", now=work.at(3))
    with pytest.raises(Conflict, match="holds another value"):
        work.db.restore_fact(main.id, actor="dana", now=work.at(4))
    assert ["preview"] == work.values()


def test_when_a_successor_ends_the_older_value_does_not_come_back(work: Any) -> None:
    main = work.write("main")
    new = work.db.edit_fact(main.id, "preview", actor="dana", now=work.at(3))
    work.db.retire_fact(new.id, actor="dana", now=work.at(4))
    assert [] == work.values()


def test_what_is_built_on_a_fact_is_named_by_it(work: Any) -> None:
    main = work.write("main")
    built = add(work, "use main for staging", "decision", "staging branch", derived_from=[main.id])
    assert (main.id,) == built.derived_from
    work.db.edit_fact(main.id, "preview", actor="dana", now=work.at(5), wrong=True)
    assert work.at(5) == work.db.fact(built.id).rewrite_at


def test_snoozed_until_a_day_and_woken(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview")
    shown = work.db.snooze(item, actor="dana", now=work.at(2), until=work.at(9))
    assert ("open", work.at(9)) == (shown.state, shown.snoozed_until)
    assert work.db.undo(item, actor="dana", now=work.at(3)).snoozed_until is None


def test_refusals_are_counted(work: Any) -> None:
    main = work.write("main")
    for day in (1, 2):
        work.db.reject(work.queue(Code.REPLACEMENT, "preview", base=main, day=day), actor="d", now=work.at(day))
    work.queue(Code.REPLACEMENT, "preview", base=main, day=3)
    assert [2] == [item.refusals for item in work.db.reviews()]
