"""The quote stands in the session, but the developer did not type it.

Cause: it comes from the agent, a tool, a pasted file or log, a reminder that a program put there, or a turn that
was taken back. Only the developer's own words are evidence.
Remedy: none when the words really are not the developer's; if typed words were taken for pasted ones, ``afterpass read
SESSION`` shows how the turn was cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.locate import Place
from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where the quote is only in what the developer neither typed nor chose."""
    if view.located.place is Place.NOWHERE:
        return not_applicable(Code.EVIDENCE_NOT_DEVELOPER, "the quote was not found")
    if view.located.place is Place.ELSEWHERE:
        return failed(Code.EVIDENCE_NOT_DEVELOPER, view.located.detail)
    return passed(Code.EVIDENCE_NOT_DEVELOPER)
