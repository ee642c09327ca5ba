"""The queue: what joins, what accepting and rejecting do, what undo puts back, and what is never applied."""

from __future__ import annotations

from typing import Any

import pytest

from store.errors import AlreadyDecided, AmbiguousId, NotDecided, NotFound, SlotChanged, StaleReview, ValueNeeded
from store.records import Applied
from validators.verdict import Code


def accept(work: Any, item: str, day: float = 10, value: str | None = None) -> Any:
    return work.db.accept(item, actor="dana", now=work.at(day), value=value)


def reject(work: Any, item: str, day: float = 10) -> Any:
    return work.db.reject(item, actor="dana", now=work.at(day))


def undo(work: Any, item: str, day: float = 11) -> Any:
    return work.db.undo(item, actor="dana", now=work.at(day))


def test_an_open_item_changes_nothing_and_shows_both_sides(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main)
    (shown,) = work.db.reviews()
    assert ["main"] == work.values()
    assert {
        "kind": "replacement",
        "current": "main",
        "proposed": "preview",
        "state": "open",
        "stale": False,
    }.items() <= (shown.to_json().items())
    assert (item, "preview now?", "main it is") == (shown.id, shown.evidence.text, shown.base.evidence.text)


def test_an_accepted_replacement_is_a_new_row_that_the_old_one_points_at(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main)
    done = accept(work, item)
    (new,) = work.db.facts()
    old = work.db.fact(main.id)
    assert ("preview", work.at(1), work.at(10), "dana") == (
        new.value,
        new.stated_at,
        new.confirmed_at,
        new.confirmed_by,
    )
    assert ("superseded", new.id, work.at(1), work.at(10)) == (
        old.state,
        old.superseded_by,
        old.superseded_at,
        old.ended_at,
    )
    assert ("accepted", new.id, "dana", "preview") == (
        done.state,
        done.result_fact,
        done.decided_by,
        done.decided_value,
    )


def test_an_edited_value_is_what_is_written(work: Any) -> None:
    item = work.queue(Code.REPLACEMENT, "preview", base=work.write("main"))
    accept(work, item, value="preview-eu")
    assert ["preview-eu"] == work.values()
    assert [] == work.db.refusals("github.com/acme/webapp", None)


def test_a_rejection_is_remembered(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main)
    reject(work, item)
    (refusal,) = work.db.refusals("github.com/acme/webapp", None)
    assert ("deploy_target", "staging", "preview", work.at(10)) == (
        refusal.type,
        refusal.subject,
        refusal.value,
        refusal.at,
    )
    assert ["main"] == work.values()
    assert ["refused"] == [each.state for each in work.db.reviews(all=True)]
    assert [] == work.db.reviews()


