"""Requests to forget ("forget the staging rule", "the ban on vendor/soap is lifted"), and what no longer holds ("we
don't use pnpm any more").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from extractors.candidate import Candidate, Kind
from extractors.cues.building import candidate
from extractors.cues.reading import Reading, states
from extractors.cues.rules import Rulebook
from extractors.cues.sentences import clause_end
from extractors.cues.values import bare, command_kind, phrase
from policy.model import FactType
from transcripts.session import Turn

WEIGHT = 8.0  # a forget passes every gate: what it aims at was worth keeping
PLURAL = re.compile(r"(?<=\w{3})s\b")
NO_REQUEST = re.compile(
    r"\b(?:don't|do\s+not|never|didn't|won't|wouldn't|can't|before\s+i|lest|until|till|once|when|if|unless)\s+(?:\w+\s+){0,2}$",
    re.I,
)


def forgets(
    turn: Turn,
    reading: Reading,
    book: Rulebook,
    types: Mapping[str, FactType],
    known_slots: Sequence[tuple[str, str]],
) -> Iterator[Candidate]:
    """At most one request to forget: its type and subject from the slots that are known, else from its own words."""
    for name, trigger in book.triggers.items():
        for found in trigger.finditer(reading.text):
            if NO_REQUEST.search(reading.text[: found.start()]) or not states(
                reading.text, found.start(), found.end(), book.guards
            ):
                continue
            what = found["what"]
            aim = _known(what, types, known_slots) or _named(what, book, types)
            if aim is None:
                continue
            end = clause_end(reading.text, found.end())
            quote = reading.sentence.text[found.start() : max(end, found.end())].strip(" .!")
            yield candidate(turn, quote, aim, kind=Kind.FORGET, importance=WEIGHT, cue=f"forgets.{name}")
            return


def withdrawals(
    turn: Turn, reading: Reading, book: Rulebook, types: Mapping[str, FactType], held: Collection[str]
) -> Iterator[Candidate]:
    """What the sentence says no longer holds, by its value, of the types in ``held``: those of which a fact is known or
    was stated in this session, and of which the turn states no other value.
    """
    for name, pattern in book.withdrawals.items():
        if (found := pattern.search(reading.text)) is None or not states(
            reading.text, found.start(), found.end(), book.guards
        ):
            continue
        value, subject = _caught(found, "value"), phrase(_caught(found, "subject"))
        type_name = command_kind(value, book.tables) if name == "any_command" else name
        if type_name not in held or type_name not in types or not value:
            continue
        quote = reading.sentence.text[found.start() : max(clause_end(reading.text, found.end()), found.end())].strip(
            " .!"
        )
        yield candidate(
            turn, quote, (type_name, subject, value), kind=Kind.FORGET, importance=WEIGHT, cue=f"withdrawals.{name}"
        )


def _caught(found: re.Match[str], prefix: str) -> str:
    """What the group, or one of its other forms, has caught; empty where none has."""
    return next((bare(text) for name, text in found.groupdict().items() if text and name.startswith(prefix)), "")


def _known(
    what: str, types: Mapping[str, FactType], known_slots: Sequence[tuple[str, str]]
) -> tuple[str, str, str] | None:
    """The one known slot whose type and subject are both named, or None where none or several are."""
    words = set(_words(what))
    aims = {
        (type_name, subject)
        for type_name, subject in known_slots
        if subject and type_name in types and set(_words(subject)) <= words
    }
    if len(aims) != 1:
        return None
    type_name, subject = aims.pop()
    return type_name, subject, ""


def _words(text: str) -> list[str]:
    return [PLURAL.sub("", word) for word in re.split(r"[^\w]+", text.casefold()) if word]


def _named(what: str, book: Rulebook, types: Mapping[str, FactType]) -> tuple[str, str, str] | None:
    for type_name, pattern in book.targets.items():
        if type_name not in types or not (found := pattern.search(what)):
            continue
        groups = {name: text for name, text in found.groupdict().items() if text}
        subject = next((phrase(text) for name, text in groups.items() if name.startswith("subject")), "")
        value = next((bare(text) for name, text in groups.items() if name.startswith("value")), "")
        if types[type_name].value == "person" and subject in book.tables.get("not_an_area", ()):
            subject = ""
        return type_name, "" if subject in book.tables.get("whole", ()) else subject, value
    return None
