"""The day on which a stated rule ends."""

from __future__ import annotations

from datetime import date

import pytest

from validators.dates import stated_end, stated_start

WEDNESDAY = date(2026, 6, 10)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("until 2026-07-15", date(2026, 7, 15)),
        ("until 2026/7/5", date(2026, 7, 5)),
        ("until 15 July", date(2026, 7, 15)),
        ("until the 15th of July", date(2026, 7, 15)),
        ("until July 15th, 2027", date(2027, 7, 15)),
        ("till Aug 3", date(2026, 8, 3)),
        ("bis 31.7.", date(2026, 7, 31)),
        ("bis zum 3. August", date(2026, 8, 3)),
        ("hasta el 3 de agosto", date(2026, 8, 3)),
        ("到7月15日为止", date(2026, 7, 15)),
        ("until 15 January", date(2027, 1, 15)),
        ("until the end of July", date(2026, 7, 31)),
        ("until the end of the month", date(2026, 6, 30)),
        ("until end of week", date(2026, 6, 14)),
        ("until the end of the quarter", date(2026, 6, 30)),
        ("until the end of the year", date(2026, 12, 31)),
        ("until Friday", date(2026, 6, 12)),
        ("until Wednesday", date(2026, 6, 10)),
        ("until tomorrow", date(2026, 6, 11)),
        ("until next Friday", None),  # this week's or next week's
        ("until 31 June", None),
        ("until the release is out", None),
        ("", None),
    ],
)
def test_the_end_of_a_rule(words: str, expected: date | None) -> None:
    assert expected == stated_end(words, WEDNESDAY)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("from next week on", date(2026, 6, 15)),
        ("starting next month", date(2026, 7, 1)),
        ("from next quarter on", date(2026, 7, 1)),
        ("as of next half", date(2026, 7, 1)),
        ("from next year on", date(2027, 1, 1)),
        ("starting in January", date(2027, 1, 1)),
        ("from June on", date(2026, 6, 1)),
        ("as of 1 September", date(2026, 9, 1)),
        ("from Friday on", date(2026, 6, 12)),
        ("from tomorrow on", date(2026, 6, 11)),
        ("from now on", None),
        ("from this release on", None),
    ],
)
def test_a_stated_start_is_its_first_day(words: str, expected: date | None) -> None:
    assert expected == stated_start(words, WEDNESDAY)
