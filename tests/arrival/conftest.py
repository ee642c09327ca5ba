"""A checkout, a store with facts in it, and agents that call the hook as they do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from policy.load import load_policy
from store.records import Fact
from store.store import Store

REPO, DANA = "github.com/acme/webapp", "dana@acme.example"


@dataclass
class Desk:
    """One developer's machine: a user's home, the state directory, a checkout."""

    user: Path
    home: Path
    checkout: Path
    environ: dict[str, str] = field(default_factory=dict)

    def git(self, *words: str, where: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *words], cwd=where or self.checkout, env=self.environ, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def remember(
        self,
        value: str,
        type_name: str = "test_command",
        subject: str = "",
        *,
        days_ago: float = 3,
        owner: str = REPO,
        until: date | None = None,
    ) -> Fact:
        """A fact by hand, so many days ago."""
        now = datetime.now(UTC) - timedelta(days=days_ago)
        with Store(self.home).connect() as db:
            return db.add_fact(
                load_policy().types[type_name],
                owner=owner,
                subject=subject,
                value=value,
                actor=DANA,
                now=now,
                until=until,
                replace=True,
            )

    def run(self, *words: str, stdin: str = "", where: Path | None = None) -> subprocess.CompletedProcess[str]:
        """The command line, as a process."""
        return subprocess.run(
            [sys.executable, "-I", "-m", "afterpass", *words],
            cwd=where or self.checkout,
            env=self.environ,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def hook(self, **payload: object) -> str:
        """What an agent is told: the context, or nothing. The hook never fails and never talks."""
        told = {"session_id": "s-1", "cwd": str(self.checkout), "hook_event_name": "SessionStart"} | payload
        done = self.run("recall", "--hook", stdin=json.dumps(told))
        assert (0, "") == (done.returncode, done.stderr)
        if not done.stdout:
            return ""
        answer = json.loads(done.stdout)
        assert {"hookSpecificOutput": {"hookEventName": told["hook_event_name"]}} == {
            key: {name: value for name, value in inner.items() if name != "additionalContext"}
            for key, inner in answer.items()
        }
        return str(answer["hookSpecificOutput"]["additionalContext"])

    def prompt(self, text: str, **payload: object) -> str:
        """What a prompt is told."""
        return self.hook(hook_event_name="UserPromptSubmit", prompt=text, **payload)

    def records(self) -> list[dict[str, Any]]:
        """What is on record of the recalls."""
        path = self.home / "recalls.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def log(self) -> str:
        """What the hook had to say for itself."""
        path = self.home / "hook.log"
        return path.read_text("utf-8") if path.exists() else ""

    def kept(self) -> dict[str, str]:
        """The files of the folder of snapshots and of what was made from them."""
        folder = self.home / "recall"
        return {file.name: file.read_text("utf-8") for file in folder.iterdir()} if folder.exists() else {}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A checkout of a repository with a remote, on the machine of a developer whom git knows."""
    user, home, checkout = tmp_path / "user", tmp_path / "state", tmp_path / "src" / "webapp"
    user.mkdir()
    checkout.mkdir(parents=True)
    environ = {"HOME": str(user), "PATH": os.environ["PATH"], "AFTERPASS_HOME": str(home)}
    made = Desk(user, home, checkout, environ)
    made.git("init", "-q")
    made.git("remote", "add", "origin", "git@github.com:acme/webapp.git")
    made.git("config", "user.email", DANA)
    return made
