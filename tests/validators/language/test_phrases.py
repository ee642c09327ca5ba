"""The phrase language of lexicons, element by element, and which match hides which."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy.lexicon import Lexicon, Rule
from validators.language.clauses import Splitter
from validators.language.matcher import Matcher
from validators.language.phrases import Words
from validators.language.tokens import tokenise

CLASSES = {"days": "monday tuesday bank_holiday", "all_days": "@days sunday", "fillers": "ok so", "split_time": "while"}


def found(text: str, *phrases: str, group: str = "one_off", **more: str) -> list[str]:
    """The matched words of a lexicon whose rules are these phrases; ``group=phrase`` adds a rule of another group."""
    rules = [Rule(group, "r", "\n".join(phrases))] + [Rule(g, "s", p) for g, p in more.items()]
    matcher = Matcher([Words(Lexicon("xx", Path("xx.toml"), CLASSES, (), tuple(rules)))])
    tokens = tokenise(text, {})
    matches = matcher.find(tokens, Splitter(matcher).split(tokens))
    return [" ".join(tokens.words[m.start : m.end]) for m in matches if m.group == group]


@pytest.mark.parametrize(
    ("expected", "phrase", "text"),
    [
        (["this time"], "this time", "use npm this time please"),
        ([], "this time", "this one time"),
        (["this one time"], "this one? time", "this one time"),
        (["this time"], "this one? time", "this time"),
        (["only now", "just now"], "only|just now", "only now or just now"),
        (["on monday"], "on {days}", "on monday"),
        (["on bank holiday"], "on {days}", "on bank holiday"),
        (["on sunday"], "on {all_days}", "on sunday"),
        (["a pull request"], "a pull_request|mr", "a pull request"),
        (["while we wait"], "while .. wait", "while we wait"),
        (["while you all do wait"], "while .. wait", "while you all do wait"),
        ([], "while .. wait", "while a b c d e wait"),
        ([], "while .. wait", "while now, wait"),
        (["while rebasing"], "while {ing}", "while rebasing"),
        ([], "while {ing}", "while something"),
        (["per Noor".lower()], "per {name}", "per Noor"),
        ([], "per {name}", "per noor"),
        (["for two hours"], "for {num} hours", "for two hours"),
        (["for 20 hours"], "for {num} hours", "for 20 hours"),
        (["before 5pm"], "before {time}", "before 5pm"),
        (["until 15 july"], "until {date}", "until 15 July then"),
        (["until 2026-07-15"], "until {date}", "until 2026-07-15"),
        (["until the end of may"], "until {date}", "until the end of may we use it"),
        (["until next friday"], "until {date}", "until next friday"),
        ([], "until {date}", "until the end"),
        (["no"], "^ no", "no, that is a no"),
        (["no"], "^ no", "ok so no"),
        (["no"], "^^ no", "no, not no. a no"),
        (["right"], "^ right $", "it is, right"),
        ([], "^ right $", "right now"),
        (["do not"], "don't", "don't"),
        (["不 要"], "不要", "不要用"),
    ],
)
def test_a_phrase_finds(expected: list[str], phrase: str, text: str) -> None:
    assert expected == found(text, phrase)


def test_a_longer_rival_hides_a_shorter_match() -> None:
    assert ["today"] == found("today", "today", standing="from today on")
    assert [] == found("from today on", "today", standing="from today on")


def test_a_shield_hides_whatever_is_inside_it() -> None:
    assert [] == found("not only npm", "not", group="negate", shield="not only")
    assert ["not"] == found("not npm", "not", group="negate", shield="not only")


def test_a_match_of_another_group_hides_nothing() -> None:
    assert ["today"] == found("today we wait", "today", hedge="today we")


def test_what_stands_in_a_gap_is_not_hidden() -> None:
    assert ["today"] == found("run it today with make", "today", standing="run .. with")
