"""What a reading holds, and which of several occurrences of the value it is taken from."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from policy.load import load_policy
from validators.language import reading
from validators.language.analysis import analyse
from validators.language.reading import Reading, lone_cue, read_sentence

POLICY = load_policy()


def read(text: str, value: str, quote: str = "") -> Reading:
    focus = (text.index(quote), text.index(quote) + len(quote)) if quote else None
    return read_sentence(text, focus, value, POLICY)


def cue(reading: Reading, field: str) -> tuple[str, str]:
    found = getattr(reading, field)
    return (found.rule, found.text) if found else ("", "")


@pytest.mark.parametrize(
    ("field", "rule", "matched", "value", "text"),
    [
        ("standing", "standing.from-now-on", "From now on", "pnpm", "From now on we use pnpm"),
        ("standing", "standing.we-use", "We use", "pnpm", "We use pnpm"),
        ("one_off", "one_off.once", "just this once", "npm", "use npm, just this once"),
        ("dated_until", "dated.until", "until 15 July", "preview-4", "for now, until 15 July, staging is preview-4"),
        ("not_asserted", "hedge.think", "i think", "pnpm", "i think we use pnpm"),
        ("not_asserted", "report.said", "Tom said", "pnpm", "Tom said we use pnpm"),
        ("conditional", "condition.if", "if CI is red", "hotfix", "if CI is red, deploy from hotfix"),
        ("negated", "negate.verb", "don't", "npm", "we don't use npm"),
        ("set_aside", "negate_next.noun", "not", "src/old", "not src/old, src/new"),
        ("cut_free", "negate.verb", "no longer", "wrap errors", "we no longer wrap errors"),
        ("unbanned", "unban.allowed", "you can edit", "src/gen", "you can edit src/gen again"),
        ("owner_open", "open_owner.either", "one of the two", "x", "one of the two deploys from x"),
        ("habit", "habit.person", "Tom always uses", "npm", "Tom always uses npm"),
        ("forget_words", "forget.words", "forget", "npm", "forget the npm rule"),
        ("request", "one_off.weak-quickly", "and show me", "make t", "run `make t` and show me"),
        ("here", "here.here", "in this repo", "pnpm", "in this repo it's pnpm"),
    ],
)
def test_a_cue_says_its_words_and_its_rule(field: str, rule: str, matched: str, value: str, text: str) -> None:
    assert (rule, matched) == cue(read(text, value), field)


def test_the_owner_is_named() -> None:
    found = read("in the mobile repo we use yarn", "yarn").other_owner
    assert found is not None
    assert ("mobile", "elsewhere.repo") == (found.owner, found.rule)


def test_the_occurrence_in_the_quote_is_read() -> None:
    text = "use npm today. And we use npm in the docs package."
    assert read(text, "npm", "use npm today").one_off is not None
    assert read(text, "npm", "we use npm in the docs package").one_off is None


def test_an_outright_statement_outweighs_a_question_about_the_same_value() -> None:
    assert read("is it pnpm? yes, we use pnpm", "pnpm").not_asserted is None


def test_a_mention_does_not_outweigh_a_negation_of_the_same_value() -> None:
    assert read("don't use npm, npm is slow", "npm").negated is not None


@pytest.mark.parametrize("value", ["src/legacy", "legacy", "src/legacy-b"])
def test_a_part_of_a_path_is_no_occurrence(value: str) -> None:
    text = "not src/legacy-billing but src/new"
    assert cue(read(text, "src/legacy-billing"), "set_aside") == ("negate_next.noun", "not")
    assert read(text, value).set_aside is None


@pytest.mark.parametrize(
    "value", ["wrap errors with fmt.Errorf", "wrap  errors with\nfmt.Errorf", "Wrap errors with `fmt.Errorf`"]
)
def test_mark_up_and_line_breaks_do_not_hide_the_value(value: str) -> None:
    assert read("we no longer wrap errors with `fmt.Errorf`", value).cut_free is not None


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("one_off.once", "Just this once."),
        ("one_off.for-now", "Only for now, ok."),
        ("", "Just this once we can skip the tests."),
        ("", "Thanks!"),
        ("", ""),
    ],
)
def test_a_sentence_of_nothing_but_a_limit(expected: str, text: str) -> None:
    found = lone_cue(text, POLICY, "one_off")
    assert expected == (found.rule if found else "")


def test_empty_text_reads_as_nothing() -> None:
    assert Reading() == read("", "npm")


HOSTILE = [
    "never ", "do not ever ", "i think ", "today, ", "if we ", "not only ", "in the mobile repo ", "for this one, ",
    "we use ", "Tom said ", "and and ", "one of the two ", "until ", "( ", "`a` ", "what if, ", "不要用",
    "the the the repo ", "as long as ", "a" * 50 + " ", "-", "never..", "can you, ", "？", "\n- ", "'s ",
]  # fmt: skip


def steps(text: str) -> int:
    """How many Python calls it takes to read the text: the same on every machine."""
    count = 0

    def on_event(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal count
        count += event == "call"

    analyse.cache_clear()
    reading._reading.cache_clear()
    before = sys.getprofile()
    sys.setprofile(on_event)
    try:
        read_sentence(text, (len(text) - 3, len(text)), "npm", POLICY)
        lone_cue(text, POLICY, "one_off")
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_hostile_text_costs_no_more_than_short(piece: str) -> None:
    read_sentence(piece + "npm", None, "npm", POLICY)  # the lexicons of its languages are loaded once
    short, long = (piece * (size // len(piece)) + " npm" for size in (4_000, 40_000))
    assert steps(long) <= 1.2 * steps(short)
