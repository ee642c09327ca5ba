"""The repository's own machine-read files give another value.

Cause: the developer names npm where a pnpm lock file lies, or the files lag behind a decision.
Remedy: in ``afterpass review``, accept what the developer said or reject it; better, change the file that contradicts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.finding import Finding
from validators.verdict import Code, Disposition

if TYPE_CHECKING:
    from validators.view import View


def decide(view: View) -> Finding | None:
    """A value beside the one that the files give for the slot."""
    if view.is_forget or not view.value or view.repo_answer is None or view.agrees_with_repo:
        return None
    return Finding(Disposition.QUEUE, Code.CONTRADICTS_REPO, files_say(view.repo_answer), view.rivals)


def files_say(value: str) -> str:
    """What a person is told of the files' value when asked about another one."""
    return f"the repository's files say {value!r}"
