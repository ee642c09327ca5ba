"""Mail, chat and review pages: prose of another person, in which no line looks like a machine's."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from transcripts.lines import listed
from transcripts.machine import Kind, own_voice

if TYPE_CHECKING:
    from transcripts.lines import Line


_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
# Lines above another person's words. What follows is prose, so no later line betrays it.
_SOMEBODY_ELSE = (
    r"(?:On|Am|Le|El|Em|Il|Op|Den) .{6,140}\b(?:wrote|schrieb|a \u00e9crit|escribi\u00f3|escreveu|ha scritto|schreef)\b"
    r"[^\n:]{0,60}:\s*$|.{4,80}\u5199\u9053[:\uff1a]\s*$",
    r"-{2,}\s*(?:Original|Forwarded) [Mm]essage|Begin forwarded message:",
    r"\S[^\n]{0,60}\b(?:commented|reviewed|requested changes|approved these changes)(?: on this pull request)?\b"
    r"[^\n]{0,20}\b(?:ago|yesterday|last (?:week|month)|on [A-Z][a-z]{2,8} \d{1,2})\b",
    r"\S[^\n]{0,40}\b(?:left|added) a comment(?:\s*[(\u00b7\u2013\u2014-]\s*\S|\s*$)",
    r"\S[^\n]{0,40}\s(?:@[\w.-]+\s+)?[\u00b7\u2022]\s(?:\d+|an?) \w+ ago\b",
    r"(?:answered|asked|edited) (?:[A-Z][a-z]{2} \d{1,2}\b|\d+ \w+ ago)[^\n]{0,20}$",
    # chats: a name with a time, or the reverse
    r"\S[^\n]{0,40} [\u2014\u2013] (?:Today|Yesterday|Heute|Gestern|Aujourd'hui|Hier|Hoy|Ayer|" + _DAY + r")"
    r"(?: \w{1,3}){0,2},? \d{1,2}:\d\d[^\n]{0,5}$",
    r"\S[^\n]{0,40}\s\[(?:" + _DAY + r",? )?\d{1,2}:\d\d(?:\s?[AaPp][Mm])?\]\s*$",
    r"\[(?:Today|Yesterday|[A-Z]\w+day|" + _DAY + r"),? \d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?\] \S",
    _DAY + r",? \d{1,2}:\d\d(?:\s?[AaPp]\.?[Mm]\.?)? [\u2013-] \S[^\n]{0,40}: ",
    r"(?:[A-Z][\w.'-]+ ){0,2}[A-Z][\w.'-]+\s{2,3}\d{1,2}:\d\d(?:\s?[AaPp]\.?[Mm]\.?)?\s*$",
    r"\[\d{1,2}:\d\d(?:\s?[AaPp][Mm])?\] \S+.{0,30}: ",
    r"\s*\[?\d{1,2}:\d\d\s?[AaPp][Mm]\]?\s*$",
    r"(?:\d+|an?) (?:second|minute|hour|day|week|month|year)s? ago\s*$",
    r"In `?@?[\w./-]+`? (?:around|at|on) lines? \d+|Verify each finding against|(?:Inline|Outside diff) comments:",
    r"Comment on lines? [+R-]?\d+|Resolve conversation\s*$|[\w-]+\[bot\]",
    r"(?:coderabbitai|github-actions|copilot|dependabot|cursor|greptile-apps|sonarqubecloud)\b.{0,12}\bbot\b",
    r"_?\W{0,3}(?:Potential issue|Refactor suggestion|Nitpick comments?|Actionable comments posted)\b",
)


@cache
def somebody_else() -> re.Pattern[str]:
    """Lines above another person's words: of mail, chats and review pages."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in _SOMEBODY_ELSE))


_PEOPLE = "User|Human|You|Me|Developer|user|human"
_AGENTS = r"Assistant|AI|Agent|Claude(?: Code)?|ChatGPT|GPT(?:-\d\w*)?|Codex|Cursor|Copilot|Gemini|assistant|agent|A"


