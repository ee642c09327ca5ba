"""The value fails its type's check, or is an instruction dressed as a value.

Cause: a sentence where a branch belongs, a path that leaves the repository, a manager nobody knows, a command that
runs code from the network, deletes, leaks or switches off a check, a statement of several sentences or over 200
characters, a letter that a reader cannot see.
Remedy: for a manager or a form of value that your team really uses, change the type's ``value`` kind in the policy
file; for an instruction, find out where it came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from extractors.candidate import Kind
from validators.fold import fold_text
from validators.outcome import failed, passed
from validators.values.instructions import instruction_in, invisible_in, unreadable
from validators.values.words import DETERMINERS
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View

_NAME = 2  # words of a name at most: "no default exports" may well be topic and rule in one


def check(view: View) -> Verdict:
    """Fails on the first problem of the value; a forget only needs a value that is harmless to read."""
    problem = _problem(view)
    if problem and view.credential:
        problem = "not shown: the candidate holds a credential"  # a problem may quote a part of it
    return failed(Code.VALUE_INVALID, problem) if problem else passed(Code.VALUE_INVALID)


def _problem(view: View) -> str | None:
    prose = view.fact_type is not None and view.fact_type.value == "statement"
    hidden = unreadable(view.candidate.value, prose=prose)
    if hidden:
        return hidden
    cut = None if view.is_forget else invisible_in(view.sentence)  # a value that ends at one is not what was said
    if cut:
        return f"the sentence {cut}"
    dressed = instruction_in(view.candidate.value)
    if dressed:
        return f"an instruction dressed as a value: it {dressed}"
    if view.is_forget or view.kind is None:
        return None
    if view.candidate.kind is Kind.CORRECTION and not view.value:
        return None if view.slot_facts else "a correction without a value, and no stored fact to correct"
    if prose and _says_only_its_subject(view):
        return "names what it is about, and says nothing of it"
    return view.kind.check(view.value)


def _says_only_its_subject(view: View) -> bool:
    """Whether a statement is but a name, that of the subject it came with: "cost report" about "cost report"."""
    said = [word for word in fold_text(view.value).split() if word not in DETERMINERS]
    return len(said) <= _NAME and set(said) <= set(fold_text(view.candidate.subject).split())
