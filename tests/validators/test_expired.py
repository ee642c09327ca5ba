"""Rules whose end has passed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from extractors.candidate import Candidate
from transcripts.session import Session
from validators import expired
from validators.verdict import Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("said", "until", "outcome"),
    [
        ("until 2026-06-09 use npm", "2026-06-09", FAIL),
        ("until 2026-06-10 use npm", "2026-06-10", PASS),  # the day itself still counts
        ("until 2026-06-11 use npm", "2026-06-11", PASS),
        ("use npm", None, PASS),
        ("use npm", "2026-06-09", FAIL),
        ("until 2026-06-09 use npm", None, FAIL),  # the sentence states it, the extractor left it out
        ("until 2026-06-20 use npm", "2026-06-01", PASS),  # the sentence is right, the extractor is not
    ],
)
def test_a_rule_must_not_have_ended_before_the_session(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate], said: str, until: str | None, outcome: Outcome
) -> None:
    assert outcome is expired.check(view_of(said, candidate_of("use npm", value="npm", until=until))).outcome


def test_the_end_of_a_resumed_session_counts(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate], session_of: Callable[..., Session]
) -> None:
    session = session_of("until 2026-06-12 use npm", ended=datetime(2026, 6, 15, tzinfo=UTC))
    assert FAIL is expired.check(view_of(session, candidate_of("use npm", value="npm", until="2026-06-12"))).outcome
