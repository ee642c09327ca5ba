"""The candidate names a fact type that the policy does not have.

Cause: an extractor invented a type ("todo", "slack_channel"), or a team's policy switched one off.
Remedy: nothing, if the type is not wanted; otherwise add it to the policy file (``[types.NAME]``) and run
``afterpass replay``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where the policy has no such type."""
    if view.fact_type:
        return passed(Code.TYPE_NOT_ALLOWED)
    return failed(Code.TYPE_NOT_ALLOWED, f"no fact type {view.candidate.type.strip()[:60]!r} in the policy")
