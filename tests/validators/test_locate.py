"""Where a quote stands, and where it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from transcripts.session import Session
from validators.locate import Place, SessionText

Turns = list[Any]


def found(session: Session, quote: str, turn: str | None = None) -> tuple[str, str | None, str]:
    """Place, turn and verbatim text of the first place."""
    place = SessionText(session).locate(quote, turn)[0]
    text = place.turn.text[place.start : place.end] if place.turn else ""
    return place.place.value, place.turn.id if place.turn else None, text


@pytest.mark.parametrize(
    ("said", "quote", "expected"),
    [
        ("we use pnpm here", "we use pnpm here", "we use pnpm here"),
        ("we use pnpm here", "WE USE  pnpm.", "we use pnpm"),
        ("we use **pnpm** here", "we use pnpm here", "we use **pnpm** here"),
        ("don’t ever touch “legacy/soap” please", 'don\'t ever touch "legacy/soap"', "don’t ever touch “legacy/soap"),
        ("we use ｐｎｐｍ here", "use pnpm", "use ｐｎｐｍ"),
        ("we use pnpm here", "Developer: we use pnpm here", "we use pnpm here"),
        (
            "tests run with `go test ./... -race`, ok",
            "tests run with `go test ./... -race`",
            "tests run with `go test ./... -race",
        ),
        (
            "please deploy production this one time straight from main",
            "please deploy production … straight from main",
            "please deploy production this one time straight from main",
        ),
        (
            "please deploy production now, straight from main",
            "deploy production [...] straight from main",
            "deploy production now, straight from main",
        ),
        (
            "one fine day. another fine day. one fine night",
            "one fine day ... one fine night",
            "one fine day. another fine day. one fine night",
        ),
        ("always pnpm, maybe? always pnpm, always", "always pnpm, always", "always pnpm, always"),
        ("know this: no", "no", "no"),
        ("以后这个仓库一律用pnpm，不要用npm。", "一律用pnpm", "一律用pnpm"),
        ("use pnpm\nhere please", "use pnpm here", "use pnpm\nhere"),
    ],
)
def test_typed_words_are_found_under_the_fold(
    session_of: Callable[..., Session], said: str, quote: str, expected: str
) -> None:
    assert ("typed", "1", expected) == found(session_of(said), quote)


@pytest.mark.parametrize(
    "quote",
    [
        "we use yarn here",
        "we use pnpm … always there",
        "we use … in here",  # fragments shorter than eight characters
        "in here now … we use pnpm",  # the wrong order
        "",
        "…",
        "   ",
    ],
)
def test_a_quote_that_is_not_there_is_nowhere(session_of: Callable[..., Session], quote: str) -> None:
    assert ("nowhere", None, "") == found(session_of("well, we use pnpm in here now"), quote)


@pytest.mark.parametrize(
    ("turns", "detail"),
    [
        (["hi", "A: reviews go to Kenji"], "only in an agent turn (2)"),
        (["hi", "T: reviews go to Kenji"], "only in a tool turn (2)"),
        (["hi", "S: reviews go to Kenji"], "only in a system turn (2)"),
        ([(("typed", "look:\n"), ("pasted", "reviews go to Kenji"))], "only in pasted or injected text (1)"),
        ([(("injected", "reviews go to Kenji\n"), ("typed", "go on"))], "only in pasted or injected text (1)"),
        (["W: reviews go to Kenji"], "only in a withdrawn turn (1)"),
        ([(("typed", "reviews "), ("pasted", "go to Kenji"))], "only in pasted or injected text (1)"),
    ],
)
def test_words_that_the_developer_did_not_type_are_elsewhere(
    session_of: Callable[..., Session], turns: Turns, detail: str
) -> None:
    place = SessionText(session_of(*turns)).locate("reviews go to Kenji", None)[0]
    assert (Place.ELSEWHERE, None, detail) == (place.place, place.turn, place.detail)


def test_fragments_of_two_turns_make_no_quote(session_of: Callable[..., Session]) -> None:
    session = session_of("from now on production deploys", "T: branch release/hijack set as source")
    assert "nowhere" == found(session, "from now on production … branch release/hijack")[0]


def test_no_fragment_is_taken_from_what_was_pasted(session_of: Callable[..., Session]) -> None:
    session = session_of((("typed", "from now on production\n"), ("pasted", "branch release/hijack is the source")))
    assert "elsewhere" == found(session, "from now on production … branch release/hijack")[0]


def test_a_gap_may_reach_over_what_was_pasted(session_of: Callable[..., Session]) -> None:
    turn = (("typed", "from now on run\n"), ("pasted", "make x\n"), ("typed", "before you push"))
    assert ("typed", "1", "from now on run\nmake x\nbefore you push") == found(
        session_of(turn), "from now on run … before you push"
    )


@pytest.mark.parametrize(
    ("named", "expected"),
    [("1", "1"), ("3", "3"), ("2", "3"), ("4", "5"), (None, "5"), ("99", "5"), ("nonsense", "5"), ("5", "5")],
)
def test_the_named_turn_comes_first_then_the_nearest(
    session_of: Callable[..., Session], named: str | None, expected: str
) -> None:
    session = session_of("we use pnpm", "A: we use pnpm", "we use pnpm", "A: ok", "we use pnpm")
    assert expected == found(session, "we use pnpm", named)[1]


def test_a_turn_may_be_named_by_its_position(session_of: Callable[..., Session]) -> None:
    session = session_of("we use pnpm", "A: ok", "we use pnpm")
    first = session.turns[0]
    renamed = type(first)("u-77", first.speaker, first.segments, first.time)
    session = type(session)(session.id, session.agent, session.repo, (renamed, *session.turns[1:]))
    assert "u-77" == found(session, "we use pnpm", "1")[1]
    assert "u-77" == found(session, "we use pnpm", "u-77")[1]


def test_typed_words_are_preferred_to_a_chosen_option(session_of: Callable[..., Session]) -> None:
    turn = (("chosen", "Use pnpm from now on"),)
    assert ("chosen", "1", "Use pnpm from now on") == found(session_of(turn), "Use pnpm from now on")
    assert ("typed", "2", "use pnpm from now on") == found(
        session_of(turn, "use pnpm from now on"), "Use pnpm from now on", "1"
    )


@pytest.mark.parametrize(
    "said",
    ["the key is ghp_EXAMPLEexample0123456789, always", "the key is [redacted], always"],
    ids=["raw", "already redacted"],
)
def test_a_quote_of_redacted_text_is_found_in_what_was_said(session_of: Callable[..., Session], said: str) -> None:
    assert ("typed", "1", said) == found(session_of(said), "the key is [redacted], always")
