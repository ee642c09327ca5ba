"""What the request itself states for a type of fact: an instruction that names the value, no question and no mention.

Grammar over words: an imperative at the start of a clause, the thing that is asked about, the value in its place.
Where in doubt, the request states nothing, and the answer is looked for elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from afterpass.recall import request_targets, request_tools
from afterpass.recall.clauses import LEAD, SENTENCE_END, Found, instructions, is_plain
from afterpass.recall.wording import fold, stems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy.model import FactType

    Finder = Callable[[FactType, str, str], Iterator[Found]]


# What takes back the words before it: "from release-7, no wait, from release-8".
TAKEN_BACK = re.compile(
    r"[,;.!?–—-]*\s*\b(?:no,?\s+wait|wait,?\s+no|oh,?\s+wait|oops|(?:scrap|scratch|strike|forget|cancel|undo|ignore)\s+(?:that|this|it)"
    r"|(?:no,?\s+)?sorry,?\s+i\s+mea?nt?|i\s+mea?nt?|sorry|never\s?mind|correction|on\s+second\s+thoughts?|make\s+that|hold\s+on"
    r"|actually(?:,?\s+no)?|no,?\s+actually|or\s+rather|no,\s+rather)\b[,;:.!–—-]*\s*",
    re.IGNORECASE,
)


def stated_value(fact_type: FactType, subject: str, request: str) -> str | None:
    """The value that a request states for (type, subject), as it is written there, or None where it states none.

    Where the request takes words back, what comes after them counts, and completes them: "from release-8".
    """
    find = _FINDERS.get(fact_type.value)
    if find is None or not request.strip():
        return None
    first, *later = TAKEN_BACK.split(request)
    stated = _stated_in(find, fact_type, subject, first)
    for words in later:
        tries = (_stated_in(find, fact_type, subject, said) for said in [words, *_completed(words, stated)])
        stated = next((one for one in tries if one is not None), None)
    return None if stated is None else stated[1].value.strip()


def _stated_in(find: Finder, fact_type: FactType, subject: str, request: str) -> tuple[str, Found] | None:
    """The first sentence that states a value, and the value in it."""
    for sentence in instructions(request):
        for found in find(fact_type, subject, sentence):
            if is_plain(sentence, found):
                return sentence, found
    return None


def _completed(words: str, stated: tuple[str, Found] | None) -> Iterator[str]:
    """Words that correct a statement ("from release-8", "Kim"), put in the place of the value that they take back."""
    if stated is None:
        return
    sentence, found = stated
    at = sentence.find(found.value, found.start)
    before, behind = sentence[:at].rstrip("` "), sentence[at + len(found.value) : found.end]
    words = SENTENCE_END.split(words)[0].rstrip(" .!")
    for beginning in (before + " ", before.rpartition(" ")[0] + " ", ""):
        yield beginning + words
        yield beginning + words + behind


def _identifier(_type: FactType, subject: str, sentence: str) -> Iterator[Found]:
    """``use SHOP- as the jira key``, ``the jira key is SHOP-``, ``prefix it with GH-``."""
    value = r"`?(?P<value>(?=[^\s`]*[\d#_-]|(?-i:[A-Z]{2}))[^\s`,;!?]+)`?"
    wanted = stems(subject)
    patterns = (
        (rf"{LEAD}(?:use|put|take|write|set|add)\s+{value}\s+(?:as|for)\s+(?:the\s+|our\s+)?(?P<what>[\w\s-]+)", True),
        (rf"(?:^|[,;:]\s*|\b(?:the|our)\s+)(?P<what>[\w-]+(?:\s[\w-]+){{0,3}}?)\s+(?:is|=|should be)\s+{value}", True),
        (
            rf"(?:{LEAD}(?:use|add|put)|\b(?:with|under|using))\s+(?:the\s+)?(?P<what>[\w-]+(?:\s[\w-]+){{0,3}}?)\s+{value}",
            True,
        ),
        (rf"{LEAD}prefix\s+[\w\s]+?\s+with\s+{value}(?P<what>)", "prefix" in wanted),
    )
    for pattern, applies in patterns:
        for match in re.finditer(pattern, sentence, re.IGNORECASE) if applies else ():
            what = stems(match.group("what"))
            if not what or (
                wanted and (set(wanted) <= set(what) or (what[-1] == wanted[-1] and set(what) <= set(wanted)))
            ):
                yield Found(match.start("value"), match.end(), match.group("value").rstrip(".:"))


FORMATS = (
    r"tables?|(?:bullet(?:ed)?\s)?lists?|bullets?|bullet\spoints?|paragraphs?|sentences?|prose|lines?|words|json|yaml"
    r"|markdown|html|csv|diagrams?|german|english|french|spanish|portuguese|chinese|japanese|italian|dutch|snake_case"
    r"|camelcase|pascalcase|kebab-case|tabs|spaces|imperative(?:\smood)?|past\stense|present\stense|(?:lower|upper)\s?case"
)
FORM = re.compile(
    r"\b(?:as|in|with|using)\s+"
    rf"(?P<value>(?:(?:a|an|one|two|three|four|five|short|single|plain|simple|brief|\d+)\s+){{0,4}}(?:{FORMATS})\b)",
    re.IGNORECASE,
)


def _statement(_type: FactType, subject: str, sentence: str) -> Iterator[Found]:
    """A form that the asked topic is to have now ("summarise it as a table"), or a version it is said to run on."""
    wanted = stems(subject)
    if not wanted:
        return
    for match in FORM.finditer(sentence):
        if set(wanted) & set(stems(sentence[: match.start()])):
            yield Found(match.start(), match.end(), match.group("value"))
    thing = r"\s+".join(re.escape(word) for word in fold(subject).split())
    runs = (
        rf"(?:^\W*|[,;:]\s*)(?P<value>(?:(?:the|our)\s+)?{thing}\s+(?:is on|runs(?: on)?|moved to|is now(?: on)?|uses)"
        r"\s+[\w-]+\s?v?\d[\w.]*)"
    )
    for match in re.finditer(runs, sentence, re.IGNORECASE):
        yield Found(match.start("value"), match.end(), match.group("value"))


# A finder gives every place that fits, the best pattern first.
_FINDERS: dict[str, Finder] = {
    "manager": request_tools.manager,
    "command": request_tools.command,
    "ref": request_targets.ref,
    "person": request_targets.person,
    "path": request_targets.path,
    "identifier": _identifier,
    "statement": _statement,
}
