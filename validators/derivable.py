"""The repository's own machine-read files already give this value.

Cause: a lock file, ``packageManager``, a CI run line or CODEOWNERS answers the question, now and after every change.
Remedy: none; what the repository answers need not be remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where the files give the same value for the slot."""
    if view.fact_type is None or view.context.repo is None or view.is_forget or not view.value:
        return not_applicable(Code.DERIVABLE)
    if view.agrees_with_repo:
        return failed(Code.DERIVABLE, "the repository's files give the same value")
    return passed(Code.DERIVABLE)
