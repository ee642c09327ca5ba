"""The fold of quotes and the fold of values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.fold import fold, fold_text, fold_value, strip_label, trim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use PNPM", "we use pnpm"),
        ("from now on we use ｐｎｐｍ", "from now on we use pnpm"),
        ("don’t touch “legacy/soap”", "don't touch 'legacy/soap'"),
        ('don\'t touch "legacy/soap"', "don't touch 'legacy/soap'"),
        ("staging — now — moved", "staging - now - moved"),
        ("staging -- now -- moved", "staging - now - moved"),
        ("non‑breaking", "non-breaking"),
        ("a \t\n  b", "a b"),
        ("**always** run `make` _please_", "always run make please"),
        ("src/my_file_name.py", "src/my_file_name.py"),
        ("wait…", "wait..."),
        ("zero\u200bwidth soft\u00adhyphen", "zerowidth softhyphen"),
        ("cafe\u0301", "café"),
        ("STRASSE straße", "strasse strasse"),
        ("", ""),
    ],
)
def test_quotes_are_compared_under_one_form(text: str, expected: str) -> None:
    assert expected == fold_text(text)


@pytest.mark.parametrize(
    ("text", "piece", "expected"),
    [
        ("We use **PNPM** here", "pnpm", "PNPM"),
        ("we use ｐｎｐｍ here", "pnpm", "ｐｎｐｍ"),
        ("ok, don’t   ever touch it", "don't ever", "don’t   ever"),
        ("das ist groß.", "gross", "groß"),
        ("cafe\u0301 first", "café", "cafe\u0301"),
        ("well… use it", "well... use", "well… use"),
    ],
)
def test_a_folded_place_leads_back_to_the_verbatim_characters(text: str, piece: str, expected: str) -> None:
    folded = fold(text)
    at = folded.text.index(piece)
    start, end = folded.span(at, at + len(piece))
    assert expected == text[start:end]


@given(st.text(max_size=60))
def test_every_folded_character_has_a_place_and_places_do_not_go_back(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert folded.starts == sorted(folded.starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))


@given(st.text(max_size=60))
def test_offsets_count_from_where_they_are_told_to(text: str) -> None:
    assert [start + 7 for start in fold(text).starts] == fold(text, 7).starts


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Developer: we use pnpm", "we use pnpm"),
        ("user: we use pnpm", "we use pnpm"),
        ("[3] we use pnpm", "[3] we use pnpm"),
        ("[turn 3]: we use pnpm", "we use pnpm"),
        ("staging: goes to preview", "staging: goes to preview"),
        ("me: always tabs", "always tabs"),
        ("**Developer:** we use pnpm", "we use pnpm"),
        ("Developer (turn 1): we use pnpm", "we use pnpm"),
        ("[1] developer: we use pnpm", "we use pnpm"),
        ("[user]: we use pnpm", "we use pnpm"),
        ("user names: lower case", "user names: lower case"),
    ],
)
def test_a_speaker_label_in_front_of_a_quote_is_no_part_of_it(quote: str, expected: str) -> None:
    assert expected == strip_label(quote)


@pytest.mark.parametrize(
    ("folded", "expected"),
    [("'we use pnpm.'", "we use pnpm"), ("...we use pnpm -", "we use pnpm"), ("(ok)", "ok"), ("...", "...")],
)
def test_outer_punctuation_is_trimmed(folded: str, expected: str) -> None:
    assert expected == trim(folded)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("never touch `*.lock` files", "never touch *.lock files"),
        ("the prefix is KFE_ always", "the prefix is kfe_ always"),
        ("use **pnpm** and _main_", "use pnpm and main"),
        ("run src/my_file_name.py", "run src/my_file_name.py"),
        ("use pnpm—always", "use pnpm - always"),
        ("go test —race", "go test --race"),
        ("go test –race", "go test -race"),
        ("1–2", "1-2"),
        ("“legacy/soap”", "'legacy/soap'"),
    ],
)
def test_values_keep_the_marks_that_belong_to_names(text: str, expected: str) -> None:
    assert expected == fold_value(text)
