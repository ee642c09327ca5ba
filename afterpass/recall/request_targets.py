"""What a request states about places and people: which branch, who reviews, which path is left alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from afterpass.recall.clauses import LEAD, Found
from afterpass.recall.paths import paths_in
from afterpass.recall.wording import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.model import FactType


def ref(fact_type: FactType, subject: str, sentence: str) -> Iterator[Found]:
    """``deploy staging from release-7``, ``push main to production``, ``use v* tags for production``."""
    names = _names_of(fact_type, subject)
    if not names:
        return
    place = rf"(?:the\s+)?(?:{'|'.join(re.escape(name) for name in names)})\b(?:\s+(?:environment|env|server|box))?"
    ref = r"(?:the\s+)?(?P<word>branch\s+|tag\s+)?`?(?P<value>[\w][\w./*-]*[\w*]|\w)`?(?P<after>\s+(?:branch|tags?))?"
    verbs = r"(?:re)?deploy|roll(?:\s?out)?|release|ship|push|promote|publish|send|take|bring|put|update"
    branch = r"(?:the\s+)?(?P<word>branch|tag)\s+`?(?P<value>[\w][\w./*-]*[\w*])`?(?P<after>)"
    source, other = r"(?P<from>from|off(?:\s+of)?|out\s+of)", r"(?:via|using|with|to|onto)"
    patterns = (
        rf"{LEAD}(?:{verbs})\b[^.;?!]{{0,60}}?\b{place}[^.;?!]{{0,30}}?\b(?:{source}|{other})\s+{ref}",
        rf"{LEAD}(?:{verbs})\b[^.;?!]{{0,40}}?\b(?:{source}|using)\s+{ref}\s+(?:to|onto|on|into)\s+{place}",
        rf"{LEAD}(?:{verbs})\s+{ref}\s+(?:out\s+)?(?:to|onto|on|into)\s+{place}",
        rf"{LEAD}use\s+{ref}\s+for\s+(?:the\s+)?{place}",
        rf"{LEAD}(?:use|take)\s+{branch}(?=\s*(?:$|[.,;!]|\b(?:for|please|pls|this|and|to)\b))",
    )
    for pattern in patterns:
        for match in re.finditer(pattern, sentence, re.IGNORECASE):
            value, groups = match.group("value").rstrip(".,"), match.groupdict()
            marked = bool(match.group("word") or match.group("after"))
            if fold(value) not in names and _is_ref(value, marked=marked, source=bool(groups.get("from"))):
                yield Found(match.start("value"), match.end(), value)


def _names_of(fact_type: FactType, subject: str) -> list[str]:
    group = next((group for group in fact_type.aliases if group[0] == subject), (subject,))
    return sorted((name for name in group if name), key=len, reverse=True)


TRUNKS = words("main master develop trunk head next stable")
BRANCH = re.compile(r"(?:release|hotfix|rc|spike)[-_/.]|.+/", re.IGNORECASE)


def _is_ref(value: str, *, marked: bool, source: bool) -> bool:
    """Whether a word is a branch, tag or host by its shape. A plain version or a ticket is neither.

    ``marked`` words stand beside "branch" or "tag", ``source`` ones after "from"; any other must look like a branch and
    like nothing else: "deploy search-api to staging" names a part of the project.
    """
    if re.fullmatch(r"[A-Z]+-\d+|#?\d+", value):
        return False
    if re.fullmatch(r"v?\d+(?:\.\d+)+", value):
        return marked
    if fold(value) in TRUNKS or BRANCH.match(value):
        return True
    return (marked or source) and bool(re.search(r"[\w*][-_/.*]|\d", value))


NOBODY = words(
    "i you we he she they it me us him her them someone somebody anyone anybody everyone everybody who whoever people "
    "nobody the a an this that these those claude codex gemini copilot bot please your my our their agent open"
)


def person(_type: FactType, _subject: str, sentence: str) -> Iterator[Found]:
    """``ask Sam to review``, ``get a review from @acme/infra``, ``assign Sam as reviewer``."""
    name = r"(?P<value>@[\w/.-]*\w|the [\w-]+ team|(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?|[a-z][\w'’-]+))"
    capital = r"(?P<value>@[\w/.-]*\w|the [\w-]+ team|(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?))"
    review = r"(?:a\s+|the\s+|it\s+)?(?:reviewer|review|sign-?off|approval|pr)\b"
    looking = r"(?:review|look at|take a look|have a look|check|approve|sign off)\b"
    patterns = (
        rf"{LEAD}(?:ask|have|get|let|tell|make)\s+{name}\s+(?:to\s+)?{looking}",
        rf"{LEAD}ask\s+{name}\s+for\s+{review}",
        rf"\b(?:i want|i(?:'d| would) like)\s+{capital}\s+to\s+{looking}",
        rf"{LEAD}(?:request|get|ask for|wait for|send it for)\s+{review}\s+(?:from|by|of)\s+{name}",
        rf"{LEAD}(?:request|get|wait for)\s+{capital}['’]s\s+{review}",
        rf"{LEAD}send\s+[^.;?!]{{0,60}}?\bto\s+{capital}\s+for\s+{review}",
        rf"{LEAD}(?:assign|add|tag|ping|put|set|request|cc|invite|make)\s+{name}\s+(?:in\s+|on\s+)?(?:as|for|on|to)"
        rf"\s+{review}",
        rf"\b(?:pr|pull request|review)\b[^.;?!]{{0,120}}?{LEAD}(?:assign|request|tag)\s+{capital}(?=\s*(?:$|[.,;!]))",
        rf"(?:^|[,;:]\s*|\bwith\s+|\band\s+){capital}\s+as\s+(?:the\s+|a\s+)?reviewer\b",
        rf"^\W*reviewers?:\s*{name}",
        rf"(?:^|[,;:]\s*|\band\s+){capital}\s+(?:reviews|will review|is reviewing|should review)\s+(?:this|it|that"
        r"|the)\b",
        rf"{LEAD}(?:get|have)\s+(?:it|this|that)\s+reviewed\s+by\s+{name}",
    )
    for pattern in patterns:
        for match in re.finditer(pattern, sentence, re.IGNORECASE):
            value = match.group("value")
            if fold(value).split()[0] not in NOBODY or re.match(r"the [\w-]+ team", value, re.IGNORECASE):
                yield Found(match.start(), match.end(), value)


HANDS_OFF = re.compile(
    r"(?:\b(?:don'?t|do not|never|without)\s+(?:touch|edit|chang|modify|open|alter)\w*|\bhands off|\bkeep|\bleave)\s+"
    r"(?P<rest>[^.;!?]*?[\w/*.-]+[^;!?\s]*)(?=\s+(?:alone|as\s|untouched|unchanged|out)|[,;!?]|\.?\s*$|\s+(?:and|but)\b)",
    re.IGNORECASE,
)


EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?:\s+for)?|but|besides|other\s+than|apart\s+from|aside\s+from|outside(?:\s+of)?|excluding|save\s+for"
    r"|unless)\s+",
    re.IGNORECASE,
)


def without_hands_off(request: str) -> str:
    """A request without what it says is to be left alone: those words touch nothing."""
    return HANDS_OFF.sub(lambda match: _but_for(match.group("rest")) or " ", request)


def _but_for(words: str) -> str:
    """What may be changed after all: "don't edit anything except legacy/a.js"."""
    exception = EXCEPT.search(words)
    return f" edit {words[exception.end() :]} " if exception else ""


def path(_type: FactType, _subject: str, sentence: str) -> Iterator[Found]:
    """``don't touch db/schema.sql``, ``leave gen/ alone``."""
    for match in HANDS_OFF.finditer(sentence):
        opening = match.group(0).casefold()
        if opening.startswith(("keep", "leave")) and not re.match(
            r"\s+(?:alone|as\s|untouched|unchanged|out)", sentence[match.end() :], re.IGNORECASE
        ):
            continue
        for path in paths_in(EXCEPT.split(match.group("rest"), maxsplit=1)[0])[:1]:
            yield Found(match.start(), match.end(), path)
