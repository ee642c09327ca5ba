"""Answers: what a developer says to an agent that asked, with a stored value, whether it still holds.

A yes proposes the value again, a no that the stored value is wrong, and a no with another value that one. Which fact is
meant stands in the agent's question: its type or the subject of a slot that is known. Where several could be meant,
nothing is proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from extractors.candidate import Candidate, Kind
from extractors.cues.building import candidate
from extractors.cues.reading import plain
from extractors.cues.rules import Rulebook
from policy.model import FactType, SubjectRule
from transcripts.lazy import lazy
from transcripts.session import Origin, Turn

LOOK = 900  # characters of the agent's last words: its question stands at their end
AROUND = 160  # characters before a value that may say what it is
LONGEST_QUOTE = 200
IMPORTANCE = 8.0
QUOTED = lazy(r"\"(?P<a>(?:[^\"\\\n]|\\.){1,200})\"|`(?P<b>[^`\n]{1,200})`|[“'‘](?P<c>[^”’'\n]{1,200})[”’']")
ASKS = lazy(
    r"\b(?:still|holds?|correct|right|true|valid|accurate|current|up[ -]to[ -]date|unchanged|the same|appl(?:y|ies)"
    r"|confirm|noch|stimmt|gilt|toujours|encore|sigue|todavía|ainda)\b[^?\n]*\?",
    re.IGNORECASE,
)
YES = lazy(
    r"^\W*(?:still|(?:it|that|this)\s+(?:still\s+)?(?:does|holds?|applies)|no changes?\b|unchanged|nothing changed)",
    re.IGNORECASE,
)
NO = lazy(
    r"^\W*(?:no|nope|nah|not any ?(?:more|longer)|no longer|wrong|outdated|nein|non)\b"
    r"(?!\s+(?:changes?|idea|need|worries|problem|clue))",
    re.IGNORECASE,
)
INSTEAD = lazy(
    r"^[\s,.:;!–—-]*(?:(?:it|that|this)(?:['’]?s|\s+is)\s+|use\s+|now\s+|it\s+(?:has\s+)?(?:moved|changed)\s+to\s+"
    r"|(?:we\s+)?(?:moved|changed|switched)\s+(?:it\s+)?to\s+|make\s+it\s+)?(?:now\s+)?"
    r"(?:`(?P<code>[^`\n]+)`|[\"“](?P<quoted>[^\"”\n]+)[\"”]|(?P<word>[\w@./*#:-]*[\w*/]))"
    r"(?:\s+(?:now|instead|these\s+days|since\s+[\w ]+))?\s*[.!]*\s*$",
    re.IGNORECASE,
)
NO_VALUE = frozenset(
    "it that this yes no idea sorry wait stop thanks please now gone not longer changed moved outdated wrong".split()
)


def answers(
    turn: Turn,
    agent_text: str,
    book: Rulebook,
    types: Mapping[str, FactType],
    known_slots: Sequence[tuple[str, str]],
) -> Iterator[Candidate]:
    """The candidate of a turn that answers the agent's question about one stored value."""
    said = "".join(part.text for part in turn.segments if part.origin in (Origin.TYPED, Origin.CHOSEN)).strip()
    if not agent_text or not said or len(said) > LOOK:
        return
    found = set(_asked(plain(agent_text)[-LOOK:], types, known_slots))
    slots = {(type_name, subject) for type_name, subject, _ in found}
    if len(slots) != 1:
        return
    ((type_name, subject),) = slots
    values = [value for _, _, value in found]
    line = said.splitlines()[0].strip()[:LONGEST_QUOTE]
    if len(values) > 1:
        values = [value for value in values if value.casefold() in plain(line).casefold()]
        if len(values) == 1:
            fact = (type_name, subject, values[0])
            yield candidate(turn, line, fact, importance=IMPORTANCE, cue="answer.one_of")
    elif _is_yes(plain(line), book):
        fact = (type_name, subject, values[0])
        yield candidate(turn, line, fact, importance=IMPORTANCE, cue="answer.yes")
    elif no := NO.match(line):
        other = _instead(line[no.end() :], types[type_name])
        kind = Kind.STANDING if other else Kind.CORRECTION
        yield candidate(turn, line, (type_name, subject, other), kind=kind, importance=IMPORTANCE, cue="answer.no")


def _asked(
    text: str, types: Mapping[str, FactType], known_slots: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str, str]]:
    """(type, subject, value) of every quoted value whose slot is plain and that a question about its truth follows."""
    for quoted in QUOTED.finditer(text):
        end = text.find("?", quoted.end())
        asked = text[quoted.start() : end + 1]
        if end < 0 or "\n\n" in asked or not ASKS.search(text[max(0, quoted.start() - 60) : end + 1]):
            continue
        value = next(group for group in quoted.groups() if group)
        slots = _slots(text[max(0, quoted.start() - AROUND) : end + 1], types, known_slots)
        if len(slots) == 1:
            yield (*slots.pop(), re.sub(r"\\(.)", r"\1", value))


def _slots(around: str, types: Mapping[str, FactType], known_slots: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """The slots that the words around a value may mean: known ones whose subject is named, else by the type's name."""
    low = around.casefold()
    named = {name for name in types if name.replace("_", " ") in low}
    known = {(name, subject) for name, subject in known_slots if name in types}
    by_subject = {(name, subject) for name, subject in known if subject and _names(subject, low, types[name])}
    found = {slot for slot in by_subject if slot[0] in named} or by_subject
    if found:
        return found
    plain_ones = {(name, "") for name in named if types[name].subject in (SubjectRule.NONE, SubjectRule.OPTIONAL)}
    return {slot for slot in plain_ones if slot in known} or plain_ones


def _names(subject: str, low: str, fact_type: FactType) -> bool:
    group = next((group for group in fact_type.aliases if subject in group), (subject,))
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", low) for name in group)


def _is_yes(text: str, book: Rulebook) -> bool:
    opening = book.assents["yes"].match(text.lstrip(" \"'*"))
    return bool(opening) or bool(YES.match(text))


def _instead(rest: str, fact_type: FactType) -> str:
    """The value that is said to hold instead, or empty where none plainly is."""
    found = INSTEAD.match(rest)
    if found is None or fact_type.value == "statement":
        return ""
    if fact_type.value == "command":
        return found["code"] or found["quoted"] or ""
    value = str(found["code"] or found["quoted"] or found["word"])
    return "" if value.casefold() in NO_VALUE else value
