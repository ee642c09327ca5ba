"""The extractor's own label says that this is no rule, and the text does not plainly say otherwise.

Codes: ``kind_one_off`` (for this once), ``kind_observed`` (seen, not said), ``kind_inferred`` (concluded, not said).
Cause: the label. A standing cue in the value's own sentence ("from now on", "always", "we use", "moved to") lifts it,
unless the same sentence limits it to one occasion, asks, supposes, or reports.
Remedy: none for the single case. Where a model's labels are often wrong, compare extractors with ``afterpass replay``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from extractors.candidate import Kind
from validators.not_asserted import objection
from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View

CODES = {
    Kind.ONE_OFF: Code.KIND_ONE_OFF,
    Kind.OBSERVED: Code.KIND_OBSERVED,
    Kind.INFERRED: Code.KIND_INFERRED,
}


def check_one_off(view: View) -> Verdict:
    """Fails a candidate labelled ``one_off`` that no standing cue lifts."""
    return _check(view, Kind.ONE_OFF)


def check_observed(view: View) -> Verdict:
    """Fails a candidate labelled ``observed`` that no standing cue lifts."""
    return _check(view, Kind.OBSERVED)


def check_inferred(view: View) -> Verdict:
    """Fails a candidate labelled ``inferred`` that no standing cue lifts."""
    return _check(view, Kind.INFERRED)


def check(view: View) -> Verdict:
    """The verdict on the candidate's own label, whichever it is."""
    return _check(view, view.candidate.kind)


def _check(view: View, kind: Kind) -> Verdict:
    code = CODES.get(kind, Code.KIND_ONE_OFF)
    if view.candidate.kind is not kind or kind not in CODES:
        return passed(code)
    if view.turn is None:
        return not_applicable(code, "there is no evidence to look at")
    cue = view.reading.standing
    if cue is None:
        return failed(code, f"labelled {kind.value}, and no standing words lift the label")
    if against := (view.reading.one_off if view.until is None else None) or objection(view):
        return failed(code, f"labelled {kind.value}; {against.text!r} stands against {cue.text!r}")
    if view.reading.weak_standing and view.reading.request:
        return failed(code, f"labelled {kind.value}; {cue.text!r} is part of a request")
    return passed(code, f"labelled {kind.value}, lifted by {cue.text!r}")
