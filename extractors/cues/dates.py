"""Stated ends: "until 2026-07-31", "through March 9th", "for the next two weeks", resolved against the turn's time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
NUMBER = {"a couple of": 2, "couple of": 2, "a few": 3, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
NUMBER |= {"five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}
DAY_NAME = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
ABSOLUTE = (
    r"\d{4}-\d{2}-\d{2}"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?{MONTH}(?:,? \d{{4}})?"
    rf"|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    r"|\d{1,2}[./]\d{1,2}[./]\d{4}"
)
END_OF = rf"(?:the )?end of (?:the |this |next )?(?:day|week|month|quarter|year|{MONTH}(?: \d{{4}})?)"
RELATIVE = rf"(?:(?:next|this|coming) )?{DAY_NAME}|tomorrow|tonight|today|next (?:week|month)"
UNTIL = re.compile(
    r"\b(?:(?:un)?til|till|through|thru|up to|up until|valid to|no later than|expires? on|ends? on)"
    rf"(?: and including)? (?P<when>{ABSOLUTE}|{END_OF}|{RELATIVE})(?![\w-])",
    re.I,
)
SPAN = re.compile(
    rf"\bfor (?:the |another )?(?:next |coming )?(?P<n>\d{{1,3}}|{'|'.join(NUMBER)})(?: or so)? "
    r"(?P<unit>day|week|month)s?\b",
    re.I,
)
OPEN = re.compile(r"\b(?:un)?till?\b(?! (?:further notice|now\b))", re.I)


@dataclass(frozen=True, slots=True)
class StatedEnd:
    """A stated end within a sentence. ``day`` is None where no calendar day can be told; it is an end all the same."""

    start: int
    end: int
    day: date | None


def stated_end(sentence: str, said: datetime | None) -> StatedEnd | None:
    """The end that ``sentence`` states for its rule, or None. ``said`` is when the words were spoken."""
    if found := UNTIL.search(sentence):
        return StatedEnd(found.start(), found.end(), _day(found["when"].casefold(), said))
    if found := SPAN.search(sentence):
        return StatedEnd(found.start(), found.end(), _after(found["n"].casefold(), found["unit"].casefold(), said))
    if found := OPEN.search(sentence):
        return StatedEnd(found.start(), found.end(), None)
    return None


def _after(number: str, unit: str, said: datetime | None) -> date | None:
    if said is None:
        return None
    count = int(number) if number.isdigit() else NUMBER[number]
    if unit == "month":
        return _months_on(said.date(), count)
    return said.date() + timedelta(days=count * (7 if unit == "week" else 1))


def _months_on(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return min(day.replace(year=year, month=month + 1, day=1) + timedelta(days=day.day - 1), _last_of(year, month + 1))


def _last_of(year: int, month: int) -> date:
    return (date(year + month // 12, month % 12 + 1, 1)) - timedelta(days=1)


def _day(words: str, said: datetime | None) -> date | None:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", words):
        try:
            return date.fromisoformat(words)
        except ValueError:
            return None
    if said is None and not re.search(r"\d{4}", words):
        return None
    if words.startswith(("the end of", "end of")):
        return _end_of(re.sub(r"^(?:the )?end of (?:the )?", "", words), said)
    if said is not None and words in {"today", "tonight"}:
        return said.date()
    return _parsed(words, said)


def _end_of(period: str, said: datetime | None) -> date | None:
    """The last day of a period: of the running one unless "next" is said; a named month is the coming one."""
    if said is None and not re.search(r"\d{4}", period):
        return None
    today = said.date() if said else None
    ahead = period.startswith("next ")
    unit = re.sub(r"^(?:this|next) ", "", period)
    if today is not None:
        if unit == "day":
            return today
        if unit == "week":
            return today + timedelta(days=6 - today.weekday() + 7 * ahead)
        if unit == "month":
            first = _months_on(today.replace(day=1), int(ahead))
            return _last_of(first.year, first.month)
        if unit == "quarter":
            first = _months_on(today.replace(day=1), 3 * ahead)
            return _last_of(first.year, (first.month - 1) // 3 * 3 + 3)
        if unit == "year":
            return date(today.year + ahead, 12, 31)
    day = _parsed("1 " + unit, said)
    if day is None:
        return None
    if today is not None and not re.search(r"\d{4}", unit):
        year = today.year if day.month >= today.month else today.year + 1
        return _last_of(year, day.month)
    return _last_of(day.year, day.month)


def _parsed(words: str, said: datetime | None) -> date | None:
    """A date in words by dateparser, in the future of ``said`` where the year is left out."""
    import dateparser  # 80 ms to import: only a sentence with a stated end pays for it

    words = re.sub(r"\b(?:the|of|this|coming)\b|\bnext (?=[mtwfs])", " ", words)
    settings: dict[str, Any] = {"PREFER_DATES_FROM": "future", "PREFER_DAY_OF_MONTH": "last", "DATE_ORDER": "DMY"}
    if said is not None:
        settings["RELATIVE_BASE"] = said.replace(tzinfo=None)
    parsed = dateparser.parse(" ".join(words.split()), languages=["en"], settings=settings)
    if parsed is None:
        return None
    day = parsed.date()
    if said is not None and not re.search(r"\d{4}", words) and (day.month, day.day) == (said.month, said.day):
        return said.date()  # a last day is inclusive: "until June 29", said on that day, is not a year away
    return day
