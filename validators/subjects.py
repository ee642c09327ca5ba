"""Which slot a candidate is about: its subject under one name, filled from the sentence where it was left empty."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from policy.model import FactType, SubjectRule
from transcripts.lazy import lazy
from validators.fold import fold_value
from validators.values.words import FUNCTION_WORDS, begins_name, ends_name, unpunctuated

MOST_WORDS = 4  # of a subject that is read from a sentence
TOPIC_WORDS = 3
AT_MOST = 2000  # characters of a sentence that are searched for a subject

# Nouns that say what kind of thing a subject is, not which one: "the billing service" is "billing".
GENERIC = frozenset(
    """the a an our my this that these those package packages service services module modules app apps application
    repo repository env environment environments project tests test testing reviews review reviewer reviewers code
    area areas team part folder directory component components side layer for of in on command commands rule rules
    deploy deploys deployment deployments target targets pr prs pull request requests change changes stuff
    things everything anything all it""".split()
)
# Words at which a subject that is read from a sentence ends.
STOPS = FUNCTION_WORDS | frozenset(
    """go goes going need needs get gets comes come live lives deploys deploy deployed ships review reviews reviewed
    reviewer reviewers approve approval approvals now today tomorrow still currently belongs belong moved move runs
    run uses here there me us him her them anything everything something nothing everyone people stuff things prs pr
    mrs mr pull merge request requests question answer sake example instance good ever once while
    settled official""".split()
)
AMBIGUOUS = frozenset({"live", "dev", "stage", "test", "web", "node", "ts", "js", "py", "docs"})  # everyday words, too
# "in the api package": a part of the project that is named as one. An empty subject is the whole project otherwise.
PART = lazy(
    r"\b(?:in|inside|within|for)\s(?:the|our)\s(?P<x>[\w./@-]{2,40})\s"
    r"(?:package|workspace|module|service|app|crate|subproject|sub-project|backend|frontend|folder|directory|side)\b"
)
# "For the uploader, tests are …": what a sentence about commands begins with is a part of the project, too.
FRAME = lazy(r"^(?:and\s|also\s|btw,?\s|note:?\s|fyi:?\s)?(?:for|in|inside)\s(?:the|our)\s(?P<x>[\w./@-]{2,40}),")
NO_PARTS = frozenset(
    """record moment time future rest sake meantime past end beginning long short last first next most whole same other
    second log logs morning evening afternoon background meanwhile case win curious context interim project codebase
    monorepo""".split()
)
JOINING = frozenset({"and", "or", "&", "und", "y", "et"})
X = r"(?P<x>[\w./@+-]{1,40}(?:\s[\w./@+-]{1,40}){0,3})"
LEAD = r"(?:the\s|our\s|all\s|any\s|every\s|all\sthe\s|my\s)?"
PATTERNS: dict[str, tuple[re.Pattern[str], ...]] = {
    "person": tuple(
        lazy(pattern)
        for pattern in (
            rf"\b(?:reviews?|approvals?|sign-?offs?|prs?|mrs?|pull requests|merge requests|changes|anything"
            rf"|everything|code|stuff|patches|diffs|questions)"
            rf"\s(?:for|in|on|of|under|touching|to|about|that touch(?:es)?|from|around|inside|within)\s{LEAD}{X}",
            rf"(?:^|[,:;(]\s?|\b(?:that|and|so|ok|btw|now|on|well)\s){LEAD}{X}\s(?:reviews?|prs?|mrs?"
            rf"|pull requests|changes|code)\s"
            r"(?:go|goes|always|are|is|need|needs|must|should|get|gets|belong|belongs|land|lands|come|comes|have|has)\b",
            rf"\bwho\s(?:reviews|approves|owns)\s{LEAD}{X}",
            rf"\b(?:reviews|approves|owns|review|approve|signs off on|looks after|is responsible for"
            rf"|takes care of|handles)\s{LEAD}{X}",
            rf"(?:^|[,:;]\s?)for\s{LEAD}{X}\s?(?:,|ask\b|it's\b|it is\b|the reviewer\b|always\b|please\b|ping\b)",
            rf"\breviewers?\s(?:for|of|on|in)\s{LEAD}{X}",
            rf"\babout\s{LEAD}{X}\s(?:changes|reviews?|prs?|mrs?|code|questions|patches)\b",
            rf"^{LEAD}{X}(?::\s|\s(?=(?:reviews?|prs?|mrs?)\b))",
            rf"(?:^|[,:;]\s?){LEAD}{X}\s(?:is|are|gets?|goes|always goes|should be)\s(?:always\s)?(?:reviewed"
            rf"|approved|to)\b",
        )
    ),
    "ref": tuple(
        lazy(pattern)
        for pattern in (
            rf"\b(?:deploy|deploys|deployed|ship|ships|release|releases|push|roll out)\s{LEAD}{X}\s(?:from|to"
            rf"|on|onto|off|via|with|only|out)\b",
            rf"(?:^|[,:;]\s?|\b(?:that|and|so|btw)\s){LEAD}{X}\s(?:always\s|now\s)?(?:deploys?|is deployed"
            rf"|ships|is shipped|is released|goes to|moved to|lives)\b",
            rf"^{LEAD}{X}\s(?:is|runs|sits|points|always)\b",
        )
    ),
    "identifier": tuple(
        lazy(pattern)
        for pattern in (
            rf"(?:^|[,:;]\s?|\b(?:our|the|my)\s){X}\s(?:is|are|=|starts?\swith|begins?\swith|looks?\slike|reads|always|has\sbeen|must\sstart)\b",
            rf"\bfor\s{LEAD}{X}",
        )
    ),
    "statement": tuple(
        lazy(pattern)
        for pattern in (
            rf"(?:^|[,:;]\s?|\b(?:that|btw|and|so)\s)(?:the\s|our\s|my\s){X}\s(?:runs?|is|are|uses?|lives?|moved|has|listens|sits|needs?|talks|belongs|speaks"
            r"|requires?|was|stays?|goes|expects|sends|reads|writes|exposes|answers|stores|holds|keeps|depends|always|only|still|now)\b",
            rf"^{X}\s(?:runs?\son|is\son|is\sowned|lives|moved|listens|sits|belongs|uses)\b",
        )
    ),
}


def final_subject(
    fact_type: FactType, given: str, *, sentence: str, quote: str, value: str, known: Sequence[str] = ()
) -> str:
    """The canonical subject of a candidate; empty where its type has none or nobody says which.

    ``known`` are the canonical subjects of the slots that hold a fact of the type. A given subject that is no known one
    but plainly means exactly one of them is that one.
    """
    if fact_type.subject is SubjectRule.NONE:
        return ""
    named = fact_type.canonical_subject(unpunctuated(given))
    if named:
        return _known_by_other_words(named, known) or named
    if fact_type.subject is SubjectRule.OPTIONAL:
        return fact_type.canonical_subject(_part(fold_value(sentence[:AT_MOST]), fold_value(value)))
    if fact_type.subject is SubjectRule.TOPIC:
        mentioned = _mentioned(known, fold_value(value))
        return mentioned[0] if len(mentioned) == 1 else topic(value or sentence)
    for text in dict.fromkeys((fold_value(quote), fold_value(sentence[:AT_MOST]))):
        found = _stated(fact_type, text, fold_value(value), known)
        if found:
            return _known_by_other_words(found, known) or found
    return ""


def mentioned_subjects(fact_type: FactType, sentence: str, known: Iterable[str]) -> list[str]:
    """The known subjects that a sentence names."""
    return _mentioned([s for s in known if s], fold_value(sentence[:AT_MOST]), fact_type)


def topic(statement: str) -> str:
    """A topic from a statement's own words: the same words give the same topic."""
    words = [word.rstrip(".'/-") for word in re.findall(r"[^\W_][\w'./-]*", fold_value(statement)[:AT_MOST])]
    telling = [
        w
        for w in words
        if w not in FUNCTION_WORDS and w not in ("want", "prefer", "like", "keep", "put", "write", "now")
    ]
    return " ".join((telling or words)[:TOPIC_WORDS])


