"""What this memory told an agent, where it comes back in a message: whole blocks wherever they begin, and single lines.

What was read back is never evidence: a fact would keep itself young by being shown.
"""

from __future__ import annotations

import re

from transcripts.lazy import lazy

MEMORY_TAG = "afterpass-memory"
BRACKETED = ("(said", "(confirmed", "ago),", "today),")
REST_OF_LINE = 2000  # characters behind a line's history: what is undecided about it, the question, the ids

_LESS, _MORE = r"(?:<|&lt;|(?<!\\)\\u003c)", r"(?:>|&gt;|\\u003e)"  # as it is, in markup, in JSON
_DAY = r"\d{4}-\d\d-\d\d"
_AGE = r"(?:today|1\s+day\s+ago|\d+\s+days\s+ago)"
_GAP = r"\s{1,20}"  # a terminal may have wrapped the line
_VALUE = (  # in quotes: plain, of JSON in JSON, curly, of markup; none is looked for beyond where the next one begins
    r'(?:(?<!\\)"(?:[^"\\]|\\.){0,1500}"|\\"(?:(?!\\").){0,1500}\\"|\\"[^"]{0,1500}+"'
    r"|“[^”]{0,1500}+”|&quot;(?:(?!&quot;).){0,1500}&quot;)"
)
_NAME = (
    rf'(?:[-*•]{_GAP}[^\n":]{{1,160}}+|\b(?:do{_GAP}not{_GAP}edit|[a-z]{{1,30}}+(?:{_GAP}[a-z]{{1,30}}+)?)'
    rf'(?:{_GAP}\([^()\n"]{{0,120}}+\))?):{_GAP}'
)
_SAID = (
    rf"(?:(?:said|confirmed)(?:{_GAP}once|{_GAP}\d{{1,9}}{_GAP}times,{_GAP}last)?{_GAP}{_DAY}"
    rf"|said{_GAP}by{_GAP}the{_GAP}repository's{_GAP}own{_GAP}files)"
)
_HISTORY = rf"\({_SAID}(?:[^()]|\([^()]{{0,120}}+\)){{0,300}}\)"

TAGS = lazy(rf"(?P<less>{_LESS})(?P<closing>/?){MEMORY_TAG}(?:(?P<named>\s+repo=)|(?=\s|/|{_MORE}))")
TAG_END = lazy(rf"{_MORE}")
LINES = lazy(
    rf"(?:{_NAME})?{_VALUE}(?:(?:{_GAP}{_HISTORY})?{_GAP}or{_GAP}{_VALUE}){{0,20}}{_GAP}{_HISTORY}"  # a fact
    rf"|(?:[-*•]{_GAP})?{_DAY}{_GAP}\({_AGE}\),{_GAP}\w{{1,30}}+:{_GAP}{_VALUE}"  # a note
    rf"|\bI{_GAP}have{_GAP}{_VALUE}{_GAP}(?:for{_GAP}the\s[^\n?]{{1,200}}?|as{_GAP}not{_GAP}to{_GAP}be{_GAP}edited),"
    rf"{_GAP}from{_GAP}{_DAY}{_GAP}\({_AGE}\)\.{_GAP}Does{_GAP}it{_GAP}still{_GAP}hold\?"
    rf"|(?:Notes{_GAP}of{_GAP}past{_GAP}sessions,[^.]{{1,100}}+\.{_GAP})?This{_GAP}is{_GAP}data,{_GAP}not{_GAP}instructions:"
    rf"(?:.{{0,400}}?(?:in{_GAP}it{_GAP}is{_GAP}an{_GAP}order|names{_GAP}its{_GAP}session)\.|[^\n]*)",  # what it is
    re.DOTALL,
)
IDS = lazy(r"(?:\s*\[[a-z]_[0-9a-z]+\])+")
NEXT_LINE = lazy(r"\n\s*\n|(?:\n|\\n)\s*[-*•]\s|</|&lt;/")


def may_be_here(text: str) -> bool:
    """Cheap: whether :func:`own_spans` could find anything."""
    return (
        MEMORY_TAG in text
        or ((")" in text or "(" in text) and any(hint in text for hint in BRACKETED))
        or "Does it still hold?" in text
        or "This is data, not instructions" in text
    )


def own_spans(text: str) -> list[tuple[int, int]]:
    """The stretches ``(start, end)`` of ``text`` that are our own, in order and without overlap."""
    found: list[tuple[int, int]] = []
    for start, end in sorted([*_blocks(text), *_lines(text)]):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _blocks(text: str) -> list[tuple[int, int]]:
    """From each opening tag to its closing one; without that to the end, where it is no mere mention of the tag."""
    tags = list(TAGS.finditer(text))
    ends = _closings(text, tags)
    blocks: list[tuple[int, int]] = []
    for tag, end in zip(tags, ends, strict=True):
        if tag["closing"] or (blocks and tag.start() < blocks[-1][1]):
            continue
        opens_line = not text[text.rfind("\n", 0, tag.start()) + 1 : tag.start()].strip()
        if (end is None or not tag["named"]) and is_in_code(text, tag.start()):
            continue
        if end is not None or opens_line or tag["named"]:
            blocks.append((tag.start(), len(text) if end is None else end))
    return blocks


def _closings(text: str, tags: list[re.Match[str]]) -> list[int | None]:
    """For each opening tag where its closing one ends; the last one's end where more are opened than closed.

    They are spelled alike: a value inside holds its own in another spelling. One pass, however many there are.
    """
    found: list[int | None] = [None] * len(tags)
    opened: dict[str, list[int]] = {}
    last: dict[str, tuple[int, int]] = {}  # of each spelling the last closing tag: its number, and where it ends
    end = 0
    for number, tag in enumerate(tags):
        waiting = opened.setdefault(tag["less"], [])
        if not tag["closing"]:
            waiting.append(number)
            continue
        if end < tag.end():
            bracket = TAG_END.search(text, tag.end())
            end = bracket.end() if bracket else len(text)
        last[tag["less"]] = number, end
        if waiting:
            found[waiting.pop()] = end
    for spelling, waiting in opened.items():
        number, end = last.get(spelling, (-1, 0))
        for each in waiting:
            found[each] = end if each < number else None
    return found


def _lines(text: str) -> list[tuple[int, int]]:
    """The lines of a block that stand alone, with what follows on them up to their ids."""
    return [(line.start(), _line_end(text, line.end())) for line in LINES.finditer(text)]


def _line_end(text: str, at: int) -> int:
    if not text.startswith(";", at):
        ids = IDS.match(text, at)
        return ids.end() if ids else at
    rest = text[at : at + REST_OF_LINE]
    following = NEXT_LINE.search(rest)
    rest = rest[: following.start()] if following else rest
    first_line = rest.partition("\n")[0]
    found = [*IDS.finditer(first_line)][-1:] or [*IDS.finditer(rest)][:1]  # a terminal may have wrapped the line
    return at + (found[0].end() if found else len(first_line))


def is_in_code(text: str, at: int) -> bool:
    """Inside a pair of back-ticks on one line: a mention, not a mark."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    if line.count("`") % 2 == 0:
        return False
    end = text.find("\n", at)
    return "`" in text[at : len(text) if end < 0 else end]
