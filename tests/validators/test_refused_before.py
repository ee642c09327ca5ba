"""Values that a reviewer has refused since."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from extractors.candidate import Candidate
from validators import refused_before
from validators.verdict import Outcome, Refusal
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


SAID = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)
LATER, EARLIER = SAID + timedelta(hours=1), SAID - timedelta(hours=1)


@pytest.mark.parametrize(
    ("refusal", "value", "outcome"),
    [
        (Refusal("package_manager", "", "pnpm", LATER), "pnpm", FAIL),
        (Refusal("package_manager", "", "PNPM", LATER), "pnpm", FAIL),
        (Refusal("package_manager", "", "pnpm", EARLIER), "pnpm", PASS),
        (Refusal("package_manager", "", "pnpm", SAID), "pnpm", PASS),
        (Refusal("package_manager", "", "yarn", LATER), "pnpm", PASS),
        (Refusal("package_manager", "web", "pnpm", LATER), "pnpm", PASS),
        (Refusal("test_command", "", "pnpm", LATER), "pnpm", PASS),
    ],
)
def test_a_newer_refusal_of_the_value_stands(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate], refusal: Refusal, value: str, outcome: Outcome
) -> None:
    view = view_of(f"use {value}", candidate_of(f"use {value}", value=value), refusals=(refusal,))
    assert outcome is refused_before.check(view).outcome
