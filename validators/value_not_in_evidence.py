"""The value is not supported by the sentence(s) around the quote.

Cause: a model took the value from another sentence, from the agent, or from its own knowledge, spelled a prefix
out, cut a command short, or paraphrased a statement.
Remedy: none for the single case; ``afterpass explain SESSION`` shows sentence and value side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, not_applicable, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where the words do not hold the value. A forget may give the value that its slot holds."""
    if view.fact_type is None or view.turn is None:
        return not_applicable(Code.VALUE_NOT_IN_EVIDENCE, "there is no type or no evidence to look in")
    if not view.value:
        return not_applicable(Code.VALUE_NOT_IN_EVIDENCE, "there is no value")
    if view.value_supported or (view.is_forget and _is_the_only_one_held(view)):
        return passed(Code.VALUE_NOT_IN_EVIDENCE)
    return failed(Code.VALUE_NOT_IN_EVIDENCE, "the sentence around the quote does not hold the value")


def _is_the_only_one_held(view: View) -> bool:
    return len(view.slot_facts) == 1 and view.same(view.slot_facts[0].value)
