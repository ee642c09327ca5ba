"""It is not clear whose fact it is, so it is kept for an operator and never loaded.

Cause: ``about`` says so, the sentence leaves it open between two owners ("webapp or admin"), or it is a preference
from a session whose developer is not known.
Remedy: promote it with ``afterpass rejected`` at hand, or set the developer (git's e-mail) where sessions are recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policy.model import Scope
from validators.outcome import failed, passed
from validators.owners import About, about, left_open
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where nobody can say whose fact it is."""
    if about(view) is About.UNCLEAR:
        return failed(Code.OWNER_UNCLEAR, f"about {view.candidate.about.strip()!r} leaves the owner open")
    if view.fact_type and view.fact_type.scope is Scope.DEVELOPER and not view.session.developer:
        return failed(Code.OWNER_UNCLEAR, "a preference, and the session's developer is not known")
    if view.turn is None:
        return passed(Code.OWNER_UNCLEAR)
    cue = view.reading.owner_open or left_open(view)
    if cue:
        return failed(Code.OWNER_UNCLEAR, f"{cue.text!r} leaves the owner open")
    return passed(Code.OWNER_UNCLEAR)
