"""Where sentences begin and end in what developers really type.

Full stops inside versions, paths, file names, URLs and code do not end a sentence; line breaks, list items and the
marks of other scripts may. A list item belongs to the line that introduces its list.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from transcripts.lazy import lazy

ENDS = lazy(
    r"(?<![.!?…؟।])(?P<mark>[.!?…؟।]++)(?P<close>[\"'”’»)\]*_`]*)(?=\s|$)"
    r"|(?P<wide>[。！？｡]+[」』”’）]*)"
    r"|(?P<lines>\n(?:[ \t\r]*\n)*)"
)
PROTECTED = lazy(r"`[^`\n]{1,400}`|\b[a-z][a-z0-9+.-]{1,20}://[^\s`<>\"]{1,2000}", re.IGNORECASE)
ITEM = lazy(r"[ \t]*(?:[-*•+‣–]|\(?[0-9]{1,3}[.)]|\(?[a-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?")
ABBREVIATION = lazy(
    r"(?:^|[\s(\"'])(?:e\.?g|i\.?e|vs|cf|ca|approx|resp|incl|excl|esp|fig|eq|dept|mr|mrs|ms|dr|prof|jr|sr|aka|a\.k\.a|w\.r\.t"
    r"|z\.?\s?b|d\.?\s?h|bzw|evtl|ggf|usw|p\.?\s?ej|p\.?\s?ex|[A-HJ-Z])$",
    re.IGNORECASE,
)
NUMBERED = lazy(r"(?:^|[\s(])(?:no|nr|num|min|max|sec|ver|v|approx)$", re.IGNORECASE)  # only before a number
CONTINUES = lazy(
    r"(?:and|but|or|nor|so|yet|until|till|unless|except|excepting|just|only|for|because|since|when|while|if|though|although|which|that"
    r"|who|with|without|to|in|on|at|from|by|of|as|than|then|instead|not|never|always|und|aber|oder|bis|nur|sondern|y|pero|hasta|solo"
    r"|et|mais|ou|jusqu)\b",
    re.IGNORECASE,
)
WRAPPED = 50  # a line at least this long that goes on in lower case was wrapped, not ended
LOOK_BACK = 24  # characters before a full stop that decide whether it ends an abbreviation


class Sentence(NamedTuple):
    """A sentence's half-open span in its text, and the span of the line that introduces its list, if any."""

    start: int
    end: int
    intro: tuple[int, int] | None = None


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order; white space and list marks at their edges are left out."""
    spans: list[tuple[int, int]] = []
    at = 0
    for cut, after in _cuts(text):
        if text[at:cut].strip():
            spans.append((at, cut))
        at = after
    if text[at:].strip():
        spans.append((at, len(text)))
    return _with_intros(text, spans)


def _cuts(text: str) -> list[tuple[int, int]]:
    """Where a sentence ends and where the next may begin."""
    shields = [(m.start(), m.end() - _trailing(m.group())) for m in PROTECTED.finditer(text)]
    cuts: list[tuple[int, int]] = []
    line_start = shield = 0
    for match in ENDS.finditer(text):
        start, end = match.span()
        while shield < len(shields) and shields[shield][1] <= start:
            shield += 1
        if shield < len(shields) and shields[shield][0] <= start < shields[shield][1]:
            continue
        if match["lines"] is not None:
            if _breaks(text, line_start, start, end, match["lines"].count("\n")):
                cuts.append((start, end))
            line_start = end
        elif match["wide"] is not None or _stops(text, line_start, match):
            cuts.append((end, end))
    return cuts


def _trailing(protected: str) -> int:
    return 0 if protected[0] == "`" else len(protected) - len(protected.rstrip(".,;:!?)'\""))


def _stops(text: str, line_start: int, match: re.Match[str]) -> bool:
    """Whether a mark followed by white space ends its sentence."""
    start, end = match.span()
    mark, before = match["mark"], text[max(line_start, start - LOOK_BACK) : start]
    following = text[end : end + 40].lstrip()
    goes_on = following[:1].islower() or (following[:1] and following[0] in ",;-–—")
    if "?" in mark or "!" in mark:
        return not (match["close"] and goes_on)
    if not before or before[-1].isspace() or before[-1] in "/\\":
        return False
    if end - line_start < LOOK_BACK and ITEM.fullmatch(text[line_start:end] + " "):
        return False
    if len(mark) > 1 or mark == "…":
        return not goes_on
    if before.casefold().endswith("etc"):
        return not goes_on
    if NUMBERED.search(before):
        return not following[:1].isdigit()
    return not ABBREVIATION.search(before)


def _breaks(text: str, line_start: int, start: int, end: int, newlines: int) -> bool:
    """Whether a line break ends a sentence."""
    if newlines > 1:
        return True
    ending = text[max(line_start, start - LOOK_BACK) : start].rstrip()
    following = text[end : end + 80]
    if ITEM.match(following):
        return True
    following = following.lstrip()
    if ending[-1:] in ",(–—:：" or CONTINUES.match(following):
        return False
    return not (following[:1].islower() and start - line_start >= WRAPPED)


def _with_intros(text: str, spans: list[tuple[int, int]]) -> list[Sentence]:
    """Spans trimmed, list items with the sentence that introduces their list."""
    sentences: list[Sentence] = []
    intro: tuple[int, int] | None = None
    in_list = False
    previous_end = 0
    for start, end in spans:
        gap = text[previous_end:start]
        at_line_start = start == 0 or "\n" in gap or text[start - 1] == "\n"
        marker = ITEM.match(text, start) if at_line_start else None
        if marker and not in_list:
            introduced = bool(sentences) and _introduces(text, sentences[-1], gap)
            intro = (sentences[-1].start, sentences[-1].end) if introduced else None
        in_list = bool(marker) or (in_list and not at_line_start)
        first = marker.end() if marker else start
        body = text[first:end]
        left = first + len(body) - len(body.lstrip())
        right = end - (len(body) - len(body.rstrip()))
        if left < right:
            sentences.append(Sentence(left, right, intro if in_list else None))
        previous_end = end
    return sentences


def _introduces(text: str, before: Sentence, gap: str) -> bool:
    """Whether the sentence before a list item introduces the list: a colon, or no full stop and no blank line."""
    last = text[before.end - 1]
    return last in ":：" or (last not in ".!?。！？" and gap.count("\n") <= 1)
