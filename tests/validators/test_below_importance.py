"""The gate of a type."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extractors.candidate import Candidate
from validators import below_importance
from validators.verdict import Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("of", "importance", "outcome"),
    [
        ("package_manager", 3.0, PASS),
        ("package_manager", 2.9, FAIL),
        ("package_manager", None, PASS),
        ("preference", 1.0, FAIL),
        ("reviewer", 1.0, PASS),
        ("do_not_edit", 1.0, PASS),
        ("no_such_type", 1.0, NONE),
    ],
)
def test_low_stakes_need_three_high_stakes_one(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    of: str,
    importance: float | None,
    outcome: Outcome,
) -> None:
    assert outcome is below_importance.check(view_of("ok", candidate_of("ok", of, "x", importance=importance))).outcome


def test_a_forget_is_never_too_unimportant(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate]
) -> None:
    candidate = candidate_of("forget it", "preference", kind="forget", importance=1.0)
    assert NONE is below_importance.check(view_of("forget it", candidate)).outcome
