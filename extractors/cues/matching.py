"""One rule against one sentence: what it catches, cut down to the value, the subject and the shortest quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from extractors.cues.reading import Reading
from extractors.cues.rules import Rule, Rulebook
from extractors.cues.sentences import CODE, clause_end, clause_start
from extractors.cues.values import QUOTED, bare, command, command_kind, path_like, phrase, quoted_command, singular
from policy.model import FactType, SubjectRule

MAX_STATEMENT = 200  # a statement value is one sentence of at most this many characters
FIELD = re.compile(r"\{([a-z_|]+)(!?)\}")
KEYS = ("affix", "decorator", "module", "construct")  # groups that make a statement the same rule in other words
LIST = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*", re.I)
AREA_SORT = re.compile(r"(?<=\w)\s+(?:module|package|folder|directory|code|area|part|stuff)$")
JOIN = re.compile(r"[\s,;:-]*")  # what joins a match to the words before it is no part of its quote
JOINED = re.compile(r"(?:[\s,;:–—-]*\b(?:and|but|also|so)\s+)*", re.I)  # and neither are the words that do
MOST_ANCHORS = 12  # a sentence that says one thing more often than this is no sentence
BRANCH_BEFORE = re.compile(r"\bbranch\s+[`\"']?$", re.I)
BRANCH_AFTER = re.compile(r"[`\"']?\s+branch\b", re.I)
SPLIT = re.compile(r",?\s+and\s+|;\s*|,\s+", re.I)


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule caught: a quote ``[start, end)`` of the sentence, its value and subject.

    ``key`` is the small part of a statement that makes it the same rule in other words (a prefix, a decorator).
    ``verbatim`` values are stretches of the sentence: they are taken from it as it was said.
    """

    rule: Rule
    type: str
    start: int
    end: int
    value_at: int
    value: str
    subject: str
    key: str = ""
    verbatim: bool = False


def hits(rule: Rule, reading: Reading, book: Rulebook, types: Mapping[str, FactType]) -> Iterator[Hit]:
    """Everything that ``rule`` catches in the sentence of ``reading``."""
    text = reading.text
    if rule.needs and not rule.needs.search(text) and not _weakly(rule, text, book, types):
        return
    found = list(_anchors(rule.all[0], text))
    if not found or (rule.unless and rule.unless.search(text)):
        return
    if rule.context and not any(rule.context.search(near) for near in (text, reading.before, *reading.after)):
        return
    code = [inside.span() for inside in CODE.finditer(text)]
    anchors = [m for m in found if not any(start + 1 < m.start() < end - 1 for start, end in code)]
    for number, anchor in enumerate(anchors):
        groups = _groups(rule, anchor, reading)
        if groups is None:
            continue
        for caught in _alternatives(groups):
            for hit in _hit(rule, anchor, caught, reading, book, types):
                yield replace(hit, **_part(hit, anchors, number, caught, text)) if len(anchors) > 1 else hit


