"""A question of the queue in words: who raised it, what is asked, and what accepting and refusing it would do."""

from __future__ import annotations

from store.raised import Raised, raised_by
from store.records import Review, ReviewKind
from store.slots import same_value

QUESTIONS = {
    ReviewKind.REPLACEMENT: "Is the stored value out of date, and this the new one?",
    ReviewKind.CORRECTION: "Was the stored value wrong from the start?",
    ReviewKind.CONFIRMATION: "The agent proposed this and the developer only agreed. Keep it?",
    ReviewKind.CONTRADICTS_REPO: "The repository's own files say otherwise. Keep it all the same?",
    ReviewKind.FORGET_UNCLEAR: "Something is to be forgotten, and it is not clear what. Forget the fact shown?",
    ReviewKind.PROCEDURE: "Keep this procedure?",
}

NO_LONGER = "Does the stored value no longer hold? Accepting takes it away and puts nothing in its place."
PASSED_ON = "An agent passed these words on as the developer's, through its tool: "


def question(item: Review) -> str:
    """What a person is asked."""
    raised = raised_by(item)
    if raised is Raised.FILES:
        return "The repository's own files say otherwise by now. Is the stored value out of date?"
    if raised is not Raised.TOOL:
        return NO_LONGER if takes_away(item) else QUESTIONS[item.kind]
    if is_wish_to_forget(item):
        return PASSED_ON + "a wish to forget the stored value. Forget it?"
    if item.kind is ReviewKind.FORGET_UNCLEAR:
        return PASSED_ON + "a wish to forget, and it is not clear what."
    if _is_stored(item):
        return PASSED_ON + "they say that the stored value holds. Does it?"
    return PASSED_ON + "were they said so, and meant to last?"


def kind_of(item: Review) -> str:
    """The kind as a list names it; a clear wish to forget waits only because an agent passed it on."""
    return "forget" if is_wish_to_forget(item) else item.kind.value


def raiser(item: Review) -> str:
    """Who raised it, to stand behind a date; empty for what a developer said in a session unasked."""
    match raised_by(item):
        case Raised.TOOL:
            return "passed on by an agent's tool"
        case Raised.FILES:
            return "by the repository's files"
        case _:
            return "to the agent's proposal" if item.kind is ReviewKind.CONFIRMATION else ""


def if_accepted(item: Review) -> str:
    """What accepting does: ``replaces 'staging'``."""
    stored = _stored(item)
    if item.stale:
        return "cannot be: the fact has changed since"
    if item.kind is ReviewKind.FORGET_UNCLEAR:
        return f"forgets {stored!r}" if stored else "forgets what --value names"
    if stored is None:
        return "keeps it"
    if item.kind is ReviewKind.CORRECTION and raised_by(item) is not Raised.FILES:
        return f"replaces {stored!r}, which was wrong" if item.proposed else f"takes {stored!r} away"
    if _is_stored(item):
        return f"confirms {stored!r}"
    if item.multi or item.until:
        return f"keeps it beside {stored!r}"
    return f"replaces {stored!r}"


def if_refused(item: Review) -> str:
    """What refusing does: ``'staging' stays``."""
    stored = _stored(item)
    return "nothing is stored" if stored is None else f"{stored!r} stays"


def takes_away(item: Review) -> bool:
    """Whether accepting the item as it is would end the stored value without a new one."""
    return item.kind is ReviewKind.CORRECTION and not item.proposed


def proposed_of(item: Review, value: str | None) -> str:
    """A proposed value as it is; where there is none, what the item would do instead."""
    if is_wish_to_forget(item):
        return "to forget it"
    if value or item.kind is not ReviewKind.CORRECTION:
        return value or ""
    stored = _stored(item)
    return f"nothing ({repr(stored) if stored else 'the stored value'} would no longer hold)"


def is_wish_to_forget(item: Review) -> bool:
    """Whether it is clear what is to be forgotten, and a person is asked only because an agent passed the words on."""
    return item.kind is ReviewKind.FORGET_UNCLEAR and raised_by(item) is Raised.TOOL and item.base is not None


def _stored(item: Review) -> str | None:
    """The stored value that is at stake."""
    return item.current if item.current is not None else item.now


def _is_stored(item: Review) -> bool:
    stored = _stored(item)
    return stored is not None and item.proposed is not None and same_value(stored, item.proposed)
