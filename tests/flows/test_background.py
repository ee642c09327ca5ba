"""The pass behind the hook: detached, one running and one waiting, killed at any moment, and nothing is lost."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows.locks import ProcessLock
from store.store import Store
from tests.flows.conftest import Write, ago, writer_in

STORY = [
    ("february", "2026-02-10T10:00:00Z", [("developer", "we use npm here"), ("agent", "ok")]),
    ("april", "2026-04-10T10:00:00Z", [("developer", "never touch legacy/"), ("agent", "ok")]),
    ("may", "2026-05-10T10:00:00Z", [("developer", "just this once, skip the linter")]),
    ("june", "2026-06-10T10:00:00Z", [("developer", "from now on we use pnpm, not npm"), ("agent", "noted")]),
]
PATIENCE = 60.0
ROOT = Path(__file__).parents[2]


def environment(home: Path) -> dict[str, str]:
    """No agent of this machine, no setting of its user."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {"HOME": str(home.parent / "nobody"), "AFTERPASS_HOME": str(home)}


def command(*words: str) -> list[str]:
    return [sys.executable, "-I", "-m", "afterpass", *words]


def hook(home: Path, path: Path, *flags: str, event: str = "SessionEnd") -> None:
    payload = {"session_id": path.stem, "transcript_path": str(path), "cwd": "/", "hook_event_name": event}
    subprocess.run(command("hook", *flags), input=json.dumps(payload).encode(), env=environment(home), check=True)


def until(holds: Callable[[], bool]) -> None:
    """Wait for another process, boundedly."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def inbox(home: Path) -> list[str]:
    return sorted(file.name for file in (home / "inbox").glob("*"))


def tell(write: Write, home: Path) -> list[Path]:
    """Four sessions of one repository, and a home that looks for sessions where they lie."""
    paths = [write(name, turns, ended=ended) for name, ended, turns in STORY]
    home.mkdir()
    (home / "settings.toml").write_text(f'extractor = "cues"\nroots = ["{paths[0].parent}"]\n', "utf-8")
    return paths


@pytest.fixture
def story(write: Write, home: Path) -> list[Path]:
    """The sessions, before any pass."""
    return tell(write, home)


def state(home: Path) -> dict[str, Any]:
    """Everything that a pass leaves, without what differs from run to run: ids and the time of recording."""
    with Store(home).connect() as db:
        sessions = [(row.key, row.state, row.turn_count, row.fingerprint, row.attempts) for row in db.sessions()]
        return {
            "sessions": sorted(sessions),
            "facts": sorted(
                (f.type, f.subject, f.value, f.state, f.stated_at, f.times_stated) for f in db.facts(all=True)
            ),
            "reviews": [
                (r.kind, r.type, r.current, r.proposed, r.state, len(r.proposals)) for r in db.reviews(all=True)
            ],
            "candidates": [
                (row.session, row.position, row.quote, row.code, row.applied)
                for key, *_ in sorted(sessions)
                for row in db.candidates(key)
            ],
            "seen": {Path(name).name: rest for name, rest in db.seen_files().items()},
            "inbox": inbox(home),
        }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The state that a pass leaves which nobody interrupted."""
    place = tmp_path_factory.mktemp("undisturbed")
    tell(writer_in(place), place / "home")
    subprocess.run(command("run"), env=environment(place / "home"), capture_output=True, check=True)
    return state(place / "home")


def test_the_story_is_worth_comparing(undisturbed: dict[str, Any]) -> None:
    assert [("package_manager", "npm"), ("do_not_edit", "legacy/")] == [
        (kind, value) for kind, _, value, *_ in sorted(undisturbed["facts"], reverse=True)
    ]
    assert [("replacement", "npm", "pnpm")] == [(r[0], r[2], r[3]) for r in undisturbed["reviews"]]


def test_a_hook_starts_the_pass_and_the_marker_goes_when_the_session_is_on_record(
    story: list[Path], home: Path, undisturbed: dict[str, Any]
) -> None:
    hook(home, story[-1])
    until(lambda: not inbox(home))
    until(lambda: ProcessLock(home / "background.running").acquire(wait=False))
    assert undisturbed == state(home)
    assert "pass: 4 done" in (home / "background.log").read_text("utf-8")


