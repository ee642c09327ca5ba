"""Bad input, and what it gets: one line that says what, where and the next command, an exit code, and nothing is lost.

Every case is a whole process, as a person starts it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from store.store import Store
from tests.support.model_server import ModelServer, Say, Silence, Status
from tests.support.person import USE, Person, line

FACT = {"turn": 1, "evidence": USE, "type": "package_manager", "subject": "", "value": "pnpm", "kind": "standing"}
NEWER = "INSERT INTO migrations (version, name, applied_at) VALUES (999, 'later', now())"


def test_no_such_file(person: Person) -> None:
    told = line(person.says("run", "/nowhere/at/all.jsonl"), 1)
    assert "/nowhere/at/all.jsonl: no such file or folder" in told
    assert not person.home.exists()


def test_a_folder_without_transcripts(person: Person) -> None:
    told = line(person.runs(), 1)
    assert f"{person.sessions}: no transcript in this folder" in told
    assert "`afterpass run`" in told


def test_an_unreadable_file_is_named_and_taken_when_it_can_be_read(person: Person) -> None:
    path = person.has("shut")
    person.has("open")
    with unreadable(path) as shut:
        told = line(person.says("run", str(shut), str(person.sessions / "open.jsonl"), "--extractor", "cues"), 1)
    assert f"afterpass run {shut}" in told
    assert {"neutral:open": "done"} == person.states
    assert 0 == person.runs().returncode
    assert "done" == person.states["neutral:shut"]


@contextmanager
def unreadable(path: Path) -> Iterator[Path]:
    """A file that cannot be read by this user; root reads everything but the memory of a process from its start."""
    if os.geteuid() == 0:
        yield Path("/proc/self/mem")
        return
    path.chmod(0)
    yield path
    path.chmod(0o600)


@pytest.mark.parametrize(
    ("content", "code"),
    [("", "empty"), ('{"foo": 1}\n', "unknown_format"), ("\0\1\2", "unknown_format"), ("[1, 2", "unknown_format")],
)
def test_a_file_without_a_session_is_skipped_with_its_reason(person: Person, content: str, code: str) -> None:
    (person.sessions / "odd.jsonl").write_text(content, "utf-8")
    person.has("good")
    done = person.runs("-v")
    assert 0 == done.returncode
    assert f"skipped     1 {code}" in done.stdout
    assert f"{person.sessions / 'odd.jsonl'}: {code}: " in done.stdout
    assert ["pnpm"] == person.values


def test_a_transcript_that_is_still_being_written_is_read_to_its_last_whole_line_and_then_on(person: Person) -> None:
    path = person.has("growing", cut=20)
    first = person.runs("-v")
    assert (0, []) == (first.returncode, person.values)
    assert "still being written" in first.stdout
    person.has("growing")
    assert 0 == person.runs().returncode
    assert ["pnpm"] == person.values
    assert "done" == person.gets("explain", str(path))["session"]["state"]


def test_a_damaged_line_costs_only_itself_and_is_named(person: Person) -> None:
    path = person.has("damaged")
    header, turn = path.read_text("utf-8").splitlines()
    path.write_text(f'{header}\n{{"speaker": "developer", broken\n{turn}\n', "utf-8")
    done = person.runs("-v")
    assert 0 == done.returncode
    assert "damaged     1 line in 1 file" in done.stdout
    assert f"{path}: 1 line, the first: line 2: " in done.stdout
    assert ["pnpm"] == person.values
    assert f"{path}: line 2: " in person.says("status", "--sessions").stdout


def test_a_policy_file_with_an_unknown_key(person: Person, tmp_path: Path) -> None:
    person.has("a")
    team = tmp_path / "team.toml"
    team.write_text('[types.port]\nvalue = "statement"\nstakez = "low"\n', "utf-8")
    told = line(person.runs(environ={"AFTERPASS_POLICY": str(team)}), 1)
    assert f"{team}: types.port.stakez" in told
    assert "did you mean stakes?" in told
    assert not person.home.exists()


def test_a_settings_file_with_an_unknown_key(person: Person) -> None:
    person.home.mkdir()
    (person.home / "settings.toml").write_text('modle = "x"\n', "utf-8")
    told = line(person.runs(), 2)
    assert f"{person.home / 'settings.toml'}: unknown key 'modle' (the nearest known key is 'model')" in told


@pytest.mark.parametrize(
    ("extractor", "path", "next_step"), [("ollama", "", "ollama serve"), ("openai", "/v1", "--base-url")]
)
def test_an_unreachable_model_server_leaves_the_session_pending_until_it_is_there(
    person: Person, extractor: str, path: str, next_step: str
) -> None:
    person.has("a")
    person.has("b")
    with ModelServer() as gone:
        url = gone.url
    told = line(person.runs("--model", "m", "--base-url", url + path, extractor=extractor), 1)
    assert told.startswith("a, b: ")
    assert url in told
    assert next_step in told
    assert {"neutral:a": "pending", "neutral:b": "pending"} == person.states
    with ModelServer() as server:
        server.respond = lambda _: say({"candidates": [FACT]})
        again = person.runs("--model", "m", "--base-url", server.url + path, extractor=extractor)
    assert 0 == again.returncode, again.stderr
    assert ["pnpm", "pnpm"] == person.values


def say(reply: Any) -> Any:
    return Say(json.dumps(reply))


def test_a_model_that_is_not_pulled(person: Person) -> None:
    person.has("a")
    with ModelServer(models=("other",)) as server:
        told = line(person.runs("--model", "m", "--base-url", server.url, extractor="ollama"), 1)
        assert "ollama pull m" in told
        assert "--retry-failed" in told
        server.models = ("other", "m")
        server.say({"candidates": [FACT]})
        again = person.runs("--model", "m", "--base-url", server.url, "--retry-failed", extractor="ollama")
    assert 0 == again.returncode, again.stderr
    assert ["pnpm"] == person.values


def test_a_model_that_is_not_named(person: Person) -> None:
    person.has("a")
    assert "--model NAME" in line(person.runs(extractor="openai"), 1)
    assert not person.home.exists()


def test_invalid_json_from_the_model_is_asked_for_again_and_then_a_named_failure(person: Person) -> None:
    person.has("a")
    with ModelServer() as server:
        server.say("I could not find anything.", "Still nothing to say in JSON.")
        words = ("--model", "m", "--base-url", server.openai_url)
        told = line(person.runs(*words, extractor="openai"), 1)
        assert 2 == len(server.chats)
        assert "a: " in told
        assert {"neutral:a": "pending"} == person.states
        server.say({"candidates": [FACT]})
        assert 0 == person.runs(*words, extractor="openai").returncode
    assert ["pnpm"] == person.values


def test_a_key_that_is_refused_waits_for_a_person(person: Person) -> None:
    person.has("a")
    with ModelServer() as server:
        server.misbehave(Status(401, "Incorrect API key provided"))
        words = ("--model", "m", "--base-url", server.openai_url)
        assert "AFTERPASS_API_KEY" in line(person.runs(*words, extractor="openai"), 1)
        assert {"neutral:a": "failed"} == person.states
        assert 1 == person.runs(*words, extractor="openai").returncode
        assert 1 == len(server.chats)  # it is not asked again before somebody says so
        assert 0 == person.runs(*words, "--retry-failed", extractor="openai").returncode


def test_a_disk_that_is_full(person: Person) -> None:
    person.has("a")
    told = line(person.runs(disk=4096), 1)
    assert "the disk is full" in told
    assert str(person.home) in told
    assert 0 == person.runs().returncode
    assert ["pnpm"] == person.values


def test_a_database_of_a_newer_version(person: Person) -> None:
    person.has("a")
    assert 0 == person.runs().returncode
    with Store(person.home).connect() as db:
        db.sql.script(NEWER)
    before = (person.home / "afterpass.duckdb").read_bytes()
    for words in (("run", str(person.sessions), "--extractor", "cues"), ("facts",), ("status",)):
        told = line(person.says(*words), 1)
        assert "schema 999" in told
        assert "upgrade Afterpass" in told
    assert before == (person.home / "afterpass.duckdb").read_bytes()


def test_a_database_that_is_locked_for_long(person: Person) -> None:
    person.has("a")
    assert 0 == person.runs().returncode
    person.has("b")
    with Store(person.home).connect():
        told = line(person.runs(environ={"AFTERPASS_LOCK_TIMEOUT": "0.2"}), 1)
    assert f"{person.home / 'afterpass.duckdb'} was held by process {os.getpid()} for more than 0.2 seconds" in told
    assert f"ps -p {os.getpid()}" in told
    assert 0 == person.runs().returncode
    assert 2 == len(person.values)


def test_a_file_that_is_no_database(person: Person) -> None:
    person.has("a")
    person.home.mkdir()
    (person.home / "afterpass.duckdb").write_text("not a database", "utf-8")
    told = line(person.runs(), 1)
    assert str(person.home / "afterpass.duckdb") in told
    assert "move the file aside" in told
    assert "not a database" == (person.home / "afterpass.duckdb").read_text("utf-8")


def test_two_passes_at_once_take_each_session_once(person: Person) -> None:
    for name in "abcd":
        person.has(name)
    command = [sys.executable, "-I", "-m", "afterpass", "run", str(person.sessions), "--extractor", "cues", "--json"]
    both = [subprocess.Popen(command, env=person.environ, stdout=subprocess.PIPE) for _ in "ab"]
    told = [json.loads(each.communicate(timeout=60)[0]) for each in both]
    assert (4, [0, 0]) == (sum(each["sessions"]["done"] for each in told), [each.returncode for each in both])
    assert 4 == len(person.values)


@pytest.mark.parametrize(
    ("sent", "code", "how"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_an_interrupt_while_a_model_thinks(person: Person, sent: signal.Signals, code: int, how: str) -> None:
    person.has("a")
    asked: list[subprocess.Popen[str]] = []

    def interrupt(_: Any) -> Any:
        asked[0].send_signal(sent)
        return Silence()

    with ModelServer() as server:
        server.respond = interrupt
        words = ("--extractor", "openai", "--model", "m", "--base-url", server.openai_url)
        command = [sys.executable, "-I", "-m", "afterpass", "run", str(person.sessions), *words]
        streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        asked.append(subprocess.Popen(command, env=person.environ, **streams))
        out, said = asked[0].communicate(timeout=60)
        assert (code, "") == (asked[0].returncode, out), said
        assert [
            f"{how}: what was finished is kept, the rest is taken up by the next `afterpass run`"
        ] == said.splitlines()
        assert {"neutral:a": "pending"} == person.states
        server.respond = lambda _: say({"candidates": [FACT]})
        assert 0 == person.says("run", str(person.sessions), *words).returncode
    assert ["pnpm"] == person.values


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "no-such-session"),
        ("review", "accept", "r_none"),
        ("review", "undo", "r_none"),
        ("read", "/nowhere.jsonl"),
    ],
)
def test_what_is_not_there_is_one_line_with_the_next_command(person: Person, words: tuple[str, ...]) -> None:
    assert "(" in line(person.says(*words), 1)


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Person:
    """Somebody whose sessions were read."""
    person = Person(tmp_path_factory.mktemp("settled"))
    person.has("a")
    person.has("b", "just this once use npm")
    assert 0 == person.runs().returncode
    return person


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("facts",),
        ("facts", "--json"),
        ("rejected",),
        ("rejected", "--format", "csv"),
        ("explain", "a"),
        ("read", "a"),
        ("status",),
        ("run", "--extractor", "cues"),
    ],
)
def test_a_closed_pipe_ends_quietly(settled: Person, words: tuple[str, ...]) -> None:
    """``afterpass facts | head -1`` is no failure, however much has been written when the reader goes."""
    reads, writes = os.pipe()
    os.close(reads)
    command = [sys.executable, "-I", "-m", "afterpass", *words]
    ended = subprocess.run(command, env=settled.environ, stdout=writes, stderr=subprocess.PIPE, check=False)
    os.close(writes)
    assert (0, b"") == (ended.returncode, ended.stderr)
