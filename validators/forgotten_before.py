"""A fact of this slot was forgotten after this evidence.

Cause: an old session is read late, after someone asked to forget. A later statement would count as new evidence.
Remedy: none; to have the fact again, say it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Tombstone, Verdict, value_hash
from validators.view import aware

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a tombstone of the slot is newer than the evidence; of a multi type only that of the same value."""
    said = view.stated_at
    if view.fact_type is None or said is None or (view.is_forget and view.forget_targets):
        return not_applicable(Code.FORGOTTEN_BEFORE)
    for stone in view.context.tombstones:
        at = aware(stone.at)
        if at and at > said and view.in_slot(stone.type, stone.subject) and _covers(stone, view):
            return failed(Code.FORGOTTEN_BEFORE, f"forgotten {at:%Y-%m-%d %H:%M}, said {said:%Y-%m-%d %H:%M}")
    return passed(Code.FORGOTTEN_BEFORE)


def _covers(stone: Tombstone, view: View) -> bool:
    if not (view.fact_type and view.fact_type.multi) or stone.value_hash is None or view.kind is None:
        return True
    plain = view.kind.normalise(view.value)
    return stone.value_hash in {value_hash(form) for form in (view.value, plain, f"{plain}/", f"{plain}/**")}
