"""A credential anywhere near the fact."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extractors.candidate import Candidate
from validators import secret
from validators.verdict import Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


TOKEN = "ghp_EXAMPLEexample0123456789"


@pytest.mark.parametrize(
    ("said", "quote", "value", "outcome"),
    [
        (f"the deploy key is always {TOKEN}", f"the deploy key is always {TOKEN}", TOKEN, FAIL),
        (f"the deploy key is always {TOKEN}", "the deploy key is always", "deploy", FAIL),
        (f"we use pnpm, and the token is {TOKEN}", "we use pnpm", "pnpm", FAIL),
        (f"we use pnpm. the token is {TOKEN}", "we use pnpm", "pnpm", PASS),
        ("we use pnpm", "we use pnpm", TOKEN, FAIL),
        (f"the key is {TOKEN}, ok", "the key is [redacted], ok", "x", FAIL),
        ("the key is [redacted], ok", "the key is", "x", FAIL),
        ("the database is postgres://app:hunter2@db/app", "the database is postgres", "postgres", FAIL),
        ("we pin it to 3f786850e387550fdab836ed7e6dc881de23001b", "we pin it", "x", PASS),
        ("the password lives in the vault", "the password lives in the vault", "vault", PASS),
    ],
)
def test_a_credential_in_sentence_quote_or_value(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    said: str,
    quote: str,
    value: str,
    outcome: Outcome,
) -> None:
    found = secret.check(view_of(said, candidate_of(quote, "identifier", value, subject="key")))
    assert outcome is found.outcome
    assert TOKEN not in found.detail


def test_a_key_that_the_sentence_introduces_belongs_to_it(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate]
) -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nEXAMPLE\n-----END OPENSSH PRIVATE KEY-----"
    said = (("typed", "the deploy key is always this: "), ("pasted", key))
    assert (
        FAIL
        is secret.check(view_of([said], candidate_of("the deploy key is always this", "identifier", "this"))).outcome
    )


def test_a_key_that_two_segments_share_is_seen(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate]
) -> None:
    said = (("typed", f"the key is {TOKEN[:12]}"), ("pasted", TOKEN[12:]))
    assert FAIL is secret.check(view_of([said], candidate_of("the key is", "identifier", "x"))).outcome
