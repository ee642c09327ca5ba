"""Answers: what a developer says to an agent that asked, with a stored value, whether it still holds.

A yes proposes the value again, a no that the stored value is wrong, and a no with another value that one. Which fact is
meant stands in the agent's question: in our own words for it, else its type, its being a ban, or the subject of a slot
that is known. Where several could be meant, or the answer may mean something else, nothing is proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from extractors.candidate import Candidate, Kind
from extractors.cues.building import candidate
from extractors.cues.reading import plain
from extractors.cues.rules import Rulebook
from extractors.cues.values import command, path_like
from extractors.questions import BAN, LOOK, Asked, Quoted, Sense, last_asked, sense_of
from extractors.yes_no import NO, instead, is_bare_no, says_of_ban
from policy.model import FactType, SubjectRule
from transcripts.lazy import lazy
from transcripts.session import Turn

AROUND = 160  # characters before a value that may say what it is
LONGEST_QUOTE = 200
LEAST_STATED = 3  # words of a statement that is said to hold instead
IMPORTANCE = 8.0
NAMED = lazy(
    r"\s+(?:for|as)\s+(?:the|our)\s+(?P<name>[a-z][a-z ]*?)(?:\s+\((?P<subject>[^\n]*?)\))?(?=[,.:;?])", re.IGNORECASE
)
IS = lazy(r",?\s+(?:which\s+)?(?:(?:as|is|was|are|were)\s+)?(?:still\s+)?(?:marked\s+)?(?:as\s+)?", re.IGNORECASE)
YES = lazy(
    r"^\W*(?:still|(?:it|that|this)\s+(?:still\s+)?(?:does|holds?|applies)|no changes?\b|unchanged|nothing changed)",
    re.IGNORECASE,
)


def answers(
    turn: Turn,
    agent_text: str,
    book: Rulebook,
    types: Mapping[str, FactType],
    known_slots: Sequence[tuple[str, str]],
) -> Iterator[Candidate]:
    """The candidate of a turn that answers the agent's question about one stored value."""
    said = turn.said
    asked = last_asked(agent_text) if said and len(said) <= LOOK else None
    if asked is None:
        return
    found = set(_asked(asked, types, known_slots))
    slots = {(type_name, subject) for type_name, subject, _ in found}
    if len(slots) != 1:
        return
    ((type_name, subject),) = slots
    line = said.splitlines()[0].strip()[:LONGEST_QUOTE]
    fact_type, values = types[type_name], [value for _, _, value in found]
    if len(values) > 1:
        answer = None if fact_type.multi else _one_of(values, line)
    elif fact_type.value == "path":
        answer = _of_ban(values[0], said, asked, book, fact_type)
    else:
        answer = _of_value(values[0], line, asked, book, fact_type)
    if answer is not None:
        cue, kind, value = answer
        yield candidate(turn, line, (type_name, subject, value), kind=kind, importance=IMPORTANCE, cue=f"answer.{cue}")


Answer = tuple[str, Kind, str]  # the cue's name, the kind, the value


def _one_of(values: Iterable[str], line: str) -> Answer | None:
    """The one of several values that the answer names."""
    named = [value for value in values if value.casefold() in plain(line).casefold()]
    return ("one_of", Kind.STANDING, named[0]) if len(named) == 1 else None


def _of_ban(value: str, said: str, asked: Asked, book: Rulebook, fact_type: FactType) -> Answer | None:
    """Whether the ban holds, whichever way round it was asked."""
    sense = sense_of(asked, ban=True)
    holds = says_of_ban(said, sense)
    if holds is not None:
        return ("yes", Kind.STANDING, value) if holds else ("no", Kind.CORRECTION, "")
    return _instead(said.splitlines()[0], book, fact_type) if sense is Sense.HOLDS else None


def _of_value(value: str, line: str, asked: Asked, book: Rulebook, fact_type: FactType) -> Answer | None:
    if sense_of(asked, ban=False) is None:
        return None
    if _is_yes(plain(line), value, book):
        return "yes", Kind.STANDING, value
    return ("no", Kind.CORRECTION, "") if is_bare_no(line) else _instead(line, book, fact_type)