def test_many_hooks_at_once_end_in_one_state(story: list[Path], home: Path, undisturbed: dict[str, Any]) -> None:
    for path in story * 3:
        hook(home, path)
    until(lambda: not inbox(home))
    until(lambda: ProcessLock(home / "background.running").acquire(wait=False))
    assert undisturbed == state(home)
    passes = (home / "background.log").read_text("utf-8").count("pass: ")
    assert 1 <= passes < 12


def test_a_hook_whose_pass_would_only_wait_behind_another_starts_none(story: list[Path], home: Path) -> None:
    waiting = ProcessLock(home / "background.waiting")
    assert waiting.acquire(wait=False)
    hook(home, story[0])
    assert 1 == len(inbox(home))
    assert not (home / "background.log").exists()
    waiting.release()


def test_a_second_process_in_line_leaves_at_once(story: list[Path], home: Path) -> None:
    hook(home, story[0], "--record-only")
    with ProcessLock(home / "background.waiting"):
        subprocess.run(command("hook", "--background"), env=environment(home), timeout=PATIENCE, check=True)
    assert 1 == len(inbox(home))


def test_the_one_in_line_waits_for_the_running_one(story: list[Path], home: Path) -> None:
    hook(home, story[0], "--record-only")
    with ProcessLock(home / "background.running"):
        second = subprocess.Popen(command("hook", "--background"), env=environment(home))
        waiting = ProcessLock(home / "background.waiting")
        until(lambda: not waiting.acquire(wait=False) or bool(waiting.release()))
        assert (None, 1) == (second.poll(), len(inbox(home)))
    assert 0 == second.wait(PATIENCE)
    assert [] == inbox(home)


def test_a_turn_that_has_just_ended_is_waited_for(home: Path, write: Write) -> None:
    path = write("now", [("developer", "we use npm here")], ended=ago())
    home.mkdir()
    (home / "settings.toml").write_text('extractor = "cues"\nturn_end_minutes = 0.03\n', "utf-8")
    hook(home, path, event="Stop")
    until(lambda: not inbox(home))
    until(lambda: ProcessLock(home / "background.running").acquire(wait=False))
    assert ["npm"] == [fact[2] for fact in state(home)["facts"]]


def test_a_broken_setting_is_one_line_in_the_log_and_loses_nothing(story: list[Path], home: Path) -> None:
    (home / "settings.toml").write_text('modle = "x"\n', "utf-8")
    hook(home, story[0])
    until((home / "background.log").exists)
    until(lambda: "nearest known key" in (home / "background.log").read_text("utf-8"))
    assert 1 == (home / "background.log").read_text("utf-8").count("\n")
    assert 1 == len(inbox(home))


def kill_while_passing(home: Path, after: float) -> bool:
    """Run the background pass and kill it after that many seconds; whether it was still running."""
    background = subprocess.Popen(command("hook", "--background"), env=environment(home))
    try:
        background.wait(after)
    except subprocess.TimeoutExpired:
        background.send_signal(signal.SIGKILL)
        background.wait(PATIENCE)
        return True
    return False


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> float:
    """How many seconds a background pass over the story takes on this machine, now."""
    place = tmp_path_factory.mktemp("whole")
    for path in tell(writer_in(place), place / "home"):
        hook(place / "home", path, "--record-only")
    started = time.monotonic()
    assert not kill_while_passing(place / "home", PATIENCE)
    return time.monotonic() - started


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 20))])
def test_after_a_kill_at_a_random_moment_one_pass_leaves_the_undisturbed_state(
    story: list[Path], home: Path, undisturbed: dict[str, Any], whole: float, seed: int
) -> None:
    hook(home, story[-1], "--record-only")
    chance = random.Random(seed)
    for _ in range(2):
        kill_while_passing(home, whole * chance.uniform(0.1, 1.0))
    subprocess.run(command("run"), env=environment(home), capture_output=True, check=True)
    assert undisturbed == state(home)


