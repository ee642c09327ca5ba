"""Evidence that is older than a forgetting."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from extractors.candidate import Candidate
from validators import forgotten_before
from validators.verdict import Outcome, Tombstone, value_hash
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


SAID = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)
LATER, EARLIER = SAID + timedelta(hours=1), SAID - timedelta(hours=1)


@pytest.mark.parametrize(
    ("stone", "of", "subject", "value", "outcome"),
    [
        (Tombstone("package_manager", "", LATER), "package_manager", "", "pnpm", FAIL),
        (Tombstone("package_manager", "", EARLIER), "package_manager", "", "pnpm", PASS),
        (Tombstone("package_manager", "", SAID), "package_manager", "", "pnpm", PASS),
        (Tombstone("package_manager", "web", LATER), "package_manager", "", "pnpm", PASS),
        (Tombstone("deploy_target", "prod", LATER), "deploy_target", "production", "pnpm", FAIL),
        (Tombstone("test_command", "", LATER), "package_manager", "", "pnpm", PASS),
        (Tombstone("do_not_edit", "", LATER, value_hash("src/a")), "do_not_edit", "", "src/a", FAIL),
        (Tombstone("do_not_edit", "", LATER, value_hash("src/a/")), "do_not_edit", "", "src/a", FAIL),
        (Tombstone("do_not_edit", "", LATER, value_hash("src/a")), "do_not_edit", "", "src/a/", FAIL),
        (Tombstone("do_not_edit", "", LATER, value_hash("src/b")), "do_not_edit", "", "src/a", PASS),
        (Tombstone("do_not_edit", "", LATER), "do_not_edit", "", "src/a", FAIL),
    ],
)
def test_a_newer_tombstone_of_the_slot_keeps_it_forgotten(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    stone: Tombstone,
    of: str,
    subject: str,
    value: str,
    outcome: Outcome,
) -> None:
    candidate = candidate_of(f"it is {value}", of, value, subject=subject)
    assert outcome is forgotten_before.check(view_of(f"it is {value}", candidate, tombstones=(stone,))).outcome
