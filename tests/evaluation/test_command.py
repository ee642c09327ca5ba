"""``afterpass eval``: JSON on standard output, tables on a terminal, a page of its own, and what wrong use says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from afterpass.cli import run
from afterpass.exits import Exit
from tests.support.model_server import ModelServer, Request, Say

JUDGED: dict[str, Any] = {
    "id": "pnpm",
    "group": "plain",
    "session": {
        "header": {"afterpass": 1, "session": "s", "repo": "github.com/acme/webapp", "ended": "2026-06-10T09:40:00Z"},
        "turns": [{"id": "1", "speaker": "developer", "text": "we use pnpm in this repo"}],
    },
    "known": [],
    "tombstones": [],
    "refusals": [],
    "candidates": [
        {"turn": "1", "evidence": "we use pnpm", "type": "package_manager", "value": "pnpm", "kind": "standing"}
    ],
    "expect": [{"disposition": "write", "code": ["new", "additional"]}],
    "why": "<plain> & simple",
}


@pytest.fixture
def lifecycle(record: dict[str, Any], tmp_path: Path) -> Path:
    path = tmp_path / "lifecycle.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "judge.jsonl"
    other = {**JUDGED, "id": "yarn", "expect": [{"disposition": "discard", "code": "other_owner"}]}
    path.write_text(json.dumps(JUDGED) + "\n" + json.dumps(other) + "\n", encoding="utf-8")
    return path


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert Exit.OK == run(["eval", *arguments])
    return capsys.readouterr().out


def test_lifecycle_json(lifecycle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    got = json.loads(output_of(capsys, "lifecycle", str(lifecycle), "--json"))
    assert {"correct", "wrong", "unknown", "total", "by_category", "steps"} <= set(got["arms"]["afterpass"])
    assert {"none", "naive", "afterpass", "afterpass-without-one_off_cue"} <= set(got["arms"])
    assert {"id", "arm", "answer", "verdict", "lost_at"} <= set(got["cases"][0])
    assert ("gold", None) == (got["extractor"]["name"], got["extractor"]["model"])


def proposing(request: Request) -> Say:
    """A model that finds the tool of each session, and nothing else."""
    tool = "bun" if "we use bun" in request.prompt else "pnpm"
    found = {"turn": 1, "evidence": f"we use {tool} in this repo", "type": "package_manager", "value": tool}
    return Say(json.dumps({"reasoning": "", "candidates": [{**found, "kind": "standing", "importance": 8}]}))


def test_lifecycle_live_recorded_and_replayed(
    lifecycle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model is asked once for each session; replayed, alone or beside the cues, it says the same."""
    replies = str(tmp_path / "replies.jsonl")
    options = ["lifecycle", str(lifecycle), "--arm", "afterpass", "--json"]
    with ModelServer() as server:
        server.respond = proposing
        live = [*options, "--live", "--model", "m", "--base-url", server.openai_url, "--record", replies]
        alone = json.loads(output_of(capsys, *live, "--extractor", "openai"))
        assert 2 == len(server.chats)
        both = json.loads(output_of(capsys, *live))
        assert 2 == len(server.chats)
    assert {"correct": 1, "wrong": 0}.items() <= alone["arms"]["afterpass"].items()
    assert ("openai", "cues+openai") == (alone["extractor"]["name"], both["extractor"]["name"])
    again = json.loads(output_of(capsys, *options, "--replay", replies, "--extractor", "openai"))
    assert {"name": "openai", "model": "m", "replayed": True} == again["extractor"]
    assert alone["arms"] == again["arms"]
    again = json.loads(output_of(capsys, *options, "--replay", replies))
    assert {"name": "cues+openai", "model": "m", "replayed": True} == again["extractor"]
    assert both["arms"] == again["arms"]


def test_sessions_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = {"afterpass": 1, "session": "a", "repo": "example.org/x", "ended": "2026-01-01T10:00:00Z"}
    turn = {"speaker": "developer", "text": "We always start variable names with 'v_'."}
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "a.jsonl").write_text(json.dumps(header) + "\n" + json.dumps(turn) + "\n", encoding="utf-8")
    gold = tmp_path / "gold.json"
    topic = "always start variable names with 'v_'"
    gold.write_text(json.dumps([{"session": "a", "type": "instruction-add", "topic": topic}]), encoding="utf-8")
    got = json.loads(output_of(capsys, "sessions", str(folder), "--gold", str(gold), "--extractor", "cues", "--json"))
    assert (1, 1.0, 1.0, 1.0, None) == (
        got["sessions"],
        got["proposed"]["recall"],
        got["written"]["precision"],
        got["written"]["recall"],
        got["replacements"]["right_slot"],
    )


def test_cases_json(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    got = json.loads(output_of(capsys, "cases", str(cases), "--json"))
    assert (1, 2, {"plain": {"right": 1, "total": 2, "through_without": 0}}) == (
        got["right"],
        got["total"],
        got["groups"],
    )
    assert [("yarn", [{"disposition": "write", "code": "new"}])] == [(c["id"], c["got"]) for c in got["not_right"]]


def test_tables(lifecycle: Path, cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "lifecycle", str(lifecycle), "--arm", "afterpass")
    assert re.search(r"afterpass +1 +0 +0 +1", text)
    text = output_of(capsys, "cases", str(cases))
    assert re.search(r"all +1 +2", text)
    assert "discard/other_owner" in text


def test_a_page_of_its_own(lifecycle: Path, cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "report.html"
    output_of(capsys, "lifecycle", str(lifecycle), "--html", str(page), "--json")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "<svg" in text
    assert not re.search(r"https?://|<script|<link|@import", text)
    output_of(capsys, "cases", str(cases), "--html", str(page), "--json")
    assert "&lt;plain&gt; &amp; simple" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("code", "message", "arguments"),
    [
        (Exit.FAILED, "none.jsonl: no such file", ["lifecycle", "none.jsonl"]),
        (Exit.FAILED, "none.jsonl: no such file", ["cases", "none.jsonl"]),
        (Exit.FAILED, "none.json: cannot be read", ["sessions", ".", "--gold", "none.json"]),
        (Exit.USAGE, "--arm 'clever' is not an arm", ["lifecycle", "FILE", "--arm", "clever"]),
        (Exit.USAGE, "--tempting goes with the gold", ["lifecycle", "FILE", "--live", "--tempting"]),
        (Exit.USAGE, "exclude each other", ["lifecycle", "FILE", "--replay", "FILE", "--record", "FILE"]),
        (Exit.USAGE, "cues asks no model", ["lifecycle", "FILE", "--extractor", "cues", "--replay", "FILE"]),
        (Exit.USAGE, "cues asks no model", ["lifecycle", "FILE", "--live", "--extractor", "cues", "--record", "new"]),
        (Exit.FAILED, "not a recorded reply", ["lifecycle", "FILE", "--replay", "FILE"]),
    ],
)
def test_wrong_use(
    code: Exit,
    message: str,
    arguments: list[str],
    lifecycle: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(lifecycle.parent)
    assert code == run(["eval", *(str(lifecycle) if word == "FILE" else word for word in arguments)])
    said = capsys.readouterr()
    assert message in said.err
    assert "" == said.out
