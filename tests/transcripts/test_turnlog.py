"""What is kept of a session, and what is left out of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from transcripts import turnlog
from transcripts.session import Origin, Segment, Speaker
from transcripts.turnlog import TurnLog, capped, content_id, joined, parse_time

TIMES = {
    "zulu": ("2026-06-10T09:00:00.500Z", datetime(2026, 6, 10, 9, 0, 0, 500000, UTC)),
    "offset": ("2026-06-10T11:00:00+02:00", datetime(2026, 6, 10, 9, tzinfo=UTC)),
    "without a zone": ("2026-06-10T09:00:00", datetime(2026, 6, 10, 9, tzinfo=UTC)),
    "a space": ("2026-06-10 09:00:00Z", datetime(2026, 6, 10, 9, tzinfo=UTC)),
    "seconds": (1781082000, datetime(2026, 6, 10, 9, tzinfo=UTC)),
    "milliseconds": (1781082000000, datetime(2026, 6, 10, 9, tzinfo=UTC)),
    "words": ("yesterday", None),
    "nothing": (None, None),
    "a truth": (True, None),
    "zero": (0, None),
    "not a number": (float("nan"), None),
    "too large": (10**30, None),
    "a list": ([1], None),
}


@pytest.mark.parametrize(("value", "moment"), TIMES.values(), ids=TIMES.keys())
def test_a_time_is_aware_or_nothing(value: object, moment: datetime | None) -> None:
    assert moment == parse_time(value)


@pytest.mark.parametrize(
    "value",
    [
        12,
        12.5,
        1,
        86_400_000,
        10**15,
        "1970-01-01T00:00:12Z",
        "0001-01-01",
        "2014-12-31T23:59:59Z",
        "2100-01-01",
        "soon",
    ],
)
def test_a_time_at_which_no_session_was_held_is_no_time(value: object) -> None:
    assert parse_time(value) is None


@pytest.mark.parametrize("value", ["2015-01-01T00:00:00Z", "2026-06-10", 1_781_082_000, 1_781_082_000_000])
def test_a_plausible_time_is_one(value: object) -> None:
    assert parse_time(value) is not None


def test_a_long_text_keeps_whole_lines_of_its_beginning_and_its_end() -> None:
    lines = [f"line {number}" for number in range(1000)]
    short = capped("\n".join(lines), 100, 60)
    kept = short.split("\n")
    assert kept[0] == "line 0"
    assert kept[-1] == "line 999"
    assert set(kept) - set(lines) == {next(line for line in kept if "left out" in line)}
    assert len(short) < 220


def test_no_half_of_a_credential_is_kept() -> None:
    token = "ghp_" + "a1B2" * 9
    for shift in range(0, 60, 7):
        text = "x" * (80 - shift) + f" token={token}\n" + "y" * 500 + f"\npassword = {token}\n" + "z\n" * (20 + shift)
        short = capped(text, 100, 60)
        assert not any(part in short and token not in short for part in (token[:12], token[-12:]))


def test_a_key_over_many_lines_is_taken_out_before_the_cut() -> None:
    key = (
        "-----BEGIN PRIVATE KEY-----\n"
        + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n" * 40
        + "-----END PRIVATE KEY-----\n"
    )
    assert "MIIEvQ" not in capped("start\n" + key + "middle\n" * 30 + "end", 200, 100)


def test_one_word_without_end_is_not_kept() -> None:
    assert capped("k" * 5000, 100, 50).startswith("\n[…")


def test_a_short_text_is_kept_whole() -> None:
    assert capped("x" * 150, 100, 50) == "x" * 150


def test_neighbours_of_one_origin_are_one_segment() -> None:
    parts = (
        Segment(Origin.TYPED, "a"),
        Segment(Origin.TYPED, "b"),
        Segment(Origin.PASTED, ""),
        Segment(Origin.TYPED, "c"),
    )
    assert joined(parts) == (Segment(Origin.TYPED, "abc"),)


def test_the_same_words_at_the_same_place_have_the_same_id() -> None:
    assert content_id("s", "1", "x") == content_id("s", "1", "x")
    assert content_id("s", "1", "x") != content_id("s", "2", "x")
    assert content_id("ab", "c") != content_id("a", "bc")


def test_context_past_the_budget_is_let_go_but_not_the_words_or_what_they_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turnlog, "CONTEXT_TURNS", 4)
    log = TurnLog()
    for number in range(10):
        log.tool(f"t{number}", f"output {number}")
    log.agent("a", "Shall I always run make lint?")
    log.developer("d", (Segment(Origin.TYPED, "yes, always"),))
    expected = [Speaker.TOOL] * 4 + [Speaker.AGENT, Speaker.DEVELOPER]
    assert expected == [turn.speaker for turn in log.turns]
    assert log.turns[4].text == "Shall I always run make lint?"


def test_an_id_counts_once() -> None:
    log = TurnLog()
    assert log.developer("d", (Segment(Origin.TYPED, "a"),)) is not None
    assert log.developer("d", (Segment(Origin.TYPED, "a"),)) is None
    assert len(log.turns) == 1