_NEAR = 80  # lines that a single answer may take


@cache
def _speaker() -> re.Pattern[str]:
    """The label above or before what somebody said in a talk with an agent."""
    return re.compile(
        rf"(?:_?\*\*|#{{1,4}} )?(?:(?P<person>{_PEOPLE})|{_AGENTS})(?: said)?(?: \([^()\n]*\))?"
        r"(?::?\*\*_?:?|:)(?=\s|$)"
    )


def talk_until(lines: list[Line], at: int) -> int:
    """How far a talk of a person with an agent reaches at least, where it was copied as a whole; -1 where none begins.

    A label of the one stands here, and near it one of the other. Below the last label at least a paragraph is theirs.
    """
    label = _speaker().match(lines[at].text)
    if label is None:
        return -1
    near = (_speaker().match(line.text) for line in lines[at + 1 : at + _NEAR])
    if not any(other and bool(other["person"]) != bool(label["person"]) for other in near):
        return -1
    last = next(index for index in range(len(lines) - 1, at, -1) if _speaker().match(lines[index].text))
    if _speaker().fullmatch(lines[last].text.rstrip()):  # alone on its line: the words stand below it
        while last + 1 < len(lines) and lines[last + 1].kind is Kind.BLANK:
            last += 1
    while last + 1 < len(lines) and lines[last + 1].kind is not Kind.BLANK:
        last += 1
    return last


@cache
def _mail_header() -> re.Pattern[str]:
    who = (
        "From|To|Cc|Bcc|Reply-To|Von|An|De|Para|\u00c0|Da|Van|Aan"
        "|\u53d1\u4ef6\u4eba|\u6536\u4ef6\u4eba|\u5dee\u51fa\u4eba|\u5b9b\u5148"
    )
    what = "Subject|Betreff|Objet|Asunto|Assunto|Oggetto|Onderwerp|\u4e3b\u9898|\u4ef6\u540d"
    when = (
        "Date|Sent|Gesendet|Datum|Envoy\u00e9|Enviado|Fecha|Data|Inviato|Verzonden"
        "|\u53d1\u9001\u65f6\u95f4|\u65e5\u671f|\u9001\u4fe1\u65e5\u6642"
    )
    colon = r"\s?[:\uff1a] ?"
    return re.compile(
        rf"(?:{who}){colon}.*[@<]|(?:From|To): [A-Z]\w+ [A-Z]\w+\s*$|(?:{what}){colon}\S|(?:{when}){colon}.*\d"
    )


def is_mail(lines: list[Line], at: int) -> bool:
    """Two header lines within four."""
    header = _mail_header()
    if not header.match(lines[at].text):
        return False
    if at == 0 and lines[0].text.startswith("Subject: ") and len(lines) > 1 and lines[1].kind is Kind.BLANK:
        return True
    return any(header.match(line.text) for line in lines[at + 1 : at + 4])


@cache
def _to_agent() -> re.Pattern[str]:
    return re.compile(
        r"[a-z]|(?:Can|Could) you|Please (?:fix|address|apply|handle|look|check|reply)\b[^\n]{0,30}"
        r"\b(?:this|these|that|it|above)\b"
        r"|What do you think|Fix (?:this|these|that|it)\b|Address (?:this|these|that)\b|Is (?:this|that) "
    )


def last_of_theirs(lines: list[Line], at: int) -> int:
    """The last line of another person's words: all that follows, but for closing paragraphs that speak to the agent."""
    last = len(lines) - 1
    end = last
    while True:
        while last > at and lines[last].kind is Kind.BLANK:
            last -= 1
        first = last
        while first > at and lines[first - 1].kind is not Kind.BLANK:
            first -= 1
        words = lines[first].text
        theirs = last - first > 2 or not own_voice(words) or listed(words) or not _to_agent().match(words)
        if first <= at or theirs:
            return max(at, min(last, end))
        last = end = first - 1
