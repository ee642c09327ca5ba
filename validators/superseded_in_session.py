"""A later statement of the same session gives the slot another value, or takes this one back.

Cause: the developer changed their mind, or corrected themselves, before the session ended. The last word stands. A
request to forget a value gives way to the new value that was said with it ("we don't use pnpm any more, we use bun"):
the replacement waits for a person like every other.
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
    if view.fact_type is None or view.turn is None or (view.is_forget and view.fact_type.multi):
        return not_applicable(Code.SUPERSEDED_IN_SESSION)
    if view.is_forget:
        return _forget(view)
    for peer in view.peers:
        if peer is not view and peer.in_same_slot_as(view) and peer.position > view.position and _overrules(peer, view):
            return failed(Code.SUPERSEDED_IN_SESSION, f"turn {peer.turn.id if peer.turn else ''} says otherwise")
    return passed(Code.SUPERSEDED_IN_SESSION)


def _forget(view: View) -> Verdict:
    """Fails where the session states the value that the slot has instead of the one to be forgotten."""
    instead = (peer for peer in view.peers if peer.in_same_slot_as(view) and _takes_its_place(peer, view))
    if new := next(instead, None):
        return failed(Code.SUPERSEDED_IN_SESSION, f"{new.value!r} takes its place")
    return passed(Code.SUPERSEDED_IN_SESSION)


def _overrules(peer: View, view: View) -> bool:
    if peer.is_forget:
        return not peer.value or view.same(peer.value)
    if (view.fact_type and view.fact_type.multi) or peer.by_assent:
        return False
    return bool(peer.until) == bool(view.until) and not view.same(peer.value)


def _takes_its_place(peer: View, forget: View) -> bool:
    """Whether a peer states what the slot has instead: another value than the one named, or one that the same turn goes
    on to say.
    """
    if peer.is_forget or peer.by_assent or peer.until:
        return False
    if forget.value:
        return not forget.same(peer.value)
    return peer.turn is forget.turn and peer.position > forget.position