def _asked(
    asked: Asked, types: Mapping[str, FactType], known_slots: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str, str]]:
    """(type, subject, value) of every quoted value that is asked about and whose slot is plain."""
    values = [quoted for quoted in asked.values if asked.is_near(quoted.end)]
    named = [(slot, quoted) for quoted in values if (slot := _in_our_words(asked, quoted, types))]
    if named:
        yield from ((*slot, quoted.value) for slot, quoted in named)
        return
    for quoted in values:
        around = asked.text[max(0, quoted.start - AROUND) : quoted.start] + " " + asked.text[quoted.end :]
        slots = _slots(around, types, known_slots)
        if len(slots) == 1:
            yield (*slots.pop(), quoted.value)


def _in_our_words(asked: Asked, quoted: Quoted, types: Mapping[str, FactType]) -> tuple[str, str] | None:
    """The slot that stands right behind a value, as a block words it: "preview" for the deploy target (staging)."""
    link = IS.match(asked.text, quoted.end)
    if link and BAN.match(asked.text, link.end()):
        bans = _bans(types)
        return (bans.pop(), "") if len(bans) == 1 else None
    named = NAMED.match(asked.text, quoted.end)
    fact_type = types.get(" ".join(named["name"].casefold().split()).replace(" ", "_")) if named else None
    if named is None or fact_type is None:
        return None
    subject = fact_type.canonical_subject(named["subject"] or "")
    needs_one = fact_type.subject in (SubjectRule.REQUIRED, SubjectRule.TOPIC)
    return None if needs_one and not subject else (fact_type.name, subject)


def _bans(types: Mapping[str, FactType]) -> set[str]:
    """The types whose value is a path: what must not be edited."""
    return {name for name, one in types.items() if one.value == "path"}


def _slots(around: str, types: Mapping[str, FactType], known_slots: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """The slots that the words around a value may mean: known ones whose subject is named, else by the type's name."""
    low = around.casefold()
    bans = _bans(types) if BAN.search(around) else set()
    named = bans or {name for name in types if name.replace("_", " ") in low}
    known = {(name, subject) for name, subject in known_slots if name in types}
    by_subject = {(name, subject) for name, subject in known if subject and _names(subject, low, types[name])}
    found = {slot for slot in by_subject if slot[0] in named}
    if found or not (bans or named):
        return found or by_subject
    plain_ones = {(name, "") for name in named if types[name].subject in (SubjectRule.NONE, SubjectRule.OPTIONAL)}
    plain_ones = {slot for slot in plain_ones if slot in known} or plain_ones
    return plain_ones if bans else plain_ones | by_subject


def _names(subject: str, low: str, fact_type: FactType) -> bool:
    group = next((group for group in fact_type.aliases if subject in group), (subject,))
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", low) for name in group)


def _is_yes(line: str, value: str, book: Rulebook) -> bool:
    """A yes, and none that goes on to name another value: "yes, develop" to a question about preview."""
    if still := YES.match(line):
        rest = line[still.end() :]
    elif book.assents["yes"].match(line.lstrip(" \"'*")):
        rest = book.assents["filler"].sub(" ", book.assents["yes"].sub(" ", line))
    else:
        return False
    other = instead(rest)
    return other is None or other.value.casefold() == value.casefold()


def _instead(line: str, book: Rulebook, fact_type: FactType) -> Answer | None:
    """The value that a no says to hold instead; a correction without one where only its end is not plain."""
    no = NO.match(line)
    if no is None:
        return None
    rest = line[no.end() :]
    bare = rest.strip(" ,.:;!–—-")
    if fact_type.value == "statement":
        is_one = len(bare.split()) >= LEAST_STATED and not re.search(r"[.?!;]\s|\?", bare)
        return ("no", Kind.STANDING, bare) if is_one else None
    found = instead(rest)
    if fact_type.value == "command" and not (found and found.is_quoted):
        taken = command(bare, book.tables.get("subcommands", {}), frozenset(book.tables.get("command_stops", ())))
        return ("no", Kind.CORRECTION, "") if bare and taken[1] == len(bare) else None
    if found is None or (fact_type.value == "path" and not path_like(found.value, book.tables)):
        return None
    return "no", Kind.STANDING, found.value
