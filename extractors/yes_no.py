"""A developer's short answer to the question about a stored value: yes, no, or no with another value.

Only an answer that can mean nothing else counts: "no, run the tests first" says nothing of a deploy target.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from extractors.questions import BAN, PERMITS, Sense
from transcripts.lazy import lazy

LONGEST_ANSWER = 12  # words of a bare no
NO = lazy(r"^\W*(?:no|nope|nah|not any ?(?:more|longer)|no longer|wrong|outdated|nein|non)\b", re.IGNORECASE)
KEEPS = lazy(
    r"^\W*(?:yes|yep|yeah|yup|correct|right|exactly|confirmed|still|ja|oui|s[ií]|sim|no changes?|unchanged"
    r"|nothing changed|(?:it|that|this)\s+(?:still\s+)?(?:does|holds|stands|applies|is(?=\W*$)))\b",
    re.IGNORECASE,
)
LIMITS = lazy(
    r"\b(?:but|except|unless|only|once|until|not|never|no longer|any ?more|for now|this time|today|gone|over|outdated"
    r"|old|obsolete|wrong|changed|moved|stale)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
WORDS = lazy(r"[^\W_]+(?:['’][^\W_]+)*")
TAKING_BACK = frozenset(  # what makes a no of words that could also affirm: "no, that is not right", "no, it is gone"
    """not nein longer anymore more doesn't isn't hasn't wasn't gone over old outdated date wrong obsolete stale dropped
    lifted removed changed moved""".split()
)
AFFIRMING = frozenset("true correct right valid current hold holds holding apply applies does is it's that's".split())
DENYING = (
    TAKING_BACK
    | AFFIRMING
    | frozenset(
        """no nope nah non any it its that this has have was been doing out of we we've they the rule ban value sorry
    thanks thank you since""".split()
    )
)
FREEING = frozenset("go ahead feel free to you can may edit touch change".split())  # of a path: it is no longer banned
KEEPING = frozenset(
    """no nope nah nein non not do don't please leave it that this alone still stays holds stands keep the ban rule
    sorry thanks thank you""".split()
)
LIFTING = frozenset(
    "yes yep yeah yup correct right exactly it it's is was that's the ban lifted dropped thanks".split()
)
INSTEAD = lazy(
    r"^[\s,.:;!–—-]*(?:(?:it|that|this)(?:['’]?s|\s+is)\s+|use\s+|now\s+|(?:only|just)\s+"
    r"|it\s+(?:has\s+)?(?:moved|changed)\s+to\s+|(?:we\s+)?(?:moved|changed|switched)\s+(?:it\s+)?to\s+"
    r"|make\s+it\s+)?(?:now\s+)?(?:only\s+|just\s+)?"
    r"(?:`(?P<code>[^`\n]+)`|[\"“](?P<quoted>[^\"”\n]+)[\"”]"
    r"|(?P<name>(?-i:[A-Z][\w.-]*\w(?: [A-Z][\w.-]*\w){1,2}))|(?P<word>[\w@./*#:-]*(?:[\w*/]|(?<=\w)-)))"
    r"(?:\s+(?:now|instead|these\s+days|since\s+[\w ]+))?\s*[.!]*\s*$",
    re.IGNORECASE,
)
NO_VALUE = frozenset(
    """it that this yes no idea sorry wait stop thanks please now gone not longer changed moved outdated wrong later
    never nothing nevermind nobody none neither both maybe first continue skip cancel hold ask don't dont need worries
    problem clue way deploy push run edit proceed ok okay fine nope true false unsure unclear yet either""".split()
)
DECLINES = lazy(r"^\W*(?:no|nope|nah)\W+(?:thanks|thank you)\W*$", re.IGNORECASE)


class Instead(NamedTuple):
    """A value that is said to hold in another's place, and whether it stands in quotes or back-ticks."""

    value: str
    is_quoted: bool


def instead(rest: str) -> Instead | None:
    """The one value that the words behind a yes or a no consist of ("it's develop now"), or None."""
    found = INSTEAD.match(rest)
    if found is None:
        return None
    value = next(filter(None, found.groups()))
    return None if value.casefold() in NO_VALUE else Instead(value, bool(found["code"] or found["quoted"]))


def value_after_no(words: str) -> str:
    """The value that an answer is made of besides its no; empty where it is made of something else."""
    no = NO.match(words)
    found = instead(words[no.end() :]) if no else None
    return found.value if found else ""


def says_of_ban(words: str, sense: Sense | None) -> bool | None:
    """Whether an answer says that the ban holds (True) or that it does not (False); None where neither is plain."""
    line, _, more = words.strip().partition("\n")
    if PERMITS.search(more) or BAN.search(more):
        return None
    if sense is Sense.HOLDS:
        if _keeps(line):
            return True
        return False if is_bare_no(line, ban=True) else None
    if sense in (Sense.LIFTED, Sense.LEAVE) and NO.match(line) and _is_made_of(BAN.sub(" ", line), KEEPING):
        return True if "do" not in _words(line) or "not" in _words(line) else None
    return False if sense is Sense.LIFTED and _is_made_of(line, LIFTING) else None


def _keeps(line: str) -> bool:
    """A yes that neither permits nor limits anything: "yes, still off limits", not "yes, go ahead"."""
    yes, rest = KEEPS.match(line), BAN.sub(" ", line)
    if yes is None or PERMITS.search(rest):
        return False
    return LIMITS.search(rest, yes.end() if rest.startswith(yes[0]) else 0) is None


def is_bare_no(words: str, *, ban: bool = False) -> bool:
    """Whether words only say that it does not hold, and nothing that may mean something else ("no, run it first")."""
    if not NO.match(words) or DECLINES.match(words):
        return False
    said = _words(words)
    if ban and said & FREEING - DENYING:
        return _is_made_of(words, (DENYING | FREEING) - TAKING_BACK)
    return _is_made_of(words, DENYING) and bool(said & TAKING_BACK or not said & AFFIRMING)


def _is_made_of(words: str, allowed: frozenset[str]) -> bool:
    said = _words(words)
    return bool(said) and len(words.split()) <= LONGEST_ANSWER and "?" not in words and allowed >= said


def _words(text: str) -> set[str]:
    return {word.casefold().replace("’", "'") for word in WORDS.findall(text)}
