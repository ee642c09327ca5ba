"""The candidate's importance is under the gate of its type.

Cause: the extractor itself found it trivial. A candidate without a score passes.
Remedy: lower the type's ``gate`` in the policy file if such facts are wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails under the gate. What the developer asks to forget is never too unimportant."""
    if view.fact_type is None or view.is_forget:
        return not_applicable(Code.BELOW_IMPORTANCE)
    score = view.candidate.importance
    if score is not None and score < view.fact_type.gate:
        return failed(Code.BELOW_IMPORTANCE, f"importance {score:g}, the gate is {view.fact_type.gate}")
    return passed(Code.BELOW_IMPORTANCE)
