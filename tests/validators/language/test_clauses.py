"""Clauses: split at separators, at conjunctions that begin a clause of their own, and nowhere else."""

from __future__ import annotations

import pytest

from policy.load import load_policy
from validators.language.analysis import analyse, languages_of

FOLDERS = load_policy().folders


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("use npm | not pnpm", "use npm, not pnpm"),
        (
            "the mobile repo uses yarn | but here it is always pnpm",
            "the mobile repo uses yarn, but here it's always pnpm",
        ),
        ("do not touch src/cart | while i am rebasing", "don't touch src/cart while i'm rebasing"),
        ("once ci is green | always deploy", "once CI is green, always deploy"),
        ("run lint and tests with ninja", "run lint and tests with ninja"),
        ("we use uv | and web uses pnpm", "we use uv and web uses pnpm"),
        ("push it | and never touch main", "push it and never touch main"),
        ("it is slow | so use npm", "it's slow so use npm"),
        ("not so fast", "not so fast"),
        ("just this once", "just this once"),
        ("merge | if it is green", "merge if it's green"),
        ("anything but npm", "anything but npm"),
        ("in case it is not clear | we use pnpm", "in case it's not clear we use pnpm"),
        ("if you change it | run make", "if you change it, run make"),
        ("if you think we use npm", "if you think we use npm"),
        ("if ci is red | it goes to main", "if CI is red it goes to main"),
        ("staging deploys from x | because we moved", "staging deploys from x because we moved"),
        ("a | b | c", "a; b (c)"),
    ],
)
def test_clauses(expected: str, text: str) -> None:
    analysis = analyse(text, FOLDERS)
    assert expected == " | ".join(" ".join(analysis.words[c.start : c.end]) for c in analysis.clauses)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ([0, 0, 1], "use npm, always. thanks"),
        ([0, 1], "why npm? we use pnpm"),
        ([0, 0], "e.g. npm"),
        ([0, 1], "ok\n- use npm"),
    ],
)
def test_sentences(expected: list[int], text: str) -> None:
    assert expected == [c.sentence for c in analyse(text, FOLDERS).clauses]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (True, "just this once"),
        (True, "ok, for now"),
        (True, "i think"),
        (True, "only for tomorrow's audit run"),
        (False, "today we deploy"),
        (False, "that is from"),
        (False, "use npm"),
    ],
)
def test_a_clause_of_nothing_but_cues(expected: bool, text: str) -> None:
    analysis = analyse(text, FOLDERS)
    assert expected is analysis.cue_only(len(analysis.clauses) - 1)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (("en",), "from now on we use pnpm"),
        (("en",), "pnpm"),
        (("de",), "wir nutzen hier immer pnpm"),
        (("fr",), "désormais nous utilisons toujours pnpm"),
        (("ja",), "今後はpnpmを使います"),
        (("zh",), "以后一律用pnpm"),
        (("de",), "ja, immer"),
        (("en",), "deploy it on preview with `docker run el/los:y`"),
    ],
)
def test_languages(expected: tuple[str, ...], text: str) -> None:
    found = languages_of(text, FOLDERS)
    assert expected == (found if expected == ("en",) else tuple(x for x in found if x != "en"))
