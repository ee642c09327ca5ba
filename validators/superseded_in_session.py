"""A later statement of the same session gives the slot another value, or takes this one back.

Cause: the developer changed their mind, or corrected themselves, before the session ended. The last word stands.
Remedy: none; the later statement is judged on its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a peer that stands as a statement says something else about the slot further on.

    Dated rules stand beside their default: neither supersedes the other. A multi-valued slot is only emptied.
    """
    if view.fact_type is None or view.turn is None or view.is_forget:
        return not_applicable(Code.SUPERSEDED_IN_SESSION)
    for peer in view.peers:
        if peer is not view and peer.in_same_slot_as(view) and peer.position > view.position and _overrules(peer, view):
            return failed(Code.SUPERSEDED_IN_SESSION, f"turn {peer.turn.id if peer.turn else ''} says otherwise")
    return passed(Code.SUPERSEDED_IN_SESSION)


def _overrules(peer: View, view: View) -> bool:
    if peer.is_forget:
        return not peer.value or view.same(peer.value) or not (view.fact_type and view.fact_type.multi)
    if (view.fact_type and view.fact_type.multi) or peer.by_assent:
        return False
    return bool(peer.until) == bool(view.until) and not view.same(peer.value)
