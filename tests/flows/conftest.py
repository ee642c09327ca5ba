"""Sessions written on the fly, and a home that nobody else's state can reach."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from policy.settings import Settings

REPO = "github.com/acme/webapp"
Write = Callable[..., Path]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings(home=home, extractor="cues", workers=2, roots=(home.parent / "sessions",))


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """An environment in which no agent of this machine has a session."""
    return {"HOME": str(tmp_path / "nobody")}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a neutral session file; the file's time is that of its last turn."""
    return writer_in(tmp_path)


def writer_in(place: Path) -> Write:
    """What ``write`` gives, for any folder."""

    def writer(name: str, turns: Iterable[tuple[str, str]], **header: Any) -> Path:
        ended = header.pop("ended", "2026-06-10T09:40:00Z")
        path = place / "sessions" / header.pop("folder", ".") / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines: list[dict[str, Any]] = [
            {"afterpass": 1, "session": name, "repo": REPO, "developer": "dana@acme.example", "ended": ended} | header
        ]
        last = datetime.fromisoformat(ended)
        turns = list(turns)
        for number, (speaker, text) in enumerate(turns, 1):
            time = last - timedelta(minutes=len(turns) - number)
            lines.append({"id": f"{name}-{number}", "speaker": speaker, "time": time.isoformat(), "text": text})
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        os.utime(path, (last.timestamp(), last.timestamp()))
        return path

    return writer


def ago(**distance: float) -> str:
    """A time before now, as ISO 8601."""
    return (datetime.now(UTC) - timedelta(**distance)).isoformat()
