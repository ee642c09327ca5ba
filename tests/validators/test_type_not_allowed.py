"""Which types are allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extractors.candidate import Candidate
from validators import type_not_allowed
from validators.verdict import Code, Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("of", "outcome"),
    [
        ("package_manager", PASS),
        (" reviewer ", PASS),
        ("todo", FAIL),
        ("Package_Manager", FAIL),
        ("", FAIL),
        ("x" * 500, FAIL),
    ],
)
def test_only_a_type_of_the_policy_passes(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate], of: str, outcome: Outcome
) -> None:
    found = type_not_allowed.check(view_of("we use pnpm", candidate_of("we use pnpm", of, "pnpm")))
    assert (Code.TYPE_NOT_ALLOWED, outcome) == (found.check, found.outcome)
    assert len(found.detail) < 120