def _part(sentence: str, value: str) -> str:
    """The part of the project that the sentence names in front of the value, in the value's own clause; else empty."""
    part = FRAME.search(sentence) or PART.search(sentence)
    at = sentence.find(value, part.end()) if part and value else -1
    if part is None or at < 0 or any(mark in sentence[part.end() : at] for mark in ",;:"):
        return ""
    return "" if part["x"] in STOPS | GENERIC | NO_PARTS else part["x"]


def _stated(fact_type: FactType, text: str, value: str, known: Sequence[str]) -> str:
    """The one subject that a text names, or empty."""
    named = {s for s in _mentioned(known, text, fact_type) if s and s not in value.split()}
    named |= {
        group[0] for group in fact_type.aliases for name in group if name not in value.split() and _names(name, text)
    }
    parsed = {fact_type.canonical_subject(s) for s in _parsed(fact_type.value, text, value)}
    parsed = {_known_by_other_words(s, known) or s for s in parsed}
    preferred = (parsed & named, named, parsed) if fact_type.value == "ref" else (parsed & named, parsed, named)
    return next((next(iter(found)) for found in preferred if len(found) == 1), "")


def _parsed(value_kind: str, text: str, value: str) -> Iterable[str]:
    value_words = set(value.split())
    for pattern in PATTERNS.get(value_kind, ()):
        for match in pattern.finditer(text):
            subject = _phrase(match["x"], value_words if value_kind != "statement" else set(), value_kind)
            if subject:
                yield subject


