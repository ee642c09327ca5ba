"""The measures from end to end: the hook tells, the session ends, the pass follows it up, ``stats`` counts."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any


def stats(desk: Any, *words: str) -> dict[str, Any]:
    """The measures, as a program reads them."""
    done = desk.run("stats", *words, "--json")
    assert 0 == done.returncode, done.stderr
    return dict(json.loads(done.stdout))


def session(desk: Any, *turns: tuple[str, str]) -> None:
    """The session that the hook told something goes on, ends, and is read."""
    now = datetime.now(UTC) + timedelta(minutes=1)
    header = {"afterpass": 1, "session": "s-1", "repo": "github.com/acme/webapp", "developer": "dana@acme.example"}
    lines = [header | {"ended": now.isoformat()}]
    lines += [
        {"id": str(place), "speaker": speaker, "text": text, "time": now.isoformat()}
        for place, (speaker, text) in enumerate(turns)
    ]
    path = desk.user / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    done = desk.run("run", str(path), "--extractor", "cues", "--json")
    assert 0 == done.returncode, done.stderr


def test_what_a_hook_told_is_followed_to_the_sessions_end(desk: Any) -> None:
    desk.remember("make test")
    desk.remember("make image", "build_command")
    desk.hook()
    session(desk, ("developer", "check it"), ("agent", "I ran `make test`: all green."))
    found = stats(desk)
    assert ("hook", 1, 0) == tuple(found["recalls"][0][name] for name in ("caller", "times", "silent"))
    assert (2, 2, 1, 1, 0.5) == tuple(found[name] for name in ("told", "followed", "used", "ignored", "use_rate"))
    assert (1, 0) == tuple(found["types"][name]["used"] for name in ("test_command", "build_command"))
    assert [] == desk.records()


def test_an_answer_counts_as_a_confirmation(desk: Any) -> None:
    fact = desk.remember("preview", "deploy_target", "staging", days_ago=70)
    desk.prompt("deploy to staging")
    day = fact.stated_at.date().isoformat()
    question = f'I have "preview" for the deploy target (staging), from {day} (70 days ago). Does it still hold?'
    session(desk, ("developer", "deploy to staging"), ("agent", question), ("developer", "yes"))
    found = stats(desk)
    assert (1, 1, 1, 0) == tuple(found[name] for name in ("asked", "answered", "confirmed", "changed"))
    assert (0, 0.0) == (found["missed"], found["change_rate"])


def test_the_table_says_the_same_and_nothing_read_back_says_so(desk: Any) -> None:
    desk.remember("make test")
    assert "nothing was read back yet" in desk.run("stats").stderr
    desk.hook()
    told = desk.run("stats").stdout
    assert "0 of 0 tellings of a fact whose session was read" in told
    assert "recalls (hook)    1, 0 with nothing to tell" in told
    assert "test_command" in told
    assert "" == desk.run("stats", "--since", "2100-01-01").stdout


def test_what_was_missed_is_counted_without_any_recall(desk: Any) -> None:
    desk.remember("pnpm", "package_manager", days_ago=20)
    question = ("agent", "Which package manager do you use here?")
    session(desk, ("developer", "add zod"), question, ("developer", "We use pnpm."), ("agent", "Done."))
    done = desk.run("stats")
    assert "nothing was read back yet" in done.stderr
    assert "missed            1 of 1 (100%) sessions, where an agent had to ask" in done.stdout
    assert "recalls" not in done.stdout


def test_a_log_of_nonsense_stops_neither_the_pass_nor_the_hook(desk: Any) -> None:
    desk.remember("make test")
    desk.home.joinpath("recalls.jsonl").write_bytes(b'\xff\n{"at": 1}\n[]\n{"at')
    assert "make test" in desk.hook()
    session(desk, ("developer", "check it"))
    assert 0 == stats(desk)["sessions"] - 1
