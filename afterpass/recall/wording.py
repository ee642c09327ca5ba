"""Whether two wordings name the same thing: "session cache" and "the session cache" do, "search" and "cart" do not."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy.model import FactType


def words(text: str) -> frozenset[str]:
    """The words of a text as a set: how lists of words are written here."""
    return frozenset(text.split())


WORD = re.compile(r"\w+(?:[.+#'’-]\w+)*[+#]*")

# Words that say nothing about which thing is meant.
EMPTY = words(
    "a an the this that these those our my your its their his her we i you it they us me of in on at for to from by "
    "with about everything anything all every as and or is are was be been do does did use uses used which what who "
    "how where when here there"
)

# Words that only repeat what the type of fact says already, by the type's value check.
GENERIC = {
    "command": words("test command suite build lint linter part package"),
    "ref": words("environment env deploy deployment server target"),
    "person": words("area code change part side review reviewer reviews pr stuff"),
    "identifier": words("prefix pattern key id code number"),
    "statement": words("service component instance repo repository project rule convention"),
}
SHORT = {"db": "database", "repo": "repository", "config": "configuration", "msg": "message", "docs": "documentation"}


def fold(text: str) -> str:
    """One form for case, width and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def stem(word: str) -> str:
    """A word without its plural or verb ending: "summaries", "summarise" and "summary" are one."""
    word = SHORT.get(word, word)
    if len(word) <= 3 or not word.isalpha():
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ising", "y"), ("izing", "y"), ("ise", "y"), ("ize", "y")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + instead
    for endings in (("es", "s"), ("ing", "ed")):  # a plural first, then a verb's ending
        for ending in endings:
            if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
                word = word[: -len(ending)]
                break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def stems(text: str) -> list[str]:
    """The stems of the words that carry meaning, in their order."""
    return [stem(word) for word in WORD.findall(fold(text)) if word not in EMPTY]


def names_subject(subject: str, text: str) -> bool:
    """Whether ``text`` holds the words of ``subject`` one after the other, as whole words."""
    wanted, said = stems(subject), stems(text)
    span = len(wanted)
    return span > 0 and any(said[i : i + span] == wanted for i in range(len(said) - span + 1))


def bare_subject(fact_type: FactType, subject: str) -> tuple[str, ...]:
    """The words of a subject that tell it from others of its type: "the api tests" is "api" for a test command."""
    canonical = fact_type.canonical_subject(subject)
    generic = {stem(word) for word in GENERIC.get(fact_type.value, ())}
    words = [word for word in WORD.findall(fold(canonical)) if word not in EMPTY]
    kept = [word for word in words if stem(word) not in generic] or words
    return tuple(sorted(stem(word) for word in WORD.findall(fact_type.canonical_subject(" ".join(kept)))))


def same_subject(fact_type: FactType, one: str, other: str) -> bool:
    """Whether two subjects are one slot in all but wording."""
    if fact_type.canonical_subject(one) == fact_type.canonical_subject(other):
        return True
    return bool(one.strip() and other.strip()) and bare_subject(fact_type, one) == bare_subject(fact_type, other)


# How well a statement fits a topic, best first. NONE is no fit: never a different thing.
EXACT, NARROWED, SPOKEN, NAMED, NONE = 4, 3, 2, 1, 0


def topic_fit(fact_type: FactType, asked: str, request: str, subject: str, value: str) -> int:
    """How well a statement about ``subject`` answers a question about the topic ``asked``.

    EXACT: the same words. NARROWED: one is the other with a word more, about the same head noun ("titles",
    "pr titles"). SPOKEN: the statement says all the words of the topic. NAMED: all words of the stored topic, the
    asked head noun among them, stand in the request. A shared word alone is nothing.
    """
    if asked and same_subject(fact_type, asked, subject):
        return EXACT
    topic, stored, said = stems(asked), stems(subject), stems(value)
    if not topic:
        return NAMED if stored and _within(stored, stems(request)) else NONE
    if stored and topic[-1] == stored[-1] and (_within(topic, stored) or _within(stored, topic)):
        return NARROWED
    if _within(topic, [*stored, *said]):
        return SPOKEN
    if stored and topic[-1] in stored and _within(stored, [*topic, *stems(request)]):
        return NAMED
    return NONE


def _within(some: Iterable[str], all_of: Iterable[str]) -> bool:
    return set(some) <= set(all_of)
