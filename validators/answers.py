"""What a developer's short answer says of the stored value that the agent asked about.

The agent's last words must be one question that quotes or names the value. A yes to the question whether it still
holds confirms, where a mere restatement does not, unless it is limited to one occasion; a no puts that very value in
question. A leave to act ("shall I deploy to preview?") is no such question, and neither is one that a yes leaves open
("is it still right, or has it changed?"). Of a path that must not be edited it may be asked the other way round, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from extractors.candidate import Kind
from extractors.questions import Asked, Sense, sense_of
from extractors.yes_no import NO, instead, is_bare_no, says_of_ban, value_after_no
from validators.language.reading import assent
from validators.values.kinds import same_value
from validators.verdict import fold_value

if TYPE_CHECKING:
    from validators.verdict import KnownFact
    from validators.view import View


def confirms(view: View) -> bool:
    """Whether the developer's words say that the value which the slot holds still does, because they were asked."""
    if not view.held_same or view.turn is None:
        return False
    asked = _asked_about(view, view.value)
    if asked is None:
        return False
    words = _words(view)
    is_value = fold_value(words.strip(" .!`\"'")) == fold_value(view.value)
    if _is_ban(view):
        sense = sense_of(asked, ban=True)
        return says_of_ban(words, sense) is True or (is_value and sense is Sense.HOLDS)
    if sense_of(asked, ban=False) is None:
        return False
    said = assent(words, view.policy)
    if said is None:
        return is_value
    other = instead(said.rest)
    return not said.limited and (other is None or view.same(other.value))


class OfBan(NamedTuple):
    """What an answer says of the banned path that the agent asked about: whether the ban holds, None where neither."""

    holds: bool | None


def of_ban(view: View) -> OfBan | None:
    """What the words say of the ban that the agent asked about; None where no ban was asked about."""
    asked = _asked_about(view, view.value) if _is_ban(view) and view.value else None
    sense = sense_of(asked, ban=True) if asked else None
    return OfBan(says_of_ban(_words(view), sense)) if sense else None


def disputed(view: View) -> tuple[KnownFact, ...]:
    """The stored facts of the slot that were asked about and of which the developer said that they do not hold."""
    if view.turn is None or not view.slot_facts or view.is_forget:
        return ()
    words = _words(view)
    line = words.partition("\n")[0]
    if view.quote.strip() not in line or not _says_only(view, line):
        return ()
    found = []
    for fact in view.slot_facts:
        asked = _asked_about(view, fact.value)
        sense = sense_of(asked, ban=_is_ban(view)) if asked else None
        denied = sense is Sense.HOLDS and NO.match(line) is not None
        if denied or (sense is Sense.LIFTED and says_of_ban(words, sense) is False):
            found.append(fact)
    return tuple(found)


def _says_only(view: View, line: str) -> bool:
    """Whether the first line of the answer is all that the candidate says: a no, and its value where it has one."""
    if not view.value or (view.kind and view.kind.name == "statement"):
        return True
    return view.kind is not None and same_value(view.kind, value_after_no(line), view.value)


def unfounded(view: View) -> str:
    """Why a correction without a value is none: a bare answer to something else than whether the value holds."""
    if view.candidate.kind is not Kind.CORRECTION or view.value or view.turn is None or view.disputed:
        return ""
    words, asked = _words(view), view.asked
    said = assent(words, view.policy)
    if said is not None and not said.rest:
        return "a yes takes nothing back"
    if not is_bare_no(words, ban=_is_ban(view)):
        return ""
    if _is_ban(view) and asked and sense_of(asked, ban=True) in (Sense.LIFTED, Sense.LEAVE):
        return "it says that the ban holds"
    if not any(view.kind and view.kind.supported(fact.value, view.previous_agent_text) for fact in view.slot_facts):
        return "what was asked about is not stored"
    return "the question was not whether it holds" if asked and len(words.split()) == 1 else ""


def _is_ban(view: View) -> bool:
    return view.fact_type is not None and view.fact_type.value == "path"


def _words(view: View) -> str:
    return view.turn.said if view.turn else ""


def _asked_about(view: View, value: str) -> Asked | None:
    """The agent's last question, where it quotes or names this value and no longer one that holds it."""
    asked = view.asked
    if asked is None or view.kind is None or not value:
        return None
    if any(asked.is_near(quoted.end) and same_value(view.kind, quoted.value, value) for quoted in asked.values):
        return asked
    named = re.finditer(rf"(?<![\w/-]){re.escape(value)}(?![\w/-])", asked.blanked, re.IGNORECASE)
    return asked if any(asked.is_near(mention.end()) for mention in named) else None
