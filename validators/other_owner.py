"""It is about another repository, team, job or person.

Cause: ``about`` names somebody else, or the sentence does ("in the docs repo", "at my last job", "Tom always uses …").
This repository counts by any of its forms: name, owner/name, URL, the working directory's last part.
Remedy: none is needed. If it holds here, say so ("here we use …").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policy.model import Scope
from validators.language.reading import Cue, read_value
from validators.outcome import failed, not_applicable, passed
from validators.owners import About, about, is_sibling, names_developer, names_this_repo
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View

HABIT_OF_THE_REPO = frozenset({"manager", "command"})


def check(view: View) -> Verdict:
    """Fails where the statement belongs neither to this repository nor, for a preference, to this developer."""
    stated = about(view)
    if stated is About.OTHER:
        return failed(Code.OTHER_OWNER, f"it is about {view.candidate.about.strip()!r}")
    if view.turn is None:
        return not_applicable(Code.OTHER_OWNER, "there is no evidence to look at")
    reading = read_value(view.previous_agent_text, view.value, view.policy) if view.by_assent else view.reading
    cue = reading.other_owner
    if cue and cue.rule == "elsewhere.slug" and not is_sibling(view.session, cue.owner):
        cue = None  # a folder: "in packages/web"
    if cue and not names_this_repo(view.session, cue.owner) and not _is_the_value(view, cue.owner):
        return failed(Code.OTHER_OWNER, f"{cue.text!r} is another owner")
    if reading.habit and _only_theirs(view, reading.habit):
        return failed(Code.OTHER_OWNER, f"{reading.habit.text!r} is a person's own habit")
    return passed(Code.OTHER_OWNER)


def _is_the_value(view: View, owner: str) -> bool:
    """Whether the other owner is the reviewer that the candidate names: "the data team reviews pipelines"."""
    if view.fact_type is None or view.fact_type.value != "person":
        return False
    value = view.value.casefold()
    return owner.casefold() in value or value in owner.casefold()


def _only_theirs(view: View, habit: Cue) -> bool:
    """Whether a person's own habit is not what the type is about."""
    if view.fact_type is None:
        return False
    if view.fact_type.scope is Scope.DEVELOPER:
        return not names_developer(view, habit.owner)
    if habit.rule == "habit.taste":
        return False
    if view.fact_type.name == "code_style":
        return not names_developer(view, habit.owner)
    return view.fact_type.value in HABIT_OF_THE_REPO
