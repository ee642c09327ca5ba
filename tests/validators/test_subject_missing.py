"""Types that need a subject."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extractors.candidate import Candidate
from validators import subject_missing
from validators.verdict import Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("of", "said", "value", "kind", "outcome"),
    [
        ("deploy_target", "deploys always go to the branch gold", "gold", "standing", FAIL),
        ("deploy_target", "staging always goes to the branch gold", "gold", "standing", PASS),
        ("reviewer", "from now on ask Noor for reviews", "Noor", "standing", FAIL),
        ("reviewer", "reviews for auth go to Noor", "Noor", "standing", PASS),
        ("package_manager", "we use pnpm", "pnpm", "standing", PASS),
        ("do_not_edit", "never touch src/a", "src/a", "standing", PASS),
        ("decision", "we decided against redux", "we decided against redux", "standing", PASS),
        ("reviewer", "forget the reviewer rule", "", "forget", NONE),
        ("no_such_type", "ok", "ok", "standing", NONE),
    ],
)
def test_a_required_subject_must_be_named(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    of: str,
    said: str,
    value: str,
    kind: str,
    outcome: Outcome,
) -> None:
    assert outcome is subject_missing.check(view_of(said, candidate_of(said, of, value, kind=kind))).outcome
