"""Who raised a question: a developer in a transcript, an agent that passed words on, or the repository's own files."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.records import Review

BY_FILES = "repository"
"""The agent of a session that consists of what a repository's own files say; its turns stand in no transcript."""

BY_TOOL = "mcp"
"""The agent of a session that consists of what an agent passed on; its turns stand in no transcript."""


class Raised(StrEnum):
    """Where the words of a question come from, the strongest first."""

    SESSION = "session"
    TOOL = "tool"
    FILES = "files"


def raised_in(session_keys: Iterable[str]) -> Raised:
    """The strongest origin among the sessions of the statements behind a question."""
    agents = {key.partition(":")[0] for key in session_keys}
    if agents and agents <= {BY_FILES}:
        return Raised.FILES
    return Raised.TOOL if agents and agents <= {BY_FILES, BY_TOOL} else Raised.SESSION


def only_by_files(item: Review) -> bool:
    """Whether nobody but the repository's files ever proposed anything in an item: it stands and falls with them."""
    return raised_in(each.evidence.session_key for each in item.proposals if each.evidence) is Raised.FILES


def raised_by(item: Review) -> Raised:
    """Who raised what an item now proposes."""
    said = [each for each in item.proposals if each.value == (item.proposed or "")] or item.proposals[:1]
    return raised_in(each.evidence.session_key for each in said if each.evidence)
