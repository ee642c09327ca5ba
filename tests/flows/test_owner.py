"""Whose a session is, under the names that the settings give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.gather import Source
from flows.steps import Reading, read_source
from policy.settings import Settings

GONE = "/home/dana/src/webapp"


def source(tmp_path: Path, cwd: str) -> Source:
    """A Claude Code session that ran in a directory which is not on this machine."""
    record = {
        "type": "user",
        "sessionId": "s-1",
        "uuid": "u-1",
        "cwd": cwd,
        "version": "2.1.112",
        "timestamp": "2026-06-10T09:00:00Z",
        "message": {"role": "user", "content": "we use pnpm here"},
    }
    path = tmp_path / "s-1.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return Source(path, path.stat().st_size, path.stat().st_mtime_ns)


@pytest.mark.parametrize(
    ("cwd", "repo"),
    [
        (GONE, "github.com/acme/webapp"),
        (f"{GONE}/packages/cart", "github.com/acme/webapp"),
        (f"{GONE}-old", f"{GONE}-old"),
        (f"{GONE}/vendor/kit/src", "github.com/acme/kit"),
    ],
)
def test_a_directory_that_is_gone_belongs_to_the_repository_of_the_longest_configured_path(
    tmp_path: Path, cwd: str, repo: str
) -> None:
    """A neighbour with the same beginning is another directory."""
    names = ((GONE, "github.com/acme/webapp"), (f"{GONE}/vendor/kit", "github.com/acme/kit"))
    read = read_source(source(tmp_path, cwd), Settings(home=tmp_path, repositories=names))
    assert isinstance(read, Reading)
    assert repo == read.session.repo
    assert repo == read.file.repo


def test_a_home_folder_name_is_the_person_that_the_settings_say(tmp_path: Path) -> None:
    """The session and each of its turns."""
    settings = Settings(home=tmp_path, developers=(("dana", "dana@acme.example"),))
    read = read_source(source(tmp_path, GONE), settings)
    assert isinstance(read, Reading)
    assert "dana@acme.example" == read.session.developer
    assert ["dana@acme.example"] == [turn.developer for turn in read.session.turns]
