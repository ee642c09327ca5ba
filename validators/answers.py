"""Whether a restatement is a person's yes to a question: then it confirms, where a mere restatement does not.

The agent's last words must ask, with the stored value in them, whether it still holds, and the developer's turn must
begin with a yes that is not limited to one occasion, or be the value itself. A leave to act ("shall I deploy to
preview?") is no such question, and neither is one that a yes leaves open ("is it still right, or has it changed?").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from transcripts.lazy import lazy
from transcripts.session import Origin
from validators.language.reading import assent
from validators.verdict import fold_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from validators.view import View

FARTHEST = 250  # characters between the value and the question's end
SENTENCE_END = lazy(r"[.!?…](?=[\s\"'”’)\]]|$)|\n")
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


def confirms(view: View) -> bool:
    """Whether the developer's words are a yes to a question that quoted the value which the slot holds."""
    if not view.held_same or view.turn is None or not any(map(asks_whether_it_holds, _quoting(view))):
        return False
    words = "".join(part.text for part in view.turn.segments if part.origin in (Origin.TYPED, Origin.CHOSEN)).strip()
    said = assent(words, view.policy)
    if said is not None:
        return not said.limited
    return fold_value(words.strip(" .!`\"'")) == fold_value(view.value)


def asks_whether_it_holds(stretch: str) -> bool:
    """Whether a stretch that ends with a question mark asks whether something still holds, in its last sentence."""
    before = [match.end() for match in SENTENCE_END.finditer(stretch[:-1])]
    question = stretch[before[-1] if before else 0 :]
    return HOLDS.search(question) is not None and LEAVES_OPEN.search(question) is None


def _quoting(view: View) -> Iterator[str]:
    """The stretches of the agent's words that begin with the sentence of the value and end with the next question."""
    text = view.previous_agent_text
    value = rf"(?<![\w/-]){re.escape(view.value)}(?![\w/-])" if view.value else r"(?!)"
    for mention in re.finditer(value, text, re.IGNORECASE):
        end = text.find("?", mention.end())
        if 0 <= end - mention.end() <= FARTHEST and "\n\n" not in text[mention.start() : end]:
            before = [match.end() for match in SENTENCE_END.finditer(text[: mention.start()])]
            yield text[before[-1] if before else 0 : end + 1]
