"""What an item of the queue asks and proposes, in words: the same in the terminal and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.records import Review

QUESTIONS = {
    "replacement": "Is the stored value out of date, and this the new one?",
    "correction": "Was the stored value wrong from the start, or do the repository's files say otherwise by now?",
    "confirmation": "The agent proposed this and the developer only agreed. Keep it?",
    "contradicts_repo": "The repository's own files say otherwise. Keep it all the same?",
    "forget_unclear": "Something is to be forgotten, and it is not clear what. Forget the fact shown?",
    "procedure": "Keep this procedure?",
}
NO_LONGER = "Does the stored value no longer hold? Accepting takes it away and puts nothing in its place."


def takes_away(item: Review) -> bool:
    """Whether accepting the item as it is would end the stored value without a new one."""
    return item.kind.value == "correction" and not item.proposed


def question_of(item: Review) -> str:
    """What a person decides."""
    return NO_LONGER if takes_away(item) else QUESTIONS[item.kind.value]


def proposed_of(item: Review, value: str | None) -> str:
    """A proposed value as it is; where a correction has none, what it would do instead."""
    if value or item.kind.value != "correction":
        return value or ""
    stored = repr(item.current) if item.current else "the stored value"
    return f"nothing ({stored} would no longer hold)"
