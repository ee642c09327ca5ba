"""The log of what was read back: appended to, set aside when it has grown, without what was forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store import recalls
from store.scrub import Scrub


def test_what_is_appended_is_read_in_its_order(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    for number in (1, 2):
        recalls.append(home, {"number": number, "query": "größe\n"})
    assert [1, 2] == [line["number"] for line in recalls.read(home)]
    assert 0o600 == (tmp_path / "home" / "recalls.jsonl").stat().st_mode & 0o777


def test_a_line_that_was_cut_off_costs_itself_alone(tmp_path: Path) -> None:
    recalls.append(str(tmp_path), {"number": 1})
    with (tmp_path / "recalls.jsonl").open("a") as file:
        file.write('{"numb\n[]\n')
    recalls.append(str(tmp_path), {"number": 2})
    assert [{"number": 1}, {"number": 2}] == list(recalls.read(str(tmp_path)))


def test_it_is_set_aside_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalls, "LARGEST", 30)
    for number in range(5):  # 13 bytes each: the third one is too many
        recalls.append(str(tmp_path), {"number": number})
    assert [0, 1, 2, 3, 4] == [line["number"] for line in recalls.read(str(tmp_path))]
    recalls.append(str(tmp_path), {"number": 5})
    assert [3, 4, 5] == [line["number"] for line in recalls.read(str(tmp_path))]


def test_no_log_is_an_empty_one(tmp_path: Path) -> None:
    assert [] == list(recalls.read(str(tmp_path)))
    assert 0 == recalls.scrub(str(tmp_path), Scrub.of(["x"]))


def test_a_forgotten_value_leaves_the_requests_and_nothing_else_changes(tmp_path: Path) -> None:
    lines = [
        {"query": "Deploy to RELEASE/7 now", "shown": ["f_1"], "placed": {"f_1": "ask"}},
        {"query": "nothing", "shown": ["release/7"]},
        {"shown": []},
    ]
    for line in lines:
        recalls.append(str(tmp_path), line)
    with (tmp_path / "recalls.jsonl").open("a") as file:
        file.write("cut off: release/7\ncut off: main\n")
    assert 2 == recalls.scrub(str(tmp_path), Scrub.of(["release/7"]))
    assert [lines[0] | {"query": "Deploy to [forgotten] now"}, *lines[1:]] == list(recalls.read(str(tmp_path)))
    text = (tmp_path / "recalls.jsonl").read_text()
    assert (True, False) == ("cut off: main" in text, "cut off: release/7" in text)
    assert json.loads(text.splitlines()[1]) == lines[1]
