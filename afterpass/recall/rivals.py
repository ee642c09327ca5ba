"""Which statements cannot both hold: they say different values about the same thing, in the same respect.

A statement is read as a claim: what it is about, how it relates a value to it, the value, and what limits it. Two
claims are rivals where all but the value agree and the values exclude one another. A shared word alone is nothing:
"tests use pytest" and "tests live in tests/" both hold.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from afterpass.recall.wording import WORD, fold, stem, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from afterpass.recall.memory import Remembered

# Where the reason or the second half of a statement begins, what makes it hold at times only, and what adds nothing.
ASIDE = re.compile(r"[,;:.!](?:\s.*|$)|\b(?:because|since|so that|instead of|rather than|but)\b.*", re.DOTALL)
LIMITED = re.compile(r"\b(?:if|when|while|unless|except|until|only|where|also|too|or|and|sometimes|usually|both)\b")
LEAD_IN = re.compile(
    r"\b(?:from now on|going forward|as of now|by default|(?:decided|agreed) (?:to|on)|settled on|ha(?:ve|s) to"
    r"|in this repo(?:sitory)?|in this project)\b"
)
DENIAL = re.compile(r"\b(?:never|not|no longer|no|avoid)\b|n[’']t\b")
FILLER = words(
    "a an the this that our my your we i you they it let's please always now everywhere here all every just should "
    "must will shall want do does don doesn didn can in-house currently never not no longer avoid"
)
USES = frozenset(map(stem, words("use uses using used prefer prefers choose chose adopt")))
STATES = frozenset(
    map(
        stem,
        words(
            "live lives run runs sit sits stay stays go goes belong belongs point points listen listens deploy deploys "
            "ship ships expire expires write keep store stores put place name answer log host hosted named written "
            "stored kept deployed served based need needs require requires take takes"
        ),
    )
)
COPULAS = words("is are be was were")
PLACES = words("in on at under to after as by from into")
LIMITS = PLACES | {"for", "with", "inside", "within", "of", "over", "through", "via", "outside", "between"}
# Words of one group exclude one another about the same thing.
GROUPS = tuple(
    frozenset(map(stem, words(group)))
    for group in (
        "single double",
        "tab tabs space spaces",
        "default named",
        "relative absolute",
        "camelcase snakecase kebabcase pascalcase camel snake kebab pascal",
        "lowercase uppercase",
        "synchronous asynchronous sync async",
        "imperative past present",
        "required optional",
        "enabled disabled",
        "public private internal",
        "singular plural",
    )
)
LOOSE = frozenset({("be",), ("of a kind",), ("need",), ("requir",), ("tak",)})
"""Relations in which a thing may have several values: only numbers and words of one group exclude one another."""
NAMES_IN_S = words("postgres kubernetes jenkins aws dns kms sass windows macos ios rails express redis https css")


NUMBERS = frozenset(map(stem, words("one two three four five six seven eight nine ten")))


class Claim(NamedTuple):
    """What a statement claims, in stems. ``about`` ends with its head noun, ``limits`` are its scope's words."""

    about: tuple[str, ...]
    relation: tuple[str, ...]
    value: tuple[str, ...]
    limits: tuple[str, ...]
    denied: bool
    plural: bool

    @property
    def key(self) -> tuple[object, ...]:
        """What rivals have in common."""
        return self.about[-1], self.relation, self.limits


def rivals_of(fact: Remembered, others: Iterable[Remembered]) -> list[Remembered]:
    """The statements of the same owner that cannot hold together with ``fact``, the newest first. No dated rules."""
    if fact.until is not None:
        return []
    found = [
        other
        for other in others
        if other is not fact and other.until is None and other.owner == fact.owner and clash(fact.value, other.value)
    ]
    return sorted(found, key=lambda other: other.stated, reverse=True)


def clash(one: str, other: str) -> bool:
    """Whether two statements say values of the same thing that exclude one another."""
    mine, theirs = claim_of(one), claim_of(other)
    if mine is None or theirs is None or mine.key != theirs.key:
        return False
    if mine.about != theirs.about and not (
        set(mine.about) <= set(theirs.about) or set(theirs.about) <= set(mine.about)
    ):
        return False
    if mine.denied or theirs.denied:
        return mine.denied != theirs.denied and set(mine.about) == set(theirs.about) and mine.value == theirs.value
    return _exclude(mine, theirs)


