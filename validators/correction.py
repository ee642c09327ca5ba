"""The developer says that a stored value was wrong from the start, or the repository's own files say otherwise now.

What happens: the stored fact stays the answer until a person decides; accepting marks it wrong instead of superseded.
What the files say supersedes: the value was true until they changed.
Remedy: accept or reject it in ``afterpass review``. A correction may come without a new value, as a "no" to the
question whether a value still holds: accepted, that value is gone and nothing takes its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from extractors.candidate import Kind
from validators.finding import Finding
from validators.verdict import Code, Disposition, KnownFact

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """A correction of a slot that holds something else. Without a stored fact it is a statement like any other."""
    if view.candidate.kind is not Kind.CORRECTION or not view.slot_facts or (view.value and view.held_same):
        return None
    targets = _wrong(view)
    detail = "the stored value is said to be wrong" if targets else "one of several stored values is said to be wrong"
    return Finding(Disposition.QUEUE, Code.CORRECTION, detail, targets)


def _wrong(view: View) -> tuple[KnownFact, ...]:
    """The stored facts that are meant: those that were asked about, else of several those that the sentence names."""
    if view.disputed:
        return view.disputed
    facts = view.slot_facts
    if len(facts) == 1:
        return facts
    if view.fact_type and not view.fact_type.multi:
        return tuple(f for f in facts if f.until is None) or facts
    return tuple(
        f for f in facts if view.kind and view.kind.supported(f.value, view.sentence) and not view.same(f.value)
    )
