"""What a person does to facts by hand goes through the same transitions."""

from __future__ import annotations

from datetime import date
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


AGAINST = (
    (Code.REPLACEMENT, "preview"),
    (Code.CORRECTION, "preview"),
    (Code.CORRECTION, ""),
    (Code.CONTRADICTS_REPO, "preview"),
    (Code.CONFIRMATION, "preview"),
    (Code.FORGET_UNCLEAR, "main"),
)
BY_HAND = {
    "confirm": "a person stood by the stored value since",
    "add": "a person stood by the stored value since",
    "edit": "the value was changed by hand",
    "replace": "the value was changed by hand",
    "retire": "its fact was retired",
    "forget": "its slot was forgotten",
}


def act(work: Any, how: str, fact: Any, day: float) -> None:
    """One of the things that a person does to a fact by hand."""
    done = {"actor": "dana", "now": work.at(day)}
    match how:
        case "add" | "replace":
            add(work, fact.value if how == "add" else "gold", day=day, replace=how == "replace")
        case "edit":
            work.db.edit_fact(fact.id, "gold", **done)
        case "forget":
            work.db.forget_fact(fact.id, **done, at_once=False)
        case _:
            (work.db.confirm_fact if how == "confirm" else work.db.retire_fact)(fact.id, **done)


@pytest.mark.parametrize("how", BY_HAND)
@pytest.mark.parametrize(("code", "value"), AGAINST)
def test_a_hand_on_a_fact_answers_what_was_asked_about_it_before(work: Any, how: str, code: Code, value: str) -> None:
    main = work.write("main")
    item = work.queue(code, value, base=main, day=2)
    act(work, how, main, day=9)
    closed = work.db.review(item)
    assert ("expired", BY_HAND[how], "dana") == (closed.state, closed.reason, closed.decided_by)
    assert ([], []) == (work.db.reviews(), work.db.verify())


def test_a_value_by_hand_answers_what_was_asked_of_the_empty_slot(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview")
    add(work, "gold")
    assert ("expired", "the value was changed by hand") == (work.db.review(item).state, work.db.review(item).reason)


@pytest.mark.parametrize("how", ["confirm", "add"])
def test_what_is_said_after_a_confirmation_asks_anew(work: Any, how: str) -> None:
    main = work.write("main")
    work.queue(Code.REPLACEMENT, "preview", base=main, day=2)
    act(work, how, main, day=9)
    later = work.queue(Code.REPLACEMENT, "preview", base=main, day=10)
    assert [later] == [item.id for item in work.db.reviews()]


def test_a_confirmation_answers_nothing_that_was_said_later(work: Any) -> None:
    """A clock that ran behind, or a session that was read before the confirmation was made."""
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=12)
    work.db.confirm_fact(main.id, actor="dana", now=work.at(9))
    assert "open" == work.db.review(item).state


def test_a_confirmation_leaves_what_stands_beside_the_fact(work: Any) -> None:
    """Another slot, a rule for some days, another value of a type with several."""
    main, legacy = work.write("main"), work.write("legacy/", "do_not_edit", "")
    left = [
        work.queue(
            Code.REPLACEMENT, "gold", base=work.write("beta", subject="production"), subject="production", day=2
        ),
        work.queue(Code.CONFIRMATION, "preview", base=main, until=date(2026, 12, 31), day=2),
        work.queue(Code.CONFIRMATION, "gen/", type_name="do_not_edit", subject="", day=2),
    ]
    for fact in (main, legacy):
        work.db.confirm_fact(fact.id, actor="dana", now=work.at(9))
    assert set(left) == {item.id for item in work.db.reviews()}


def test_a_dated_rule_that_is_confirmed_answers_nothing_about_its_default(work: Any) -> None:
    main = work.write("main")
    dated = work.write("gold", until=date(2026, 12, 31), code=Code.TEMPORARY, day=1)
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=2)
    work.db.confirm_fact(dated.id, actor="dana", now=work.at(9))
    assert "open" == work.db.review(item).state


def test_accepting_that_a_value_holds_answers_the_rest_and_undo_asks_it_again(work: Any) -> None:
    main = work.write("main")
    doubt = work.queue(Code.CORRECTION, "", base=main, day=2)
    yes = work.queue(Code.REPLACEMENT, "main", base=main, day=3)
    work.db.accept(yes, actor="dana", now=work.at(4))
    assert ("expired", "a person stood by the stored value since") == (
        work.db.review(doubt).state,
        work.db.review(doubt).reason,
    )
    work.db.undo(yes, actor="dana", now=work.at(5))
    assert {"open"} == {work.db.review(item).state for item in (doubt, yes)}


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
