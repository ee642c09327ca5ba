"""The language checks on tables of sentences as developers write them, half of them traps for a filter of words.

A table's line is ``expected code | type=value [option=…] … | text``; «…» marks the quote where it is not the whole
text. The options are the candidate's other fields and ``repo``, ``dev`` (none) and ``agent`` (the turn before).
``write`` stands for: none of the language checks has anything against it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from transcripts.session import Session
from validators import kind, not_asserted, one_off_cue, other_owner, owner_unclear
from validators.verdict import Outcome
from validators.view import View

CHECKS = (
    other_owner.check,
    kind.check_one_off,
    kind.check_observed,
    kind.check_inferred,
    one_off_cue.check,
    not_asserted.check,
    owner_unclear.check,
)
CASES = [
    pytest.param(*(part.strip() for part in line.split(" | ", 2)), id=f"{file.stem}-{number}")
    for file in sorted((Path(__file__).parent / "cases").glob("*.txt"))
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    if line.strip() and not line.startswith("#")
]


def code_of(view: View) -> tuple[str, str]:
    """The first language check that fails and what it says, else ``write``."""
    for check in CHECKS:
        verdict = check(view)
        if verdict.outcome is Outcome.FAIL:
            return verdict.check.value, verdict.detail
    return "write", ""


def parsed(spec: str) -> tuple[str, str, dict[str, Any]]:
    """Type, value and options of ``type=value [option=…]``."""
    head, *options = spec.split(" [")
    of, _, value = head.partition("=")
    pairs = (option.rstrip("]").partition("=") for option in options)
    return of, value, {key: given for key, _, given in pairs}


def case_view(
    spec: str,
    text: str,
    session_of: Callable[..., Session],
    view_of: Callable[..., View],
    candidate_of: Callable[..., Any],
) -> View:
    of, value, options = parsed(spec)
    quote = text.partition("«")[2].partition("»")[0] or text
    turns = [f"A: {options['agent']}"] if "agent" in options else []
    session = session_of(
        *turns,
        text.replace("«", "").replace("»", ""),
        developer=None if options.pop("dev", "") == "none" else "dana@acme.example",
    )
    session = replace(session, repo=options.pop("repo", session.repo))
    options.pop("agent", None)
    return view_of(session, candidate_of(quote, of, value, **options))


@pytest.mark.parametrize(("expected", "spec", "text"), CASES)
def test_case(
    expected: str,
    spec: str,
    text: str,
    session_of: Callable[..., Session],
    view_of: Callable[..., View],
    candidate_of: Callable[..., Any],
) -> None:
    view = case_view(spec, text, session_of, view_of, candidate_of)
    assert view.evidence is not None, "the quote is not in the text"
    code, detail = code_of(view)
    assert expected == code, f"{text!r}: {detail}"