def _phrase(words: str, value_words: set[str], value_kind: str) -> str:
    """The words up to the first that no subject holds; empty if they only name a kind of thing."""
    kept: list[str] = []
    for raw in words.split()[: MOST_WORDS + 1]:
        word = raw.strip(".,;:")
        if word in ("the", "our", "all", "any", "every", "a") and not kept:
            continue
        if word in JOINING and kept:
            return ""  # two are named at once
        if word in value_words and kept and value_kind == "person":
            return ""  # "ping Tom for reviews": the words before a name name no area
        if word in STOPS or word in value_words or not word:
            break
        kept.append(word)
        if raw != word:
            break
    while len(kept) > 1 and kept[-1] in GENERIC:
        kept.pop()
    return "" if not kept or (len(kept) == 1 and kept[0] in GENERIC) else " ".join(kept)


def _names(name: str, text: str) -> bool:
    """Whether a text names an alias; an everyday word must stand where a name stands."""
    if name in AMBIGUOUS:
        return bool(
            re.search(
                rf"\b(?:to|on|from|for|in|of|push|ship|deploy|release)\s(?:the\s)?{name}\b|\b{name}\s(?:deploys?|env|goes|runs|is\sdeployed|ships|moved)\b",
                text,
            )
        )
    return _stands(name, text)


def _stands(name: str, text: str) -> bool:
    at = text.find(name)
    while at >= 0:
        if begins_name(text, at) and ends_name(text, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False


def _mentioned(known: Iterable[str], text: str, fact_type: FactType | None = None) -> list[str]:
    """The known subjects whose names, or whose telling words in a row, a text holds."""
    words = {_stem(w) for w in re.findall(r"[\w'./+-]+", text)}
    found = []
    for subject in dict.fromkeys(known):
        names = [subject, *next((g for g in fact_type.aliases if g[0] == subject), ())] if fact_type else [subject]
        if any(_stands(name, text) for name in names if name) or (_key(subject) and _key(subject) <= words):
            found.append(subject)
    return found


def _known_by_other_words(subject: str, known: Sequence[str]) -> str:
    """The one known subject that a differently worded one means, or empty."""
    if subject in known:
        return subject
    key = _key(subject)
    same = [k for k in dict.fromkeys(known) if k and _key(k) == key]
    return same[0] if len(same) == 1 else ""


@lru_cache(maxsize=2048)
def _key(subject: str) -> frozenset[str]:
    """A subject's telling words, in the singular."""
    words = [_stem(w) for w in re.findall(r"[\w'./+]+", subject.casefold())]
    telling = frozenset(w for w in words if w not in GENERIC)
    return telling or frozenset(words)


def _stem(word: str) -> str:
    word = word.strip(".,;:'")
    if word.endswith("'s"):
        return word[:-2]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