@pytest.mark.parametrize("decide", [accept, reject])
def test_a_decided_item_cannot_be_decided_again(work: Any, decide: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview")
    decide(work, item)
    for again in (accept, reject):
        with pytest.raises(AlreadyDecided, match=f"review undo {item}"):
            again(work, item)


def test_a_correction_marks_the_old_row_wrong(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.CORRECTION, "preview", base=main)
    accept(work, item)
    assert {"main": "wrong", "preview": "active"} == work.states()
    assert work.db.fact(main.id).superseded_at is None


def test_a_correction_without_a_value_leaves_the_slot_empty(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.CORRECTION, "", base=main)
    assert work.db.review(item).proposed is None
    accept(work, item)
    assert {"main": "wrong"} == work.states()
    undo(work, item)
    assert {"main": "active"} == work.states()


def test_a_confirmation_on_an_empty_slot_writes_a_confirmed_fact(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview")
    accept(work, item)
    (fact,) = work.db.facts()
    assert ("preview", work.at(10)) == (fact.value, fact.confirmed_at)


def test_a_confirmation_of_what_has_been_written_since_confirms_it(work: Any) -> None:
    item = work.queue(Code.CONTRADICTS_REPO, "preview", day=1)
    fact = work.write("preview", day=2)
    accept(work, item)
    after = work.db.fact(fact.id)
    assert (work.at(10), 2, work.at(2)) == (after.confirmed_at, after.times_stated, after.stated_at)
    undo(work, item)
    after = work.db.fact(fact.id)
    assert (None, 1, work.at(2)) == (after.confirmed_at, after.times_stated, after.stated_at)


def test_a_confirmation_is_answered_when_the_developer_says_it(work: Any) -> None:
    work.queue(Code.CONFIRMATION, "preview", day=1)
    work.write("preview", day=2)
    (item,) = work.db.reviews(all=True)
    assert ("expired", "the developer has stated it since") == (item.state, item.reason)


def test_a_newer_proposal_joins_the_open_item_with_its_own_evidence(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=1)
    assert item == work.queue(Code.REPLACEMENT, "uat", base=main, day=3)
    assert item == work.queue(Code.REPLACEMENT, "qa", base=main, day=2)
    (shown,) = work.db.reviews()
    assert "uat" == shown.proposed
    assert [("uat", "uat now?"), ("qa", "qa now?"), ("preview", "preview now?")] == [
        (each.value, each.evidence.text) for each in shown.proposals
    ]
    accept(work, item)
    assert {"main": "superseded", "uat": "active"} == work.states()


def test_the_same_statement_joins_only_once(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main, name="q")
    assert item == work.queue(Code.REPLACEMENT, "preview", base=main, name="q")
    assert 1 == len(work.db.review(item).proposals)
    reject(work, item)
    session = work.session("q", "hm, preview now?", day=1)
    from_again = work.decide(session, "preview now?", Code.REPLACEMENT)
    assert Applied.ALREADY_USED is work.land(session, from_again).decisions[0].applied
    assert [] == work.db.reviews()


def test_a_value_said_twice_in_one_item_counts_twice_when_accepted(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=1)
    work.queue(Code.REPLACEMENT, "preview", base=main, day=2)
    accept(work, item)
    (fact,) = work.db.facts()
    assert (2, work.at(2), work.at(1)) == (fact.times_stated, fact.stated_at, fact.valid_from)


def test_kinds_and_values_of_multi_valued_slots_are_items_of_their_own(work: Any) -> None:
    main = work.write("main")
    items = {
        work.queue(Code.REPLACEMENT, "preview", base=main, day=1),
        work.queue(Code.CORRECTION, "preview", base=main, day=2),
        work.queue(Code.CONFIRMATION, "db/", type_name="do_not_edit", subject="", day=3),
        work.queue(Code.CONFIRMATION, "infra/", type_name="do_not_edit", subject="", day=4),
    }
    assert 4 == len(items)


def test_a_stale_item_is_shown_and_never_applied(work: Any) -> None:
    main = work.write("main")
    wrong = work.queue(Code.CORRECTION, "qa", base=main, day=2)
    accept(work, work.queue(Code.REPLACEMENT, "preview", base=main, day=1))
    (shown,) = work.db.reviews()
    assert (wrong, True, "main", "preview") == (shown.id, shown.stale, shown.current, shown.now)
    with pytest.raises(StaleReview, match=r"'main'.*'preview'"):
        accept(work, wrong)
    assert {"main": "superseded", "preview": "active"} == work.states()
    reject(work, wrong)


def test_an_item_on_a_slot_that_was_filled_since_is_stale(work: Any) -> None:
    item = work.queue(Code.CONTRADICTS_REPO, "preview")
    work.write("uat", day=2)
    with pytest.raises(StaleReview):
        accept(work, item)


def test_a_newer_proposal_brings_a_stale_item_up_to_date(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.CORRECTION, "qa", base=main, day=2)
    other = work.queue(Code.REPLACEMENT, "preview", base=main, day=1)
    accept(work, other)
    preview = next(fact for fact in work.db.facts() if fact.value == "preview")
    assert item == work.queue(Code.CORRECTION, "qa", base=preview, day=12)
    (shown,) = work.db.reviews()
    assert (False, "preview", "qa") == (shown.stale, shown.current, shown.proposed)
    accept(work, item, day=13)
    assert {"main": "superseded", "preview": "wrong", "qa": "active"} == work.states()


def test_an_answer_closes_other_questions_about_the_same_value(work: Any) -> None:
    main = work.write("main")
    repo = work.queue(Code.CONTRADICTS_REPO, "preview", base=main, day=2)
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=1)
    accept(work, item)
    assert ("expired", f"answered by {item}") == (work.db.review(repo).state, work.db.review(repo).reason)
    undo(work, item)
    assert {item, repo} == {each.id for each in work.db.reviews()}


def test_undo_of_an_accepted_replacement_puts_the_old_row_back(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main)
    accept(work, item)
    undo(work, item)
    old = work.db.fact(main.id)
    assert {"main": "active", "preview": "retired"} == work.states()
    assert (None, None, None) == (old.superseded_by, old.superseded_at, old.ended_at)
    assert ["open"] == [each.state for each in work.db.reviews()]
    accept(work, item, day=12)
    assert ["preview"] == work.values()


def test_undo_of_a_rejection_forgets_the_refusal(work: Any) -> None:
    item = work.queue(Code.REPLACEMENT, "preview", base=work.write("main"))
    reject(work, item)
    undo(work, item)
    assert [] == work.db.refusals("github.com/acme/webapp", None)
    assert "open" == work.db.review(item).state


def test_undo_is_refused_when_the_slot_has_changed(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=1)
    accept(work, item)
    (preview,) = work.db.facts()
    second = work.queue(Code.REPLACEMENT, "uat", base=preview, day=11)
    with pytest.raises(SlotChanged, match=second):
        undo(work, item)
    accept(work, second, day=12)
    with pytest.raises(SlotChanged, match="changed since"):
        undo(work, item, day=13)
    undo(work, second, day=13)
    assert {"main": "superseded", "preview": "active", "uat": "retired"} == work.states()


def test_only_decisions_of_persons_can_be_undone(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview", day=1)
    with pytest.raises(NotDecided):
        undo(work, item)
    work.write("preview", day=2)
    with pytest.raises(NotDecided):
        undo(work, item)


def test_an_unclear_forget_touches_nothing_until_it_is_said_what_is_meant(work: Any) -> None:
    keep = work.write("db/", "do_not_edit", "")
    drop = work.write("infra/", "do_not_edit", "", day=1, code=Code.ADDITIONAL)
    item = work.queue(Code.FORGET_UNCLEAR, "", type_name="do_not_edit", subject="", day=2)
    with pytest.raises(ValueNeeded, match="'db/', 'infra/'"):
        accept(work, item)
    assert ["db/", "infra/"] == work.values()
    accept(work, item, value=drop.id)
    assert {"db/": "active", "infra/": "forgotten"} == work.states()
    undo(work, item)
    assert {"db/": "active", "infra/": "active"} == work.states()
    assert [] == work.db.tombstones("github.com/acme/webapp", None)
    assert "active" == work.db.fact(keep.id).state


def test_a_dated_proposal_is_accepted_beside_the_default(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.CONFIRMATION, "hotfix", base=main, day=1, until=work.at(20).date())
    accept(work, item)
    assert {"main": "active", "hotfix": "active"} == work.states()
    (dated,) = (fact for fact in work.db.facts() if fact.value == "hotfix")
    assert work.at(20).date() == dated.valid_until


def test_ids_can_be_shortened_and_are_named_when_they_cannot(work: Any) -> None:
    main = work.write("main")
    other = work.write("make test", "test_command", "", day=1)
    assert main == work.db.fact(main.id[:6])
    with pytest.raises(AmbiguousId, match=main.id):
        work.db.fact("f_")
    for short in ("f", main.id[:5]):
        with pytest.raises(AmbiguousId):
            work.db.fact(short)
    assert other.id != main.id
    for missing in ("f_zzzzzzzz", ""):
        with pytest.raises(NotFound):
            work.db.fact(missing)
        with pytest.raises(NotFound):
            accept(work, missing)


def test_every_change_is_in_the_event_log_with_actor_and_reason(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main)
    accept(work, item)
    rows = work.raw("SELECT action, actor, from_state, to_state FROM events ORDER BY number")
    assert [
        ("written", "pass", None, "active"),
        ("queued", "pass", None, "open"),
        ("superseded", "dana", "active", "superseded"),
        ("written", "dana", None, "active"),
        ("accepted", "dana", "open", "accepted"),
    ] == rows


def test_what_was_believed_then(work: Any) -> None:
    main = work.write("main", day=0)
    accept(work, work.queue(Code.REPLACEMENT, "preview", base=main, day=2), day=10)
    assert [] == work.values(as_of=work.at(-1))
    assert ["main"] == work.values(as_of=work.at(9))
    assert ["preview"] == work.values(as_of=work.at(10))


def test_the_queue_of_a_repository_and_a_developer(work: Any) -> None:
    work.queue(Code.CONFIRMATION, "preview", day=1)
    work.queue(Code.CONFIRMATION, "short answers", type_name="preference", subject="answers", day=2)
    assert ["preview"] == [each.proposed for each in work.db.open_reviews("github.com/acme/webapp", None)]
    assert ["short answers"] == [each.proposed for each in work.db.open_reviews("elsewhere", "dana@acme.example")]