def test_a_full_disk_is_one_line_and_loses_nothing(story: list[Path], home: Path, undisturbed: dict[str, Any]) -> None:
    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    full = subprocess.run(command("run"), env=environment(home), preexec_fn=fill, capture_output=True, check=False)
    assert (1, b"", 1) == (full.returncode, full.stdout, full.stderr.count(b"\n"))
    subprocess.run(command("run"), env=environment(home), capture_output=True, check=True)
    assert undisturbed == state(home)


def test_two_passes_at_once_leave_the_undisturbed_state(
    story: list[Path], home: Path, undisturbed: dict[str, Any]
) -> None:
    both = [subprocess.Popen(command("run", "--json"), env=environment(home), stdout=subprocess.PIPE) for _ in "ab"]
    told = [json.loads(process.communicate(timeout=PATIENCE)[0]) for process in both]
    assert 4 == sum(one["sessions"]["done"] for one in told)
    assert undisturbed == state(home)


def as_a_shell_says(code: int) -> int:
    """While Python starts and ends, a signal does what it does to any process; a shell counts that as 128 and more."""
    return 128 - code if code < 0 else code


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_pass_ends_with_its_code_and_the_next_one_finishes(
    story: list[Path], home: Path, undisturbed: dict[str, Any], sent: signal.Signals, code: int
) -> None:
    database = home / "afterpass.duckdb"
    running = subprocess.Popen(command("run"), env=environment(home), stderr=subprocess.PIPE)
    until(database.exists)
    running.send_signal(sent)
    said = running.communicate(timeout=PATIENCE)[1].decode()
    assert as_a_shell_says(running.returncode) in {code, 0}, said  # 0: it had finished already
    assert "Traceback" not in said
    subprocess.run(command("run"), env=environment(home), capture_output=True, check=True)
    assert undisturbed == state(home)


INTERRUPT = """
import os, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), int(sys.argv[2]))
        return None

sys.meta_path.insert(0, Interrupting())
from afterpass.cli import run
sys.exit(run(["run", "--extractor", "cues"]))
"""


@pytest.mark.parametrize("module", ["flows.run", "duckdb", "_duckdb", "atexit", "duckdb.value", "zoneinfo"])
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_while_the_program_loads_ends_with_its_code(
    story: list[Path], home: Path, module: str, sent: signal.Signals, code: int
) -> None:
    command = [sys.executable, "-c", INTERRUPT, module, str(int(sent))]
    ended = subprocess.run(command, env=environment(home), cwd=ROOT, capture_output=True, text=True, check=False)
    assert (code, "") == (ended.returncode, ended.stdout), ended.stderr
    assert "Traceback" not in ended.stderr


HANGING = """
import signal, sys, threading
from afterpass import cli

class Hanging:
    def add_arguments(self, parser):
        pass

    def run(self, args):
        try:
            signal.raise_signal(int(sys.argv[1]))
        finally:
            threading.Event().wait()

cli.UNWINDING_SECONDS = 0.1
sys.modules["afterpass.commands.run"] = Hanging()
sys.exit(cli.run(["run"]))
"""


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_a_command_that_hangs_while_it_gives_back(sent: signal.Signals, code: int) -> None:
    command = [sys.executable, "-c", HANGING, str(int(sent))]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (code, "") == (ended.returncode, ended.stderr)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_after_an_interrupt_at_a_random_moment_one_pass_leaves_the_undisturbed_state(
    story: list[Path], home: Path, undisturbed: dict[str, Any], whole: float, sent: signal.Signals, code: int, seed: int
) -> None:
    running = subprocess.Popen(command("run"), env=environment(home), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        said = running.communicate(timeout=whole * random.Random(seed).uniform(0.2, 1.0))[1]
    except subprocess.TimeoutExpired:
        running.send_signal(sent)
        said = running.communicate(timeout=PATIENCE)[1]
    assert as_a_shell_says(running.returncode) in {code, 0}, said  # 0: it had finished already
    assert b"Traceback" not in said
    subprocess.run(command("run"), env=environment(home), capture_output=True, check=True)
    assert undisturbed == state(home)
