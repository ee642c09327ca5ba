"""What in a request is an instruction: its sentences without questions, doubts, negations and reports of others."""

from __future__ import annotations

import re

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


LONGEST = 1000
"""Characters; what runs on for longer is pasted text, no instruction."""


def instructions(request: str) -> list[str]:
    """The sentences of a request that state something themselves, in their order."""
    sentences = (sentence.strip() for sentence in SENTENCE_END.split(request))
    return [sentence for sentence in sentences if sentence and _states(sentence)]


def _states(sentence: str) -> bool:
    if len(sentence) > LONGEST:
        return False
    if sentence.lstrip().startswith(">"):
        return False  # quoted from somebody
    is_question = sentence.rstrip("\"')] ").endswith("?")
    return (not is_question or bool(POLITE.match(sentence))) and not DOUBT.search(sentence)


def is_plain(sentence: str, start: int) -> bool:
    """Whether the clause that leads up to ``start`` neither negates nor reports what follows."""
    before = sentence[:start]
    clause = before[max((match.end() for match in CLAUSE_START.finditer(before)), default=0) :]
    return not NEGATED.search(clause) and not REPORTED.search(clause)
