"""An agent's question about a stored value: what it quotes, and what a yes to it would say.

Which way round a yes is meant stands in the question. "Does it still hold?" asks whether the value holds. Of a path
that must not be edited an agent may also ask whether the ban is lifted, or for leave to edit: leave is given for the
task at hand, so a yes to that says nothing about the ban. A question that leaves it open asks nothing that counts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

from transcripts.lazy import lazy

LOOK = 900  # characters of the agent's last words: its question stands at their end
FARTHEST = 250  # characters between a value and the end of the question about it
QUOTED = lazy(
    r"\"(?P<json>(?:[^\"\\\n]|\\.){1,400})\"|`(?P<code>[^`\n]{1,300})`|“(?P<curly>[^”\n]{1,300})”"
    r"|(?<!\w)['‘](?P<single>[^'’\n]{1,200})['’](?!\w)"
)
SENTENCE_END = lazy(r"[.!?…](?=[\s\"'”’)\]]|$)|\n")
ASKS = lazy(r"[?？]")
HOLDS = lazy(
    r"\b(?:still|holds?|holding|correct|right|true|valid|accurate|current|up[ -]to[ -]date|unchanged|the same"
    r"|appl(?:y|ies)|confirm|stimmt|gilt|noch|toujours|encore|sigue|todavía|ainda|continua)\b|まだ|仍然|还是|还",
    re.IGNORECASE,
)
LEAVES_OPEN = lazy(
    r"\b(?:no longer|not|any ?more|outdated|out of date|changed|moved|wrong|or|nicht|mehr|oder|pas|plus|ou|no|ya)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_EDIT = r"(?:edit|touch|chang|modif)\w*"
BAN = lazy(
    rf"\b(?:do|must|should|shall|may|can|could)(?:\s*not|n['’]t)\s+(?:be\s+)?{_EDIT}|\bdo[-_ ]not[-_ ]{_EDIT}"
    rf"|\bnot\s+(?:supposed\s+|allowed\s+|meant\s+)?to\s+(?:be\s+)?{_EDIT}|\b(?:not|never)\s+be\s+{_EDIT}"
    r"|\bnever\s+(?:edit|touch|change|modify)\b|\boff[- ]limits\b|\bhands[- ]off\b|\bread[- ]?only\b|\bprotected\b"
    r"|\bleav(?:e|ing)\b[^.?!\n]{0,60}?\b(?:alone|untouched)\b|\b(?:the|that|this|a|your)\s+(?:edit(?:ing)?\s+)?ban\b",
    re.IGNORECASE,
)
LIFTED = lazy(
    rf"\bban\b[^?\n]{{0,60}}?\b(?:lifted|dropped)\b|\b(?:may|can|could)\b[^?\n]{{0,60}}?\b{_EDIT}\s+(?:\S+\s+)?"
    r"(?:again|from now on|in (?:the )?future|in general)\b",
    re.IGNORECASE,
)
LEAVE = lazy(rf"\b(?:may|can|could|shall|should)\s+(?:i|we)\s+(?:still\s+|now\s+|just\s+)?{_EDIT}", re.IGNORECASE)
PERMITS = lazy(
    rf"\b(?:{_EDIT}|writ\w+|refactor\w*|delet\w*|remov\w*|overwrit\w*|allow\w*|permi\w+|ok(?:ay)?|fine|safe|free|open"
    r"|go\s+(?:ahead|for)|proceed|anyway|do it|lifted|dropped|(?:may|can)\s+(?:i|we|now|be)|you\s+(?:may|can))\b",
    re.IGNORECASE,
)


class Sense(StrEnum):
    """What a question asks about a stored value: whether it holds, whether a ban is lifted, for leave to edit."""

    HOLDS = "holds"
    LIFTED = "lifted"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Quoted:
    """A value between quotes or back-ticks, and where it stands with them."""

    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Asked:
    """The agent's last question: the paragraph up to its mark, the same with what is quoted blanked out, the values
    quoted in it, and where its last sentence begins.
    """

    text: str
    blanked: str
    values: tuple[Quoted, ...]
    start: int

    @property
    def question(self) -> str:
        """The last sentence, without what it quotes."""
        return self.blanked[self.start :]

    def is_near(self, end: int) -> bool:
        """Whether a value that ends there is near enough to be what is asked about."""
        return len(self.text) - end <= FARTHEST


def last_asked(agent_text: str) -> Asked | None:
    """The one question that the agent's words end with, or None: after two in a row an answer could be to either."""
    said = agent_text[-LOOK:]
    if not ASKS.search(said):
        return None
    quoted = _quoted(said)
    blanked = _blanked(said, quoted)
    marks = [mark.start() for mark in ASKS.finditer(blanked)]
    if not marks:
        return None
    begin = blanked.rfind("\n\n", 0, marks[-1]) + 2 if "\n\n" in blanked[: marks[-1]] else 0
    if any(begin <= mark for mark in marks[:-1]):
        return None
    paragraph = blanked[begin : marks[-1] + 1]
    sentences = [end.end() for end in SENTENCE_END.finditer(paragraph[:-1])]
    values = tuple(Quoted(q.value, q.start - begin, q.end - begin) for q in quoted if begin <= q.start < marks[-1])
    return Asked(said[begin : marks[-1] + 1], paragraph, values, sentences[-1] if sentences else 0)


def sense_of(asked: Asked, *, ban: bool) -> Sense | None:
    """What the question asks about the value, or None where a yes or a no to it would say nothing plain of it."""
    question = asked.question
    if not ban:
        return Sense.HOLDS if HOLDS.search(question) and not LEAVES_OPEN.search(question) else None
    if LIFTED.search(question):
        return None if LEAVES_OPEN.search(question) else Sense.LIFTED
    if LEAVE.search(question):
        is_plain = BAN.search(asked.blanked[: asked.start]) and not LEAVES_OPEN.search(question)
        return Sense.LEAVE if is_plain else None
    rest = BAN.sub(" ", question)
    plain = HOLDS.search(rest) and not LEAVES_OPEN.search(rest) and not PERMITS.search(rest)
    return Sense.HOLDS if plain and not PERMITS.search(BAN.sub(" ", _sentence_before(asked))) else None


def unescaped(text: str) -> str:
    """A text whose quoted values are as they are stored: a block writes them as JSON does."""
    out, at = [], 0
    for quoted in _quoted(text):
        out += [text[at : quoted.start + 1], quoted.value, text[quoted.end - 1 : quoted.end]]
        at = quoted.end
    return "".join([*out, text[at:]])


def _quoted(text: str) -> list[Quoted]:
    found = []
    for match in QUOTED.finditer(text):
        value = next(group for group in match.groups() if group is not None)
        found.append(Quoted(_of_json(value) if match["json"] else value, match.start(), match.end()))
    return found


def _of_json(value: str) -> str:
    if "\\" not in value:
        return value
    try:
        return str(json.loads(f'"{value}"'))
    except ValueError:
        return re.sub(r"\\(.)", r"\1", value)


def _blanked(text: str, quoted: list[Quoted]) -> str:
    for one in quoted:
        text = text[: one.start + 1] + " " * (one.end - one.start - 2) + text[one.end - 1 :]
    return text


def _sentence_before(asked: Asked) -> str:
    """What "it" in the last sentence takes up: the sentence before it."""
    before = asked.blanked[: asked.start].rstrip(" .!…\n")
    ends = [end.end() for end in SENTENCE_END.finditer(before)]
    return before[ends[-1] if ends else 0 :]
