"""No check grows faster than its input: ten times the text, at most ten times the steps, whatever the text is made of.

What a search does inside itself is no step; at 100,000 characters one that goes back and forth would not end.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from extractors.candidate import Candidate
from transcripts.session import Session
from validators.checks import DISCARDS, QUARANTINES
from validators.view import View

CHECKS = {f"{check.__module__}.{check.__name__}": check for check in (*DISCARDS, *QUARANTINES)}
SHORT, LONG = 10_000, 100_000  # characters
FIXED = 500  # steps that a check may take whatever the length
END = " Sam reviews payments"
SHAPES = {
    "one-word": "a",
    "no-spaces": "npm,pnpm;",
    "nested-quotes": "\"'“`",
    "conditions": "if ",
    "punctuation": "?!.,;:-…",
    "alternating-scripts": "we 用 мы ",
    "clauses": "Sam reviews payments, and ",
    "list": "\n- a",
    "paths": "a/b/",
    "said": "that says ",
}


def steps(view: View) -> dict[str, int]:
    """The calls that each check makes, of Python and of C, the first of them with what they share."""
    taken = dict.fromkeys(CHECKS, 0)
    for module in [module for name, module in sys.modules.items() if name.startswith(("validators.", "transcripts."))]:
        for kept in vars(module).values():
            if isinstance(kept, functools._lru_cache_wrapper) and kept.cache_parameters()["maxsize"]:
                kept.cache_clear()  # no answer is left from a text before
    for name, check in CHECKS.items():

        def on_event(_frame: FrameType, event: str, _arg: Any, name: str = name) -> None:
            taken[name] += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(on_event)
        try:
            check(view)
        finally:
            sys.setprofile(before)
    return taken


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False], ids=["quoted-whole", "quoted-at-its-end"])
@pytest.mark.parametrize("shape", SHAPES)
def test_ten_times_the_text_takes_at_most_ten_times_the_steps(
    shape: str,
    whole: bool,
    session_of: Callable[..., Session],
    candidate_of: Callable[..., Candidate],
    view_of: Callable[..., View],
) -> None:
    def view(size: int) -> View:
        said = SHAPES[shape] * (size // len(SHAPES[shape])) + END
        candidate = candidate_of(said, "code_style", said) if whole else candidate_of(END.strip(), "reviewer", "Sam")
        return view_of(session_of(f"A: {said}", said), candidate)

    assert view(LONG).turn is not None, "the quote is not in the text"
    steps(view(SHORT))  # the lexicons of its languages are loaded once
    short, long = steps(view(SHORT)), steps(view(LONG))
    assert {} == {name: (short[name], n) for name, n in long.items() if n > 10 * short[name] + FIXED}
