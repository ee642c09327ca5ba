"""Whether the sentence holds the value."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extractors.candidate import Candidate
from validators import value_not_in_evidence
from validators.verdict import KnownFact, Outcome
from validators.view import View

PASS, FAIL, NONE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("said", "quote", "of", "value", "outcome"),
    [
        ("here we use pnpm", "we use", "package_manager", "pnpm", PASS),
        ("here we use pnpm", "here we use pnpm", "package_manager", "yarn", FAIL),
        ("We moved. It is preview-7 now.", "We moved", "deploy_target", "preview-7", FAIL),
        ("We moved. It is preview-7 now.", "We moved. It is", "deploy_target", "preview-7", PASS),
        ("never touch src/legacy-billing", "never touch", "do_not_edit", "src/legacy", FAIL),
        ("wrap errors, don't swallow them", "wrap errors", "code_style", "wrap errors, don't swallow them", PASS),
        ("wrap errors, don't swallow them", "wrap errors", "code_style", "errors must be wrapped", FAIL),
        ("for us:\n- lint is `make lint`\n- test is `make test`", "test is", "test_command", "make test", PASS),
        ("for us:\n- lint is `make lint`\n- test is `make test`", "test is", "test_command", "make lint", FAIL),
    ],
)
def test_the_value_stands_in_the_widened_sentence(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    said: str,
    quote: str,
    of: str,
    value: str,
    outcome: Outcome,
) -> None:
    assert outcome is value_not_in_evidence.check(view_of(said, candidate_of(quote, of, value))).outcome


@pytest.mark.parametrize(
    ("words", "fence", "value", "outcome"),
    [
        ("always run this:\n", "```\nmake check\n```", "make check", PASS),
        ("always run this\n", "```sh\n$ make check\n```", "make check", PASS),
        ("always run this:\n", "make check", "make check", PASS),
        ("always run this:\n", "```\nmake lint\nmake check\n```", "make check", PASS),
        ("always run this:\n", "```\nmake check --all\n```", "make check", FAIL),
        ("what do you make of this?\n\nIt looks odd.\n", "```\nmake check\n```", "make check", FAIL),
        ("always run this:\n", "Contributing\nmake check\nmake more", "make check", FAIL),
    ],
)
def test_a_fenced_command_supports_the_words_that_introduce_it(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    words: str,
    fence: str,
    value: str,
    outcome: Outcome,
) -> None:
    quote = words.split("\n")[0].rstrip(":")
    view = view_of([(("typed", words), ("pasted", fence))], candidate_of(quote, "test_command", value))
    assert outcome is value_not_in_evidence.check(view).outcome


def test_only_a_command_is_supported_by_a_fence(
    view_of: Callable[..., View], candidate_of: Callable[..., Candidate]
) -> None:
    said = (("typed", "always use this:\n"), ("pasted", "```\npnpm\n```"))
    assert FAIL is value_not_in_evidence.check(view_of([said], candidate_of("always use this", value="pnpm"))).outcome


@pytest.mark.parametrize(
    ("turns", "quote", "value", "outcome"),
    [
        (["hi", "A: Shall I use pnpm from now on?", "yes, always"], "yes, always", "pnpm", PASS),
        (["hi", "A: Shall I use pnpm from now on?", "yes, always"], "yes, always", "yarn", FAIL),
        (["hi", "A: Shall I use pnpm?", "the cart is broken", "A: ok", "yes"], "yes", "pnpm", FAIL),
        (["hi", "A: Use pnpm?", (("chosen", "Use pnpm"),)], "Use pnpm", "pnpm", PASS),
    ],
)
def test_an_assent_carries_what_the_agent_said_just_before(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    turns: list[str],
    quote: str,
    value: str,
    outcome: Outcome,
) -> None:
    assert outcome is value_not_in_evidence.check(view_of(turns, candidate_of(quote, value=value))).outcome


@pytest.mark.parametrize(("value", "outcome"), [("", NONE), ("yarn", PASS), ("npm", FAIL)])
def test_a_forget_may_name_the_value_that_is_held(
    view_of: Callable[..., View],
    candidate_of: Callable[..., Candidate],
    known_of: Callable[..., KnownFact],
    value: str,
    outcome: Outcome,
) -> None:
    candidate = candidate_of("forget the manager for web", "package_manager", value, kind="forget", subject="web")
    view = view_of("forget the manager for web", candidate, known=(known_of("package_manager", "web", "yarn"),))
    assert outcome is value_not_in_evidence.check(view).outcome
