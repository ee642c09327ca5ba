"""How long ago something was, in the fewest words that are right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from afterpass.context import age, days_since

NOON = datetime(2026, 6, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "days", "said"),
    [
        (NOON, 0, "today"),
        (datetime(2026, 6, 19, 23, 59, tzinfo=UTC), 1, "1 d"),
        (datetime(2026, 5, 31, 18, tzinfo=UTC), 20, "20 d"),
        (datetime(2026, 6, 19, 23, tzinfo=timezone(timedelta(hours=-4))), 0, "today"),
        (datetime(2026, 6, 21, 1, tzinfo=UTC), 0, "today"),
        (datetime(2026, 4, 21, tzinfo=UTC), 60, "2 mo"),
        (datetime(2024, 6, 1, tzinfo=UTC), 749, "2 y"),
    ],
)
def test_age_counts_the_days_of_the_calendar(moment: datetime, days: int, said: str) -> None:
    """As recall counts them: what was said yesterday evening is a day old this morning."""
    assert (days, said) == (days_since(moment, NOON), age(moment, NOON))
