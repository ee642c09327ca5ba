"""What in a request is an instruction: its sentences without questions, doubts, negations and reports of others."""

from __future__ import annotations

import re
from typing import NamedTuple

from afterpass.recall.mentions import SAYING, own_words

SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")

# "Can you add zod with yarn?" asks politely and states; every other question states nothing.
POLITE = re.compile(
    r"^\W*(?:(?:hey|hi|ok|okay|also|and|then|so|now|great|thanks|please|pls)\W+)*"
    r"(?:(?:could|would|will) you\b|can you\b(?!\W+use\b))",
    re.IGNORECASE,
)

DOUBT = re.compile(
    r"\b(?:i think|i guess|i believe|i thought|i suppose|i assume|i(?:'m| am) (?:not sure|unsure)|not sure|unsure"
    r"|no idea|don'?t know|dunno|maybe|perhaps|probably|possibly|presumably|should (?:i|we|it|this)|shall|might|may be"
    r"|could be|was it|is it|isn'?t it|wasn'?t it|or|if|unless|whether|suppose|supposing|assuming|imagine|what about"
    r"|how about|used to|last time|the other day|yesterday|usually|normally|remember|wonder|either|whichever|whatever"
    r"|would (?:it|that|this)|i wish|we wish|hopefully)\b",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:not|never|no|don'?t|doesn'?t|didn'?t|won'?t|can'?t|cannot|shouldn'?t|without|instead of|rather than|stop"
    r"|avoid|anything but|except)\b",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:says?|said|told|claims?|claimed|reports?|reported|according to|thinks?|wants? to know|asks?|asked|wonders?"
    r"|recommends?|suggests?|suggested|wrote|writes)\b",
    re.IGNORECASE,
)
CLAUSE_START = re.compile(r"[,;:–—()]|\s-\s|\b(?:and|then|but|so|because|since|while)\b", re.IGNORECASE)

# Where an instruction may begin: the start of the sentence, of a clause, or after a word that leads into one.
LEAD = (
    r"(?:^\W*|[,;:–—]\s*|\b(?:and|then|but|so|please|pls|just|now|also|first|next|finally|ok|okay|sure|yes|you|"
    r"for (?:this|that)(?: one| time| once)?|this time|today|(?:want|need|like|have) (?:you )?to)[,:]?\s+)"
)


# "deploy staging from main failed", "ask Kim to review was bad advice": the words are a thing that is spoken about.
FAILURE = (
    r"fail(?:s|ed|ing|ure)?|broke|broken|breaks|crash(?:es|ed)?|hangs|hung|err(?:s|or|ors|ored)?|stopped|complain(?:s|ed)"
    r"|timed? ?out|times out|exit(?:s|ed)? (?:code|with|status)|aborted|refused|rejected"
)
FINITE = (
    rf"{FAILURE}|is|isn'?t|are|aren'?t|was|wasn'?t|were|weren'?t|has|hasn'?t|had|hadn'?t|does|doesn'?t|did|didn'?t|gives|gave"
    r"|took|takes|works|worked|looks|looked|seems|seemed|means|meant|produces|produced|ends|ended|results|resulted|keeps"
    r"|kept|makes|made|causes|caused|prints|printed|returns|returned|sounds|sounded|never|would|wouldn'?t|can'?t|cannot"
)
SPOKEN_ABOUT = re.compile(rf"\W*(?:(?:which|that|it|and|but|this)\s+)?(?:{FAILURE})\b", re.IGNORECASE)
PREDICATE = re.compile(
    r"(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bthis )(?<!\bit )(?<!\bthat )(?<!\bthey )(?<!\bwe )(?<!\byou )(?<!\bi )"
    rf"(?<!\bhe )(?<!\bshe )(?<!\bthere )(?<!\beverything )(?<!\bour )(?<!\bto )\b(?:{FINITE})\b(?![-/])",
    re.IGNORECASE,
)
CLAUSE_END = re.compile(
    r"[,;:–—()]|\s-\s|\b(?:and|then|but|so|because|since|while|that|which|who|whose|where|what|when|once|until|till|before"
    r"|after|if|as|how|why)\b",
    re.IGNORECASE,
)
SAID_AFTERWARDS = re.compile(rf"\b{SAYING}\b", re.IGNORECASE)

LONGEST = 1000
"""Characters; what runs on for longer is pasted text, no instruction."""


class Found(NamedTuple):
    """A value in a sentence: the clause that names it begins at ``start``, the words that do so end at ``end``."""

    start: int
    end: int
    value: str


def instructions(request: str) -> list[str]:
    """The sentences of a request that state something themselves, in their order."""
    sentences = (sentence.strip() for sentence in SENTENCE_END.split(own_words(request)))
    return [sentence for sentence in sentences if sentence and _states(sentence)]


def _states(sentence: str) -> bool:
    if len(sentence) > LONGEST:
        return False
    is_question = sentence.rstrip("\"')] ").endswith("?")
    return (not is_question or bool(POLITE.match(sentence))) and not DOUBT.search(sentence)


def is_plain(sentence: str, found: Found) -> bool:
    """Whether a value is asked for: nothing negates, quotes or reports it, and nothing tells how it went."""
    before, after = sentence[: found.start], sentence[found.end :]
    clause = before[max((match.end() for match in CLAUSE_START.finditer(before)), default=0) :]
    if NEGATED.search(clause) or REPORTED.search(clause):
        return False
    return not (_is_quoted(sentence, found) or _is_spoken_about(after))


def _is_quoted(sentence: str, found: Found) -> bool:
    """Whether quotation marks hold the instruction, and not the value alone."""
    before = sentence[: max(sentence.find(found.value, found.start), 0)].rstrip('"“`')
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”") or before.count("`") % 2 == 1


def _is_spoken_about(after: str) -> bool:
    """Whether the words behind a value make a statement of the instruction: "… failed", "… was bad advice"."""
    rest = CLAUSE_END.split(after, maxsplit=1)[0]
    return bool(SPOKEN_ABOUT.match(after) or PREDICATE.search(rest) or SAID_AFTERWARDS.search(after))
