"""Which facts matter for a task: the kinds of work that it is, and the words that it shares with a fact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from afterpass.recall.paths import touches
from afterpass.recall.wording import names_subject, stems
from policy.model import Scope

if TYPE_CHECKING:
    from afterpass.recall.memory import Remembered
    from policy.model import FactType

# Kind of work → the words that ask for it. A task may be several kinds at once.
KINDS = {
    "change": r"add|implement|fix|write|refactor|chang|updat|creat|build|rename|remov|delet|mov|extend|rework|clean"
    r"|migrat|convert|edit|replac|support|handl|mak|introduc|improv",
    "dependency": r"add|install|upgrad|bump|dependenc|librar|packag|remov|updat|vulnerab|lock ?file",
    "test": r"tests?\b|spec|coverage|verif|regression|flaky|fix|implement|refactor",
    "build": r"build|compil|bundl|releas|imag|docker|artifact|packag",
    "lint": r"lint|format|styl|commit|\bpr\b|pull request|merge",
    "run": r"run|start|serv|launch|try|demo|reproduc|click|open|localhost|preview",
    "deploy": r"deploy|roll ?out|releas|ship|promot|staging|production|\bprod\b|rollback|hotfix",
    "review": r"review|\bpr\b|pull request|merge|approv|sign-?off|open a",
    "commit": r"commit|ticket|branch|\bpr\b|pull request|issue|chang ?log|prefix",
}
# Fact type → the kinds of work that it is for. Types that are not here are found by their words alone.
TYPES = {
    "package_manager": {"dependency"},
    "test_command": {"test"},
    "build_command": {"build"},
    "lint_command": {"lint"},
    "run_command": {"run"},
    "deploy_target": {"deploy"},
    "reviewer": {"review"},
    "do_not_edit": {"change"},
    "code_style": {"change"},
    "identifier": {"commit"},
}
SMALL_TALK = re.compile(
    r"\W*(?:(?:ok|okay|thanks?|thank you|thx|ty|great|nice|cool|perfect|good|yes|yep|no|nope|sure|hi|hello|hey|bye|lgtm"
    r"|done|go on|go ahead|continue|please|pls)\W*)*",
    re.IGNORECASE,
)

SHARED, NAMED, FIT, TOUCHED = 1, 4, 2, 8
FLOOR = 2
"""The least score that is shown. Nothing relevant gives nothing."""


def asks_for_something(task: str) -> bool:
    """Whether there is anything to ask memory for: "ok, thanks" needs none."""
    return not SMALL_TALK.fullmatch(task)


def kinds_of(task: str) -> frozenset[str]:
    """The kinds of work that a task is, by its words."""
    return frozenset(
        kind for kind, words in KINDS.items() if re.search(rf"\b(?:{words})", task, re.IGNORECASE) is not None
    )


def types_for(task: str) -> frozenset[str]:
    """The fact types that a task of its kinds needs."""
    kinds = kinds_of(task)
    return frozenset(name for name, wanted in TYPES.items() if wanted & kinds)


def score(fact_type: FactType, fact: Remembered, task: str, wanted: frozenset[str]) -> int:
    """How much a fact matters for a task; below FLOOR it is not shown. Preferences always matter: they are few."""
    if fact_type.scope is Scope.DEVELOPER:
        return NAMED
    points = FIT if fact_type.name in wanted else 0
    said = set(stems(task))
    if fact.subject:
        points += NAMED if is_named(fact_type, fact, task) else 0
        points += SHARED * len(said & set(stems(fact.subject)))
    if fact_type.value == "path":
        return points + (TOUCHED if touches(task, fact.value) else 0)
    if fact_type.value == "statement":
        points += SHARED * len(said & set(stems(fact.value)))
    return points


def is_named(fact_type: FactType, fact: Remembered, task: str) -> bool:
    """Whether a task names the fact's subject, under any of its names."""
    names = {fact.subject, *(name for group in fact_type.aliases if fact.subject in group for name in group)}
    return any(names_subject(name, task) for name in names if name)
