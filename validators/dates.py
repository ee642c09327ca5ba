"""The day on which a dated rule ends, read from the words that state it."""

from __future__ import annotations

import re
from datetime import date, timedelta

from transcripts.lazy import lazy

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("jan", "january", "januar", "janvier", "enero"),
            ("feb", "february", "februar", "février", "febrero"),
            ("mar", "march", "märz", "mars", "marzo"),
            ("apr", "april", "avril", "abril"),
            ("may", "mai", "mayo"),
            ("jun", "june", "juni", "juin", "junio"),
            ("jul", "july", "juli", "juillet", "julio"),
            ("aug", "august", "août", "agosto"),
            ("sep", "sept", "september", "septembre", "septiembre"),
            ("oct", "october", "oktober", "octobre", "octubre"),
            ("nov", "november", "novembre", "noviembre"),
            ("dec", "december", "dezember", "décembre", "diciembre"),
        ),
        start=1,
    )
    for name in names
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon", "montag", "lundi", "lunes"),
            ("tuesday", "tue", "tues", "dienstag", "mardi", "martes"),
            ("wednesday", "wed", "mittwoch", "mercredi", "miércoles"),
            ("thursday", "thu", "thur", "thurs", "donnerstag", "jeudi", "jueves"),
            ("friday", "fri", "freitag", "vendredi", "viernes"),
            ("saturday", "sat", "samstag", "samedi", "sábado"),
            ("sunday", "sun", "sonntag", "dimanche", "domingo"),
        )
    )
    for name in names
}
ISO = lazy(r"\b(20[0-9]{2})[-/.](0?[1-9]|1[0-2])[-/.](0?[1-9]|[12][0-9]|3[01])\b")
DOTTED = lazy(r"\b(0?[1-9]|[12][0-9]|3[01])\.\s?(0?[1-9]|1[0-2])\.(?:\s?(20[0-9]{2}))?")
CJK = lazy(r"(?:(20[0-9]{2})年)?\s?(1[0-2]|0?[1-9])月\s?(3[01]|[12][0-9]|0?[1-9])[日号號]")
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
DAY_MONTH = lazy(
    rf"\b([0-9]{{1,2}})(?:st|nd|rd|th|\.|er)?\s(?:of\s|de\s)?({_MONTH})\b\.?,?(?:\s(?:de\s)?(20[0-9]{{2}}))?"
)
MONTH_DAY = lazy(rf"\b({_MONTH})\.?\s(?:the\s)?([0-9]{{1,2}})(?:st|nd|rd|th)?\b,?(?:\s(20[0-9]{{2}}))?")
END_OF_MONTH = lazy(rf"\b(?:end of|ende|fin de|finales de)\s(?:the\s)?({_MONTH})\b(?:\s(20[0-9]{{2}}))?")
END_OF = lazy(r"\b(?:the\s)?end of (?:the\s|this\s)?(week|month|year|quarter)\b")
WEEKDAY = lazy(r"\b(next\s)?(" + "|".join(sorted(WEEKDAYS, key=len, reverse=True)) + r")\b")
NUMBERS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
} | {"a": 1, "an": 1, "another": 1, "couple of": 2}
MONTH = lazy(rf"\b({_MONTH})\b(?:\s(20[0-9]{{2}}))?")
NEXT = lazy(r"\bnext (week|month|quarter|half|year)\b")
SPAN = lazy(
    r"\bfor (?:the )?(?:next |another )?(?:([0-9]{1,2}|"
    + "|".join(NUMBERS)
    + r")\s)?(?:more\s)?(day|week|month|quarter)s?\b"
)
AT_MOST = 400  # characters of the words that state an end


def stated_end(text: str, said: date) -> date | None:
    """The last day that a phrase such as "until 15 July" names, seen from the day on which it was said; None if
    unclear.

    A day without its year is the next one of that name.
    """
    low = " ".join(text[:AT_MOST].casefold().split())
    for pattern, order in ((ISO, "ymd"), (DAY_MONTH, "dmy"), (MONTH_DAY, "mdy"), (DOTTED, "dmy"), (CJK, "ymd")):
        match = pattern.search(low)
        if match:
            return _day(dict(zip(order, match.groups(), strict=True)), said)
    match = END_OF_MONTH.search(low)
    if match:
        month = MONTHS[match[1]]
        year = int(match[2]) if match[2] else said.year + (month < said.month)
        return _last_of(year, month)
    return _relative(low, said)


def stated_start(text: str, said: date) -> date | None:
    """The first day that a phrase such as "starting in July" or "from next quarter on" names, seen from the day on
    which it was said; None where it names none.

    A month is its first day, and the next one of that name.
    """
    low = " ".join(text[:AT_MOST].casefold().split())
    if match := NEXT.search(low):
        return _next_start(match[1], said)
    if day := stated_end(low, said):
        return day
    if match := MONTH.search(low):
        month = MONTHS[match[1]]
        year = int(match[2]) if match[2] else said.year + (month < said.month)
        return date(year, month, 1)
    return None


def _next_start(period: str, said: date) -> date:
    """The first day of the next week, month, quarter, half or year."""
    if period == "week":
        return said + timedelta(days=7 - said.weekday())
    months = {"month": 1, "quarter": 3, "half": 6, "year": 12}[period]
    count = (said.month - 1) // months * months + months
    return date(said.year + count // 12, count % 12 + 1, 1)


def _relative(low: str, said: date) -> date | None:
    match = SPAN.search(low)
    if match:
        number = NUMBERS.get(match[1] or "one") or int(match[1])
        days = number * {"day": 1, "week": 7}.get(match[2], 0)
        return said + timedelta(days=days) if days else _months_on(said, number * (3 if match[2] == "quarter" else 1))
    if re.search(r"\btomorrow\b|\bdemain\b|\bmañana\b", low):
        return said + timedelta(days=1)
    match = END_OF.search(low)
    if match:
        ends = {
            "week": said + timedelta(days=6 - said.weekday()),
            "month": _last_of(said.year, said.month),
            "quarter": _last_of(said.year, (said.month + 2) // 3 * 3),
            "year": date(said.year, 12, 31),
        }
        return ends[match[1]]
    match = WEEKDAY.search(low)
    if match and not match[1]:
        return said + timedelta(days=(WEEKDAYS[match[2]] - said.weekday()) % 7)
    return None


def _day(parts: dict[str, str | None], said: date) -> date | None:
    month_text, day_text, year_text = parts["m"] or "", parts["d"] or "", parts["y"]
    month = MONTHS.get(month_text) or int(month_text)
    try:
        day = date(int(year_text) if year_text else said.year, month, int(day_text))
        return day if year_text or day >= said else day.replace(year=day.year + 1)
    except ValueError:
        return None


def _months_on(said: date, months: int) -> date:
    count = said.month - 1 + months
    last = _last_of(said.year + count // 12, count % 12 + 1)
    return last.replace(day=min(said.day, last.day))


def _last_of(year: int, month: int) -> date:
    return (date(year, month, 28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
