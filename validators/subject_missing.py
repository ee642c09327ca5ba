"""The type needs a subject, and neither the candidate nor the sentence says which one.

Cause: "deploys go to gold" without an environment, "ask Noor for reviews" without an area, or two that are named at
once. Remedy: an operator can promote the candidate with its subject, or drop it; a later sentence that names the
subject is judged on its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policy.model import SubjectRule
from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a required subject is empty. A forget without a subject is unclear instead."""
    if view.fact_type is None or view.is_forget:
        return not_applicable(Code.SUBJECT_MISSING)
    if view.fact_type.subject is SubjectRule.REQUIRED and not view.subject:
        return failed(
            Code.SUBJECT_MISSING, f"{view.fact_type.name} needs a subject, and the sentence names none or several"
        )
    return passed(Code.SUBJECT_MISSING)
