"""Somebody at a terminal, whose every command is a whole process."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

USE = "we use pnpm here"


class Person:
    """Somebody at a terminal: a home, a folder of transcripts, and nothing of this machine's user."""

    def __init__(self, place: Path) -> None:
        self.home = place / "home"
        self.sessions = place / "sessions"
        self.sessions.mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        self.environ = kept | {"HOME": str(place / "nobody"), "AFTERPASS_HOME": str(self.home)}

    def has(self, name: str, text: str = USE, *, cut: int = 0) -> Path:
        """A transcript; ``cut`` characters of its end are not written yet."""
        header = {"afterpass": 1, "session": name, "repo": f"github.com/acme/{name}", "ended": "2026-06-10T09:40:00Z"}
        turn = {"id": "1", "speaker": "developer", "time": "2026-06-10T09:30:00Z", "text": text}
        lines = "".join(json.dumps(line) + "\n" for line in (header, turn))
        path = self.sessions / f"{name}.jsonl"
        path.write_text(lines[: len(lines) - cut], "utf-8")
        return path

    def says(self, *words: str, disk: int | None = None, **how: Any) -> subprocess.CompletedProcess[str]:
        """One command, to its end. On a full ``disk``, what goes beyond so many bytes of a file is refused."""
        environ = self.environ | how.pop("environ", {})
        command = [sys.executable, "-I", *(["-B"] if disk else []), "-m", "afterpass", *words]
        if disk:
            how["preexec_fn"] = partial(_fill, disk)
        caught: dict[str, Any] = {"capture_output": True, "text": True, "check": False}
        return subprocess.run(command, env=environ, **(caught | how))

    def runs(self, *words: str, extractor: str = "cues", **how: Any) -> subprocess.CompletedProcess[str]:
        """``afterpass run`` over the folder."""
        return self.says("run", str(self.sessions), "--extractor", extractor, *words, **how)

    def gets(self, *words: str) -> Any:
        """The JSON document of a command that succeeds."""
        done = self.says(*words, "--json")
        assert 0 == done.returncode, done.stderr
        return json.loads(done.stdout)

    @property
    def states(self) -> dict[str, str]:
        """Every session of the ledger with its state."""
        return {row["key"]: row["state"] for row in self.gets("status", "--sessions")["list"]}

    @property
    def values(self) -> list[str]:
        """What is believed."""
        return [row["value"] for row in self.gets("facts")]


def line(done: subprocess.CompletedProcess[str], code: int) -> str:
    """The one line on standard error of a command that ended with this code."""
    assert code == done.returncode, done.stderr
    assert 1 == done.stderr.count("\n"), done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def _fill(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