@lru_cache(maxsize=8192)
def claim_of(statement: str) -> Claim | None:
    """The claim of a statement; None where it has no thing, no relation or no value, or holds at times only."""
    text = LEAD_IN.sub(" ", ASIDE.sub("", fold(statement)))
    if LIMITED.search(text):
        return None
    said = [word for word in WORD.findall(text) if word not in FILLER and not word.endswith(("n't", "n’t"))]
    parts = _parts(said)
    if parts is None:
        return None
    about, relation, value, limits = parts
    if not about or not value:
        return None
    plural = value[-1].isalpha() and value[-1].endswith("s") and value[-1] not in NAMES_IN_S
    return Claim(_stems(about), relation, _stems(value), _stems(limits), bool(DENIAL.search(text)), plural)


Parts = tuple[list[str], tuple[str, ...], list[str], list[str]]


def _parts(said: list[str]) -> Parts | None:
    """What the words are about, the relation, the value, the limits, by the first word that relates."""
    for at, word in enumerate(said):
        before, after = said[:at], said[at + 1 :]
        if stem(word) in USES:
            return _of_use(before, after)
        if word in COPULAS:
            verb = after[0] if after and stem(after[0]) in STATES else None
            return _of_state(before, stem(verb) if verb else "be", after[1:] if verb else after)
        if stem(word) in STATES:
            return _of_state(before, stem(word), after)
        if word == "with":
            value, limits = _until_limit(after)
            return before, ("use",), value, limits
    return None


def _of_use(before: list[str], after: list[str]) -> Parts:
    """ "dates use luxon", "use luxon for dates", "use single quotes"."""
    value, rest = _until_limit(after)
    purpose: list[str] = []
    if rest[:1] == ["for"]:
        purpose, rest = _until_limit(rest[1:])
    if before or purpose:
        return before + purpose, ("use",), value, rest
    if len(value) == 1 or stem(value[-1] if value else "") in GROUPS[1]:
        about = ["indent"] if value and stem(value[-1]) in GROUPS[1] else []
        return about, ("use",), value, rest
    return value[-1:], ("of a kind",), value[:-1], rest


def _of_state(before: list[str], verb: str, after: list[str]) -> Parts:
    """ "the cache lives in Oslo", "search runs redis 7", "write titles in the past tense", "names are short"."""
    if not before:  # an order: its object is the thing
        before, after = _until_limit(after)
        if after[:1] == ["with"]:
            value, limits = _until_limit(after[1:])
            return before, ("use",), value, limits
    if after[:1] and after[0] in PLACES:
        value, limits = _until_limit(after[1:])
        return before, (verb, after[0]), value, limits
    value, limits = _until_limit(after)
    return before, (verb,), value, limits


def _until_limit(said: list[str]) -> tuple[list[str], list[str]]:
    """The words in front of the first that begins a limit, and the rest."""
    at = next((i for i, word in enumerate(said) if word in LIMITS), len(said))
    return said[:at], said[at:]


def _exclude(one: Claim, other: Claim) -> bool:
    mine, theirs = one.value, other.value
    if mine == theirs:
        return False
    if _opposed(set(mine), set(theirs)):
        return True
    if len(mine) == len(theirs):
        apart = [pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]]
        if len(apart) == 1 and all(_is_number(word) for word in apart[0]):
            return True
    if one.relation in LOOSE or set(mine) <= set(theirs) or set(theirs) <= set(mine):
        return False
    if one.plural or other.plural:  # "tests use fixtures", "tests use factories": both may be
        return False
    return mine[-1].isdigit() == theirs[-1].isdigit()  # "port 9200" is no other value than "kubernetes"


def _is_number(word: str) -> bool:
    return word.isdigit() or word in NUMBERS


def _opposed(mine: set[str], theirs: set[str]) -> bool:
    return any(len(g & mine) == len(g & theirs) == 1 and g & mine != g & theirs for g in GROUPS)


def _stems(said: list[str]) -> tuple[str, ...]:
    """Stems in which a verb and its noun are one: "indent", "indentation"."""
    return tuple(re.sub(r"(?<=\w{4})ation$", "", stem(word)) for word in said)
