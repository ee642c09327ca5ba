"""What was believed, what was true, and how fast things change."""

from __future__ import annotations

from typing import Any

import pytest

from validators.verdict import Code


@pytest.fixture
def moved(work: Any) -> Any:
    """main until day 5, preview from then on; the session of day 5 was read on day 10; qa was wrong throughout."""
    main = work.write("main", day=0)
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=5)
    work.db.accept(item, actor="dana", now=work.at(10))
    wrong = work.write("qa", subject="live", day=1)
    work.db.accept(work.queue(Code.CORRECTION, "", base=wrong, day=6, subject="live"), actor="dana", now=work.at(11))
    return work


BELIEVED_AND_TRUE = [
    (-1, [], []),
    (0.5, ["main"], ["main"]),
    (4, ["main", "qa"], ["main"]),
    (7, ["main", "qa"], ["preview"]),
    (10.5, ["preview", "qa"], ["preview"]),
    (12, ["preview"], ["preview"]),
]


@pytest.mark.parametrize(("day", "believed", "true"), BELIEVED_AND_TRUE)
def test_what_was_believed_and_what_was_true(moved: Any, day: float, believed: list[str], true: list[str]) -> None:
    assert believed == sorted(moved.values(as_of=moved.at(day)))
    assert true == [fact.value for fact in moved.db.valid_on(moved.at(day))]


def test_a_dated_rule_was_true_through_its_last_day(work: Any) -> None:
    work.write("hotfix", day=2, until=work.at(8).date(), code=Code.TEMPORARY)
    work.db.upkeep(now=work.at(20))
    assert [[], ["hotfix"], ["hotfix"], []] == [
        [fact.value for fact in work.db.valid_on(work.at(day))] for day in (1, 2, 8.5, 9)
    ]


def test_an_undone_acceptance_never_was_true_and_a_retired_one_was(work: Any) -> None:
    item = work.queue(Code.CONFIRMATION, "preview", day=1)
    work.db.accept(item, actor="dana", now=work.at(2))
    work.db.undo(item, actor="dana", now=work.at(3))
    assert [] == work.db.valid_on(work.at(2))
    main = work.write("main", day=4)
    work.db.retire_fact(main.id, actor="dana", now=work.at(6))
    assert [["main"], []] == [[fact.value for fact in work.db.valid_on(work.at(day))] for day in (5, 6)]


def test_a_slots_history_has_its_rows_and_its_events(moved: Any) -> None:
    (preview,) = (fact for fact in moved.db.facts() if fact.value == "preview")
    history = moved.db.history(preview.id)
    assert ["main", "preview"] == [fact.value for fact in history.facts]
    assert ["written", "queued", "superseded", "written", "accepted"] == [event.action for event in history.events]
    assert {"owner", "type", "subject", "facts", "events"} == set(history.to_json())


def test_restless_slots_come_first(work: Any) -> None:
    fact = work.write("v0")
    for step in range(1, 7):
        item = work.queue(Code.REPLACEMENT, f"v{step}", base=fact, day=10 * step)
        fact = work.db.fact(work.db.accept(item, actor="d", now=work.at(10 * step)).result_fact)
    work.write("make test", "test_command", "")
    (slot,) = work.db.volatility()
    assert ("deploy_target", 6, (10.0,) * 6) == (slot.type, slot.changes, slot.days_held)
    rates = {rate.type: rate for rate in work.db.change_rates(now=work.at(100))}
    assert (1, 6, 100.0, 10.0, 10) == (
        (rate := rates["deploy_target"]).slots,
        rate.changes,
        rate.days_watched,
        rate.median_days_held,
        rate.suggested_trust_days,
    )
    assert (0, None) == (rates["test_command"].changes, rates["test_command"].suggested_trust_days)
