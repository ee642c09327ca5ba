"""A judgement with one check taken out: what does that check stop, and what would be wrong without it?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from validators import judge as judging
from validators.outcome import not_applicable
from validators.verdict import Code, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validators.checks import Check
    from validators.verdict import Decision, Verdict
    from validators.view import View

LISTS = ("ALONE", "BESIDE", "QUARANTINES")
# Without these two there is nothing to judge: what is malformed is no candidate, and an unknown type has no rules.
NEVER = frozenset({Code.MALFORMED, Code.TYPE_NOT_ALLOWED})
ABLATED = (*(code for code in list(Code)[: list(Code).index(Code.FORGOTTEN)] if code not in NEVER),)
"""Every check that can be taken out, in the order in which they decide."""


@contextmanager
def without(code: Code) -> Iterator[None]:
    """Judge without one check inside this context: it finds nothing, whatever it looks at."""
    before = {name: getattr(judging, name) for name in LISTS}
    for name, checks in before.items():
        setattr(judging, name, tuple(_silenced(check, code) for check in checks))
    try:
        yield
    finally:
        for name, checks in before.items():
            setattr(judging, name, checks)


def decides_alone(code: Code, decisions: Sequence[Decision]) -> bool:
    """Whether a check is the only one that stands against some candidate: only then can its absence change anything."""
    for decision in decisions:
        failed = {verdict.check for verdict in decision.verdicts if verdict.outcome is Outcome.FAIL}
        if failed == {code}:
            return True
    return False


def _silenced(check: Check, code: Code) -> Check:
    def quiet(view: View) -> Verdict:
        verdict = check(view)
        return not_applicable(code, "taken out") if verdict.check is code else verdict

    return quiet
