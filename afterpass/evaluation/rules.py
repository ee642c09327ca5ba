"""Whether a text says a rule of the gold: the thing it is about, and the marks or words that make it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from afterpass.recall.wording import fold, stem, stems, words

OBJECTS = (
    ("function argument", r"(?:function|method)?\s*(?:arguments?|parameters?|args?|params?)"),
    ("attribute", r"attributes?|propert(?:y|ies)|fields?"),
    ("variable", r"variables?"),
    ("method", r"methods?"),
    ("class", r"class(?:es)?"),
    ("function", r"functions?(?!\s*(?:arguments?|parameters?|args?|params?))"),
)
FILLING = words(
    "always include use add start end name names naming string single even if not used your code module from all ensure"
)
SAME = {"upper": "uppercas", "capital": "uppercas", "pascal": "camelcas", "camel": "camelcas", "snake": "snake_cas"}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the gold: the ``thing`` it is about, ``marks`` that stand in it verbatim, and what else is ``said``."""

    topic: str
    thing: str
    marks: tuple[str, ...]
    said: frozenset[str]


def rule_of(topic: str) -> Rule:
    """A rule from its wording: quoted parts are marks, where there are none its own words count."""
    marks = tuple(re.findall(r"'([^']+)'", topic))
    bare = re.sub(r"'[^']*'", " ", topic)
    thing = _things(bare)
    rest = {_same(one) for one in stems(bare) if one not in FILLING and one not in {stem(w) for w in FILLING}}
    said = frozenset(rest - {stem(word) for name, _ in OBJECTS for word in name.split()})
    return Rule(topic, thing[0] if thing else "", marks, said)


def says(text: str, rule: Rule) -> bool:
    """Whether a text states the rule: its first mark, or else its words, and its thing where the text names any."""
    things = _things(text)
    if rule.thing and things and rule.thing not in things:
        return False
    if rule.marks:
        return _has_mark(fold(text), fold(rule.marks[0]))
    return bool(rule.said) and rule.said <= {_same(one) for one in stems(text)}


def same_pivot(one: Rule, other: Rule) -> bool:
    """Whether two rules settle the same thing, so that the later one replaces the earlier: the names of one object."""
    return bool(one.thing) and one.thing == other.thing and _is_affix(one) and _is_affix(other)


def _is_affix(rule: Rule) -> bool:
    return bool(re.search(r"\b(?:start|end|include the string|digit|names? with)\b", rule.topic))


def _things(text: str) -> list[str]:
    folded = fold(text)
    return [name for name, pattern in OBJECTS if re.search(rf"(?<![\w'])(?:{pattern})(?![\w'])", folded)]


def _has_mark(text: str, mark: str) -> bool:
    before = "" if mark.startswith("_") else r"(?<![a-z0-9_])"
    after = "" if mark.endswith("_") else r"(?![a-z0-9_])"
    return re.search(before + re.escape(mark) + after, text) is not None


def _same(one: str) -> str:
    return next((canonical for begin, canonical in SAME.items() if one.startswith(begin)), one)
