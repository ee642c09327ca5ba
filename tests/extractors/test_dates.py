"""Stated ends, resolved against the moment in which they were said."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from extractors.cues.dates import stated_end

MONDAY = datetime(2026, 6, 29, 10, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("until 2026-07-31", date(2026, 7, 31)),
        ("through July 17", date(2026, 7, 17)),
        ("until March 9th", date(2027, 3, 9)),
        ("until the 15th of August", date(2026, 8, 15)),
        ("until July 1st, 2027", date(2027, 7, 1)),
        ("until 31.07.2026", date(2026, 7, 31)),
        ("till friday", date(2026, 7, 3)),
        ("until tomorrow", date(2026, 6, 30)),
        ("until June 29", date(2026, 6, 29)),
        ("until the end of the month", date(2026, 6, 30)),
        ("until end of next month", date(2026, 7, 31)),
        ("until the end of May", date(2027, 5, 31)),
        ("through the end of December", date(2026, 12, 31)),
        ("until end of next quarter", date(2026, 9, 30)),
        ("until end of the year", date(2026, 12, 31)),
        ("until end of the week", date(2026, 7, 5)),
        ("for the next two weeks", date(2026, 7, 13)),
        ("for a couple of weeks", date(2026, 7, 13)),
        ("for another 3 days", date(2026, 7, 2)),
        ("for 2 months", date(2026, 8, 29)),
    ],
)
def test_a_day_is_told(words: str, day: date) -> None:
    """The last day on which the rule holds."""
    found = stated_end(f"{words} staging deploys from x", MONDAY)
    assert found is not None
    assert (0, len(words), day) == (found.start, found.end, found.day)


@pytest.mark.parametrize("words", ["until the demo is over", "till we have a fix", "until 2026-02-31"])
def test_an_end_without_a_day(words: str) -> None:
    """It is an end all the same: what it limits is no standing rule."""
    found = stated_end(f"{words} staging deploys from x", MONDAY)
    assert found is not None
    assert found.day is None


@pytest.mark.parametrize("words", ["from now on", "until further notice", "for two reasons", "the tilt setup"])
def test_no_end(words: str) -> None:
    """Words that only look like an end limit nothing."""
    assert stated_end(words, MONDAY) is None


def test_without_a_time_only_full_dates_are_told() -> None:
    """A session without times cannot say which July is meant."""
    full, short = stated_end("until July 17 2026", None), stated_end("until July 17", None)
    assert full is not None
    assert short is not None
    assert (date(2026, 7, 17), None) == (full.day, short.day)


@pytest.mark.parametrize(
    ("said", "words", "day"),
    [
        (datetime(2026, 1, 31, tzinfo=UTC), "for one month", date(2026, 2, 28)),
        (datetime(2026, 12, 15, tzinfo=UTC), "for two months", date(2027, 2, 15)),
        (datetime(2026, 12, 15, tzinfo=UTC), "until the end of the month", date(2026, 12, 31)),
        (datetime(2026, 11, 2, tzinfo=UTC), "until end of next quarter", date(2027, 3, 31)),
    ],
)
def test_over_the_edge_of_month_and_year(said: datetime, words: str, day: date) -> None:
    """Months have different lengths and years end."""
    found = stated_end(words, said)
    assert found is not None
    assert day == found.day
