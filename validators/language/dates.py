"""Where a stated calendar date ends: enough to see that an end is named. What day it is, is found elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from validators.language.tokens import Tokens

_MONTHS = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio "
    "julio agosto septiembre octubre noviembre diciembre janvier février mars avril juin juillet août septembre "
    "octobre novembre décembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro".split()
)
_DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag "
    "dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo lundi "
    "mardi mercredi jeudi vendredi samedi dimanche segunda terça quarta quinta sexta tomorrow morgen mañana demain "
    "amanhã eow eom".split()
)
_PERIODS = frozenset(
    "day days week weeks month months quarter quarters year years weekend tag tage tagen woche wochen monat monate "
    "monats monaten jahr jahres día días semana semanas mes meses año jour jours semaine semaines mois dia dias mês "
    "ano".split()
)
_LEADS = frozenset(
    "the end of mid early late next this coming following on including der die das dem den ende anfang mitte zum "
    "nächsten nächster nächste kommenden el la los fin final finales de del próximo próxima que viene le les au du des "
    "prochain prochaine fim do da próxima o a".split()
)
_ANCHORS = frozenset(
    "next coming following end nächsten nächster nächste ende próximo próxima fin final fim prochain".split()
)
_EXACT = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{2}|\d{4}))?|q[1-4]|\d{1,2}(?:st|nd|rd|th|er|º|ª)?|kw\d\d?"
)
_FULL = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{2}|\d{4}))?|q[1-4]|\d{1,2}(?:st|nd|rd|th)|kw\d\d?"
)
_REACH = 8


def date_end(tokens: Tokens, at: int) -> int:
    """The end of the date that begins at this word, or ``at`` where none does.

    A date is an ISO or numeric day, a day of a month, a month, a week-day, "the end of May", "next week".
    """
    words = tokens.words
    end, found, anchored = at, False, False
    cjk = _cjk_end(words, at)
    if cjk > at:
        return cjk
    for i in range(at, min(at + _REACH, len(words))):
        word = words[i]
        if word in _MONTHS or word in _DAYS or _FULL.fullmatch(word) or (word in _PERIODS and anchored):
            found, end = True, i + 1
        elif word in _LEADS:
            anchored = anchored or word in _ANCHORS
        elif _EXACT.fullmatch(word) or (found and word.isdecimal() and len(word) == 4):
            end = i + 1 if found else end
        elif not (word == "," and found) and not (word == "." and i > at and words[i - 1].isdecimal()):
            break
    return end if found else at


def _cjk_end(words: list[str], at: int) -> int:
    """The end of a Chinese or Japanese date such as 7月15日 or 明天."""
    end, marked = at, False
    for i in range(at, min(at + 12, len(words))):
        if words[i].isdecimal() or words[i] in _CJK_PARTS:
            end, marked = i + 1, marked or words[i] in _CJK_MARKS
        else:
            break
    return end if marked else at


_CJK_MARKS = frozenset("月日号周曜末")
_CJK_PARTS = _CJK_MARKS | frozenset("年本下个来今明后天月底末星期一二三四五六火水木金土来週週間")
