"""When and how long to ask again, without waiting."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from extractors.errors import Terminal, Transient
from extractors.retrying import RetryPolicy, ask_with_retries, retry_after


class Ask:
    """Fails with each of ``errors`` in turn, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


def transient(wait: float | None = None) -> Transient:
    error = Transient("ask", "busy", "later")
    error.retry_after = wait
    return error


def test_waits_grow_with_jitter_up_to_a_limit() -> None:
    """Doubling from the first wait; the jitter adds at most the first wait."""
    waits: list[float] = []
    policy = RetryPolicy(attempts=6, first_wait=1, longest_wait=4, sleep=waits.append)
    assert ("answer", 6) == ask_with_retries(Ask(*[transient() for _ in range(5)]), policy)
    assert [True] * 5 == [
        low <= wait <= high for wait, low, high in zip(waits, (1, 2, 4, 4, 4), (2, 3, 5, 5, 5), strict=True)
    ]


def test_a_terminal_error_is_raised_at_once() -> None:
    """No wait, no second attempt."""
    ask, waits = Ask(Terminal("ask", "unknown model", "pull it")), []  # type: ignore[var-annotated]
    with pytest.raises(Terminal, match="unknown model"):
        ask_with_retries(ask, RetryPolicy(sleep=waits.append))
    assert (1, []) == (ask.asked, waits)


def test_a_short_retry_after_is_waited_exactly() -> None:
    """Without jitter: the server knows."""
    waits: list[float] = []
    ask_with_retries(Ask(transient(12.0)), RetryPolicy(sleep=waits.append))
    assert [12.0] == waits


@pytest.mark.parametrize("deadline", [10.0, 12.0])
def test_nothing_is_waited_past_the_deadline(deadline: float) -> None:
    """A wait that would end after it is not begun."""
    waits: list[float] = []
    with pytest.raises(Transient, match="busy"):
        ask_with_retries(Ask(transient(12.0)), RetryPolicy(deadline=deadline, sleep=waits.append))
    assert [] == waits


@pytest.mark.parametrize(
    ("header", "seconds"), [("3", 3.0), ("2.5", 2.5), ("-1", 0.0), ("", None), (None, None), ("soon", None)]
)
def test_retry_after_in_seconds(header: str | None, seconds: float | None) -> None:
    """A number, never negative; None for what is none."""
    assert seconds == retry_after(header)


def test_retry_after_as_a_date() -> None:
    """The time until then, and nothing for the past."""
    then = datetime.now(UTC) + timedelta(minutes=10)
    wait = retry_after(format_datetime(then, usegmt=True))
    assert wait is not None
    assert 590 < wait <= 600
    assert 0.0 == retry_after("Wed, 21 Oct 2015 07:28:00 GMT")