def _anchors(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches in order. A pattern whose command goes on to the end is tried again behind its first word."""
    if not pattern.pattern.endswith(".*)"):
        yield from pattern.finditer(text)
        return
    at = 0
    for _ in range(MOST_ANCHORS):
        if (found := pattern.search(text, at)) is None:
            return
        yield found
        start = found.start(_group(found, "value"))
        quoted = QUOTED.match(text, start)
        at = quoted.end() if quoted else start + len(found[_group(found, "value")].split()[0])


def _weakly(rule: Rule, text: str, book: Rulebook, types: Mapping[str, FactType]) -> bool:
    """Whether the sentence limits itself or asks in so many words: it is no rule, and shown as refused for that."""
    if rule.type in types and types[rule.type].value == "statement":
        return False
    return bool(book.guards["once"].search(text) or book.guards["asked"].search(text))


def _groups(rule: Rule, anchor: re.Match[str], reading: Reading) -> dict[str, str] | None:
    """The named groups of all of the rule's patterns, nearest to the anchor; None where a pattern is not found."""
    groups = {name: text for name, text in anchor.groupdict().items() if text is not None}
    for pattern in rule.all[1:]:
        found = _nearest(pattern, reading.text, anchor)
        if found is None and rule.previous in pattern.groupindex:
            found = next((f for other in (reading.before, *reading.after) if (f := _last(pattern, other))), None)
        if found is None:
            return None
        groups |= {name: text for name, text in found.groupdict().items() if text is not None}
    return groups


def _nearest(pattern: re.Pattern[str], text: str, anchor: re.Match[str]) -> re.Match[str] | None:
    """The match that ends before the anchor's end and is nearest to it, else the first one behind it."""
    before = None
    for found in pattern.finditer(text):
        if found.start() >= anchor.end():
            return before or found
        before = found
    return before


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    last = None
    for found in pattern.finditer(text):
        last = found
    return last


def _alternatives(groups: dict[str, str]) -> Iterator[dict[str, str]]:
    """The groups, and once more with every ``NAME_two`` in the place of ``NAME`` ("methods and functions")."""
    yield groups
    for name in groups:
        if name.endswith("_two"):
            yield {**groups, name.removesuffix("_two"): groups[name]}


def _hit(
    rule: Rule,
    anchor: re.Match[str],
    groups: dict[str, str],
    reading: Reading,
    book: Rulebook,
    types: Mapping[str, FactType],
) -> Iterator[Hit]:
    type_name = rule.type
    if rule.value is not None:
        found = [(anchor.start(), anchor.end(), anchor.start(), rule.value)]
    elif type_name == "any_command" or types[type_name].value == "command":
        found = list(_command(anchor, reading.text, book))
    elif any(name.startswith("values") for name in groups):
        found = list(_paths(anchor, reading.text, book))
    elif any(name.startswith("value") for name in groups):
        found = list(_word(anchor, reading, types[type_name].value, book))
    else:
        start, end = _statement(rule, anchor, reading, book)
        value_at = _without_wrapper(reading.text, start, end, book)
        found = [(start, end, value_at, reading.text[value_at:end])] if 0 < end - start <= MAX_STATEMENT else []
    for begin, end, value_at, value in found:
        kind, start = type_name, min(JOIN.match(reading.text, begin).end(), value_at)  # type: ignore[union-attr]  # it always matches
        if type_name == "any_command" and not (kind := command_kind(value, book.tables)):
            continue
        if kind not in types:
            continue
        key = next((_named(name, groups[name], book) for name in KEYS if groups.get(name)), "")
        for subject in _subjects(rule, groups, reading, types[kind], book, reading.text[start:end]):
            statement = types[kind].value == "statement" and rule.value is None
            yield Hit(rule, kind, start, end, value_at, value, subject, bare(key).casefold(), statement)


def _group(anchor: re.Match[str], prefix: str) -> str:
    """The group of the value that took part in the match: a pattern of alternatives has one for each."""
    return next(name for name, text in anchor.groupdict().items() if text is not None and name.startswith(prefix))


def _command(anchor: re.Match[str], text: str, book: Rulebook) -> Iterator[tuple[int, int, int, str]]:
    at = anchor.start("value")
    heads = book.tables.get("subcommands", {})
    value, length = command(text[at:], heads, frozenset(book.tables.get("command_stops", ())))
    if value and (length == 0 or text[at] not in "`\"'" or quoted_command(value, book.head)):
        tail = anchor.end() if anchor.end() > at + length and not anchor.re.pattern.endswith(".*)") else at + length
        yield anchor.start(), tail, at, value


def _paths(anchor: re.Match[str], text: str, book: Rulebook) -> Iterator[tuple[int, int, int, str]]:
    for found in book.path.finditer(text, *anchor.span(_group(anchor, "values"))):
        value = bare(found[0])
        if value.casefold() not in book.tables.get("not_a_path", ()) and path_like(value, book.tables):
            yield anchor.start(), anchor.end(), found.start(), value


def _word(anchor: re.Match[str], reading: Reading, check: str, book: Rulebook) -> Iterator[tuple[int, int, int, str]]:
    name = _group(anchor, "value")
    value, at, end = bare(anchor[name]), anchor.start(name), anchor.end()
    if check == "manager":
        value = value.casefold()
    elif check == "person":
        value = re.sub(r"^the\s+", "", value, flags=re.I)
        if value.casefold().split()[0] in book.tables.get("not_a_person", ()) if value else True:
            return
    elif check == "ref" and not _ref(value, reading.text, at, book):
        return
    if value:
        while end > at and reading.text[end - 1] in ".,;:!?":
            end -= 1
        yield anchor.start(), end, at, value


def _ref(value: str, text: str, at: int, book: Rulebook) -> bool:
    """Whether a word can be a branch, host or environment. A branch named like an environment has to be called one."""
    if not re.search(r"\w", value):
        return False
    word = value.casefold()
    after = BRANCH_AFTER.match(text, at + len(value))
    if word not in book.tables.get("not_a_ref", ()):
        return not (after and word in book.tables.get("branch_sorts", ()))
    called = after or BRANCH_BEFORE.search(text[max(0, at - 20) : at])
    return bool(called) and word in book.tables.get("environment_branches", ())


def _statement(rule: Rule, anchor: re.Match[str], reading: Reading, book: Rulebook) -> tuple[int, int]:
    text = reading.text
    if rule.quote == "match":
        return anchor.start(), anchor.end()
    if rule.quote == "sentence":
        lead = book.guards["lead"].match(text)
        start, end = (lead.end() if lead else 0), len(text.rstrip(" .!?…\"'”’"))
        if text[start:end].count("'") % 2 or text[start:end].count('"') % 2:
            end = len(text.rstrip(" .!?…"))
        if end - start <= MAX_STATEMENT:
            return start, _balanced(text, start, end)
    start = clause_start(text, anchor.start())
    if lead := book.guards["lead"].match(text[start:]):
        start += lead.end()
    start += len(text[start:]) - len(text[start:].lstrip())
    start = JOINED.match(text, min(start, anchor.start())).end()  # type: ignore[union-attr]  # it always matches
    return start, _balanced(text, start, max(clause_end(text, anchor.end()), anchor.end()))


def _balanced(text: str, start: int, end: int) -> int:
    """``end`` without a closing bracket whose opening one is not in the stretch."""
    return end - 1 if text[start:end].endswith(")") and "(" not in text[start:end] else end


def _without_wrapper(text: str, start: int, end: int, book: Rulebook) -> int:
    """Where the rule itself starts, behind "from now on, I want you to", where enough is left of it."""
    wrapper = book.guards["wrapper"].match(text[start:end])
    return start + wrapper.end() if wrapper and len(text[start + wrapper.end() : end].split()) >= 3 else start


def _part(hit: Hit, anchors: list[re.Match[str]], number: int, groups: Mapping[str, str], text: str) -> dict[str, Any]:
    """Of a sentence that states several rules, the part with this one, where each part can stand alone and names what
    it is about.
    """
    if not hit.verbatim:
        return {}
    start, end = hit.start, hit.end
    if number and (cuts := list(SPLIT.finditer(text, anchors[number - 1].end(), anchors[number].start()))):
        start = cuts[0].end()
    if number + 1 < len(anchors):
        cuts = list(SPLIT.finditer(text, anchors[number].end(), anchors[number + 1].start()))
        end = cuts[0].start() if cuts else end
    if len(text[start:end].split()) < 4 or any(caught not in text[start:end] for caught in groups.values()):
        return {}
    value_at = max(start, hit.value_at)
    return {"start": start, "end": end, "value": text[value_at:end], "value_at": value_at}


def _subjects(
    rule: Rule, groups: dict[str, str], reading: Reading, kind: FactType, book: Rulebook, quote: str
) -> list[str]:
    """The subjects that the rule's template makes of its groups: mostly one, none where a ``{field!}`` is empty."""
    if kind.subject is SubjectRule.NONE:
        return [""]
    template = rule.subject if rule.subject is not None else "{subject}"

    def filled(field: re.Match[str]) -> str:
        for name in field[1].split("|"):
            if name in groups:
                return _named(name, groups[name], book)
            if name in book.names:
                return next((canonical for canonical, pattern in book.names[name] if pattern.search(quote)), "")
        return ""

    if any(field[2] and not filled(field) for field in FIELD.finditer(template)):
        return []
    subject = phrase(FIELD.sub(filled, template))
    if kind.value == "ref":
        return [phrase(part) for part in LIST.split(re.sub(r"\s+env(?:ironment)?s?$", "", subject))]
    if kind.value == "command":
        subject = re.sub(r"\s+(?:tests?|package|app|service|folder|workspace)$", "", subject)
        subject = "" if subject in book.tables.get("whole", ()) else subject
        if rule.type == "any_command":
            subject = _touched(reading.text)
    if kind.value == "person" and subject:
        words = [word for word in subject.split() if word not in book.tables.get("not_an_area", ())]
        subject = AREA_SORT.sub("", " ".join(words)).rstrip("/")
    return [subject]


def _touched(text: str) -> str:
    """The part of the project in "each time you touch the api spec"."""
    found = re.search(
        r"\b(?:touch|change|edit|work\s+on|modify)\s+(?:the\s+|any(?:thing\s+in)?\s+)?([\w-]+(?:\s+(?!run\b|and\b)[\w-]+)?)\s*[,.;]",
        text,
        re.I,
    )
    return phrase(found[1]) if found else ""


def _named(name: str, caught: str, book: Rulebook) -> str:
    if name in book.names:
        return next(
            (canonical for canonical, pattern in book.names[name] if pattern.search(caught)), singular(phrase(caught))
        )
    if name == "noun":
        return singular(phrase(caught))
    return bare(" ".join(caught.split())) if name in {"affix", "decorator", "module"} else caught
