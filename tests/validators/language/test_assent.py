"""A turn that begins with a yes: how far it goes, whether it limits itself, and what is no yes."""

from __future__ import annotations

import pytest

from policy.load import load_policy
from validators.language.assent import assent

POLICY = load_policy()


@pytest.mark.parametrize(
    "text",
    [
        "yes", "Yes.", "yep", "yeah", "sure", "ok", "OK!", "k", "lgtm", "do it", "please do", "go ahead", "sounds good",
        "sounds good, make it so", "yes, always do that", "yes please, from now on", "yep, that's the way we do it",
        "agreed", "makes sense, let's keep it that way", "exactly", "perfect, thanks", "option 2", "the second one",
        "great, always use that one", "works for me", "yes, until friday", "hm ok", "👍", "+1", "of course",
        "by all means", "ja", "ja, immer", "klar, mach das", "oui", "d'accord", "oui, toujours", "sí",
        "vale, hazlo así", "sim", "beleza, faz isso", "好", "好的，以后都这样", "可以，就这么办",
        "はい", "はい、お願いします", "了解です",
    ],
)  # fmt: skip
def test_a_bare_yes(text: str) -> None:
    found = assent(text, POLICY)
    assert found is not None
    assert (False, "") == (found.limited, found.rest)


@pytest.mark.parametrize(
    "text",
    [
        "yes but only this once", "ok for now", "sure, just for today", "yes, this time", "fine for this pr",
        "ok, just this once", "yes, temporarily", "go ahead but only for this branch", "ja, aber nur diesmal",
        "sí, solo por hoy", "oui, pour cette fois", "好，就这一次", "はい、今回だけ",
    ],
)  # fmt: skip
def test_a_yes_that_limits_itself(text: str) -> None:
    found = assent(text, POLICY)
    assert found is not None
    assert found.limited


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("also fix the typo", "go ahead. also fix the typo"),
        ("use pnpm from now on", "yes, use pnpm from now on"),
        ("for staging", "yes for staging"),
        ("we use pnpm", "right, we use pnpm"),
        ("and rename the file", "yes, and rename the file"),
        ("and show me the diff", "yes, and show me the diff"),
    ],
)
def test_what_follows_the_yes_is_kept(expected: str, text: str) -> None:
    found = assent(text, POLICY)
    assert found is not None
    assert (expected, False) == (found.rest, found.limited)


@pytest.mark.parametrize(
    "text",
    [
        "no", "nope", "no, please don't", "yes?", "ok?", "yeah right", "yes but use bun instead", "yes, but with yarn",
        "hm let me think about it", "we use pnpm", "why", "not now", "fix the tests", "nein", "non, utilise yarn",
        "不行", "いいえ", "maybe", "i don't know", "", "   ", "...",
    ],
)  # fmt: skip
def test_no_yes(text: str) -> None:
    assert assent(text, POLICY) is None
