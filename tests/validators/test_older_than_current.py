"""Evidence that is older than what the slot holds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from extractors.candidate import Candidate
from validators import older_than_current
from validators.verdict import KnownFact, Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


SAID = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stated", "confirmed", "outcome"),
    [
        (SAID - timedelta(minutes=1), None, PASS),
        (SAID, None, PASS),
        (SAID + timedelta(seconds=1), None, FAIL),
        (SAID - timedelta(days=9), SAID + timedelta(days=1), FAIL),
        (SAID - timedelta(days=9), SAID - timedelta(days=1), PASS),
        (datetime(2026, 6, 10, 11, 0, tzinfo=timezone(timedelta(hours=2))), None, PASS),  # the same moment
        (datetime(2026, 6, 10, 11, 0, 1, tzinfo=timezone(timedelta(hours=2))), None, FAIL),
        (datetime(2026, 6, 10, 9, 1), None, FAIL),  # noqa: DTZ001 - a moment without a zone is taken for UTC
    ],
)
def test_what_was_said_later_stands(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    stated: datetime,
    confirmed: datetime | None,
    outcome: Outcome,
) -> None:
    known = (KnownFact("package_manager", "", "npm", stated, confirmed),)
    assert (
        outcome
        is older_than_current.check(view_of("use pnpm", candidate_of("use pnpm", value="pnpm"), known=known)).outcome
    )


@pytest.mark.parametrize(
    ("fact", "of", "value", "until", "outcome"),
    [
        (("package_manager", "web", "npm", None), "package_manager", "pnpm", None, PASS),  # another slot
        (("test_command", "", "npm", None), "package_manager", "pnpm", None, PASS),  # another type
        (("do_not_edit", "", "src/a", None), "do_not_edit", "src/b", None, PASS),  # another value of a multi type
        (("do_not_edit", "", "src/b/", None), "do_not_edit", "src/b", None, FAIL),
        (("package_manager", "", "npm", date(2026, 7, 1)), "package_manager", "pnpm", None, PASS),  # a dated rule
        (("package_manager", "", "npm", None), "package_manager", "pnpm", "2026-07-01", FAIL),
    ],
)
def test_only_what_it_is_compared_with_counts(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    fact: tuple[str, str, str, date | None],
    of: str,
    value: str,
    until: str | None,
    outcome: Outcome,
) -> None:
    known = (KnownFact(*fact[:3], SAID + timedelta(days=1), until=fact[3]),)
    view = view_of(f"use {value}", candidate_of(f"use {value}", of, value, until=until), known=known)
    assert outcome is older_than_current.check(view).outcome


def test_a_forget_that_is_older_than_the_fact_forgets_nothing(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate]
) -> None:
    candidate = candidate_of("forget the manager", "package_manager", kind="forget")
    later = (KnownFact("package_manager", "", "npm", SAID + timedelta(days=1)),)
    assert FAIL is older_than_current.check(view_of("forget the manager", candidate, known=later)).outcome
