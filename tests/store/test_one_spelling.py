"""A store of the time before e-mail addresses had one spelling: what was kept under capitals is found again."""

from __future__ import annotations

from typing import Any

import pytest

from store.migrate import bring_up_to_date
from validators.verdict import Code

DANA, CAPITALS = "dana@acme.example", "Dana@Acme.example"


def upgrade(work: Any) -> None:
    """Takes the store back to the schema of that time, whose tables are the same, and opens it anew."""
    work.db.sql.raw.execute("DELETE FROM migrations WHERE version > 6")
    bring_up_to_date(work.db.sql, "the store")


def prefer(work: Any, value: str, subject: str, who: str, day: float) -> Any:
    return work.write(value, "preference", subject, developer=who, day=day)


def test_preferences_under_capitals_are_found_again(work: Any) -> None:
    old = prefer(work, "bullet points", "summaries", CAPITALS, 1)
    new = prefer(work, "short commits", "commits", DANA, 2)
    main = work.write("main", developer=CAPITALS)
    assert ["short commits"] == [fact.value for fact in work.db.facts(developer=DANA)]
    upgrade(work)
    assert {old.id, new.id} == {fact.id for fact in work.db.facts(developer=DANA)}
    assert {DANA} == {work.db.fact(each.id).developer for each in (old, new, main)}
    assert ([], "github.com/acme/webapp") == (work.db.verify(), work.db.fact(main.id).owner)
    work.db.edit_fact(old.id, "one paragraph", actor=DANA, now=work.at(9))
    assert {"one paragraph", "short commits"} == {fact.value for fact in work.db.facts(developer=DANA)}


@pytest.mark.parametrize(("first", "last"), [(CAPITALS, DANA), (DANA, CAPITALS), ("DANA@acme.example", CAPITALS)])
@pytest.mark.parametrize("value", ["one paragraph", "bullet points"])
def test_of_two_spellings_the_one_that_was_said_last_holds(work: Any, first: str, last: str, value: str) -> None:
    earlier = prefer(work, "bullet points", "summaries", first, 1)
    later = prefer(work, value, "summaries", last, 2)
    upgrade(work)
    assert [later.id] == [fact.id for fact in work.db.facts(developer=DANA)]
    before = work.db.fact(earlier.id)
    assert ("superseded", later.id, later.stated_at, DANA) == (
        before.state,
        before.superseded_by,
        before.superseded_at,
        before.owner,
    )
    assert [] == work.db.verify()


def test_questions_tombstones_and_refusals_move_too(work: Any) -> None:
    items = []
    for who, day in ((CAPITALS, 1.0), (DANA, 2.0)):
        session = work.session(f"q{day}", "hm, tabs now?", day=day, developer=who)
        for subject in ("indents", "spaces"):
            decision = work.decide(session, "tabs now?", Code.CONFIRMATION, "preference", subject, "tabs")
            items.append(work.land(session, decision).decisions[0].review_id)
    one, refused, other, left = items
    work.db.reject(refused, actor=DANA, now=work.at(3))
    work.forget(prefer(work, "bullet points", "summaries", CAPITALS, 3), day=4)
    upgrade(work)
    assert {other, left} == {item.id for item in work.db.open_reviews("", DANA)}
    assert ("expired", "the same developer in another spelling") == (
        work.db.review(one).state,
        work.db.review(one).reason,
    )
    assert ["summaries"] == [stone.subject for stone in work.db.tombstones("", DANA)]
    assert ["spaces"] == [refusal.subject for refusal in work.db.refusals("", DANA)]
    work.db.reject(left, actor=DANA, now=work.at(5))
    work.db.undo(refused, actor=DANA, now=work.at(6))
    assert {other, refused} == {item.id for item in work.db.open_reviews("", DANA)}
    assert [] == work.db.verify()


def test_a_store_without_capitals_stays_as_it_is(work: Any) -> None:
    prefer(work, "bullet points", "summaries", DANA, 1)
    prefer(work, "short commits", "commits", "Dana", 2)  # no address: a name is as it was given
    before = work.db.facts(all=True)
    upgrade(work)
    assert (before, []) == (work.db.facts(all=True), work.db.verify())
