"""Asking again when that may help: connection, overload and timeouts, with jitter, and never past a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar

from extractors.errors import Transient

if TYPE_CHECKING:
    from tenacity import RetryCallState

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long one question is asked again.

    Waits grow from ``first_wait`` seconds by doubling up to ``longest_wait``, with a jitter of ``first_wait``; a
    server's Retry-After wins over that. No attempt starts later than ``deadline`` seconds after the first. ``sleep`` is
    what waits.
    """

    attempts: int = 4
    first_wait: float = 0.5
    longest_wait: float = 20.0
    deadline: float = 120.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)


def ask_with_retries(ask: Callable[[], Answer], policy: RetryPolicy) -> tuple[Answer, int]:
    """The answer and the number of attempts. Raises what the last attempt raised; only Transient is tried again."""
    from tenacity import Retrying, retry_if_exception_type, wait_exponential, wait_random

    backoff = wait_exponential(policy.first_wait, policy.longest_wait) + wait_random(0, policy.first_wait)

    def wait(state: RetryCallState) -> float:
        asked = _asked_for(state)
        return backoff(state) if asked is None else asked

    def stop(state: RetryCallState) -> bool:
        passed = state.seconds_since_start or 0.0
        return state.attempt_number >= _worth(state, policy) or passed + (_asked_for(state) or 0.0) >= policy.deadline

    retrying = Retrying(
        retry=retry_if_exception_type(Transient), wait=wait, stop=stop, sleep=policy.sleep, reraise=True
    )
    answer = retrying(ask)
    return answer, int(retrying.statistics.get("attempt_number", 1))


def _worth(state: RetryCallState, policy: RetryPolicy) -> int:
    error = state.outcome.exception() if state.outcome else None
    bound = error.attempts if isinstance(error, Transient) else None
    return policy.attempts if bound is None else min(bound, policy.attempts)


def _asked_for(state: RetryCallState) -> float | None:
    error = state.outcome.exception() if state.outcome else None
    return error.retry_after if isinstance(error, Transient) else None


def retry_after(header: str | None) -> float | None:
    """The seconds of a Retry-After header, which holds a number or a date; None where it holds neither."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(
        0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - datetime.now(UTC).timestamp()
    )
