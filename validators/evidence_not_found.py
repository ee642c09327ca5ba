"""The quote stands nowhere in the session.

Cause: a model paraphrased, translated or invented its quote, or stitched it together from several turns.
Remedy: none for the single case; when it is frequent, ``afterpass explain SESSION`` shows the quotes beside the
turns, and a larger model or the ``cues`` extractor quotes more exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.locate import Place
from validators.outcome import failed, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where no turn holds the quote, or only several turns together hold its parts."""
    if view.located.place is Place.NOWHERE:
        return failed(Code.EVIDENCE_NOT_FOUND, view.located.detail)
    return passed(Code.EVIDENCE_NOT_FOUND)
