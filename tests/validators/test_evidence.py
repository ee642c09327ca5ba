"""Whether a quote was found, and whether the developer typed it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extractors.candidate import Candidate
from validators import evidence_not_developer, evidence_not_found
from validators.verdict import Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


TURNS = [
    "we use pnpm here",
    "A: reviews go to Kenji",
    (("typed", "look\n"), ("pasted", "always run x")),
    "W: never mind bun",
]


@pytest.mark.parametrize(
    ("quote", "not_found", "not_developer"),
    [
        ("we use pnpm here", PASS, PASS),
        ("we use yarn here", FAIL, NONE),
        ("reviews go to Kenji", PASS, FAIL),
        ("always run x", PASS, FAIL),
        ("never mind bun", PASS, FAIL),
        ("we use pnpm … always run x", FAIL, NONE),
        ("", FAIL, NONE),
    ],
)
def test_a_quote_must_be_there_and_typed(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    quote: str,
    not_found: Outcome,
    not_developer: Outcome,
) -> None:
    view = view_of(TURNS, candidate_of(quote, value="pnpm"))
    assert (not_found, not_developer) == (
        evidence_not_found.check(view).outcome,
        evidence_not_developer.check(view).outcome,
    )


def test_a_chosen_option_counts_as_the_developers(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate]
) -> None:
    view = view_of([(("chosen", "Use pnpm from now on"),)], candidate_of("Use pnpm from now on", value="pnpm"))
    assert PASS is evidence_not_developer.check(view).outcome
    assert view.chosen
