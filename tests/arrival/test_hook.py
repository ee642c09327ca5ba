"""The hook that tells, as agents call it: a process that answers in their form or says nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from store.snapshot import VERSION, name_of

DANA = "dana@acme.example"

CLAUDE_START = {
    "session_id": "5c0375b4-57a5-4f26-b12d-d022ee4e51b7",
    "transcript_path": "/home/dana/.claude/projects/-src-webapp/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl",
    "hook_event_name": "SessionStart",
    "source": "startup",
    "model": "claude-sonnet-4-5",
}
CLAUDE_PROMPT = {
    "session_id": "5c0375b4-57a5-4f26-b12d-d022ee4e51b7",
    "prompt_id": "p-1",
    "transcript_path": "/home/dana/.claude/projects/-src-webapp/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl",
    "permission_mode": "default",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "run the tests, please",
}
CODEX_START = {
    "session_id": "0199a213-81c0-7800-8aa1-bbab2a035a53",
    "transcript_path": None,
    "hook_event_name": "SessionStart",
    "model": "gpt-5-codex",
    "permission_mode": "default",
    "source": "startup",
}
CODEX_PROMPT = {
    "session_id": "0199a213-81c0-7800-8aa1-bbab2a035a53",
    "turn_id": "7",
    "transcript_path": None,
    "hook_event_name": "UserPromptSubmit",
    "model": "gpt-5-codex",
    "permission_mode": "default",
    "prompt": "run the tests, please",
}
GEMINI_START = {
    "session_id": "b7f0c7a2-0d3a-4d10-9a1c-0d6f0d1b2c3d",
    "transcript_path": "/home/dana/.gemini/tmp/webapp/chats/session-2026-06-10T09-00-b7f0c7a2.json",
    "hook_event_name": "SessionStart",
    "timestamp": "2026-06-10T09:00:00.000Z",
    "source": "startup",
}
GEMINI_PROMPT = {
    "session_id": "b7f0c7a2-0d3a-4d10-9a1c-0d6f0d1b2c3d",
    "transcript_path": "/home/dana/.gemini/tmp/webapp/chats/session-2026-06-10T09-00-b7f0c7a2.json",
    "hook_event_name": "BeforeAgent",
    "timestamp": "2026-06-10T09:01:00.000Z",
    "prompt": "run the tests, please",
}

HOLD = """
import fcntl, os, sys
lock = os.open(sys.argv[1] + "/afterpass.lock", os.O_RDWR | os.O_CREAT)
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def held(desk: Any) -> Any:
    """Another process holds the store for as long as it is asked to."""
    desk.home.mkdir(exist_ok=True)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(desk.home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert "held\n" == holder.stdout.readline()
    yield desk
    holder.communicate("")


@pytest.mark.parametrize("payload", [CLAUDE_START, CODEX_START, GEMINI_START])
def test_a_session_that_starts_is_told_what_counts(desk: Any, payload: dict[str, object]) -> None:
    fact = desk.remember("make test")
    day = fact.stated_at.date().isoformat()
    assert f'- test command: "make test" (said once {day}, by dana@acme.example, 3 days ago) [{fact.id}]' in desk.hook(
        **payload
    )


@pytest.mark.parametrize("payload", [CLAUDE_PROMPT, CODEX_PROMPT, GEMINI_PROMPT])
def test_a_prompt_is_told_what_matters_for_it(desk: Any, payload: dict[str, object]) -> None:
    desk.remember("make test")
    desk.remember("make image", "build_command")
    told = desk.hook(**payload)
    assert ('"make test"' in told, '"make image"' in told) == (True, False)


def test_a_question_comes_with_the_stored_value_and_its_date(desk: Any) -> None:
    fact = desk.remember("release/7", "deploy_target", "staging", days_ago=70)
    day = fact.stated_at.date().isoformat()
    question = f'I have "release/7" for the deploy target (staging), from {day} (70 days ago). Does it still hold?'
    assert question in desk.hook()
    assert question in desk.prompt("deploy to staging")


def test_nothing_known_and_nothing_asked_for_say_nothing(desk: Any) -> None:
    assert "" == desk.hook()
    desk.remember("make test")
    assert ("", "") == (desk.prompt("ok, thanks"), desk.prompt(""))


@pytest.mark.parametrize(
    "stdin",
    [
        "",
        "{",
        "[]",
        '"SessionStart"',
        "{}",
        '{"hook_event_name": "SessionEnd", "session_id": "s"}',
        '{"hook_event_name": "SessionStart", "cwd": "/nowhere/at/all"}',
        '{"hook_event_name": "SessionStart", "cwd": 7}',
        '{"hook_event_name": "UserPromptSubmit"}',
        '{"hook_event_name": "UserPromptSubmit", "prompt": "deploy", "agent_id": "a1"}',
    ],
)
def test_what_it_cannot_answer_costs_the_developer_nothing(desk: Any, stdin: str) -> None:
    done = desk.run("recall", "--hook", stdin=stdin)
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("home", ["/dev/null", "/dev/null/below", "/proc/none"])
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "SomethingElse"])
def test_a_home_that_cannot_be_written_is_silence(desk: Any, home: str, event: str) -> None:
    desk.environ["AFTERPASS_HOME"] = home
    payload = {"session_id": "s-1", "cwd": str(desk.checkout), "hook_event_name": event, "prompt": "deploy staging"}
    done = desk.run("recall", "--hook", stdin=json.dumps(payload))
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


def test_it_answers_while_another_process_writes(desk: Any, held: Any) -> None:
    desk.home.joinpath("recall").mkdir()
    for owner in (("repo", "github.com/acme/webapp"), ("developer", "dana@acme.example")):
        content = {"snapshot": VERSION, "owner": owner, "facts": [], "reviews": []}
        if owner[0] == "repo":
            said = datetime.now(UTC).isoformat()
            content["facts"] = [["f_1", "test_command", "", "make test", said, said, None, 1, None]]  # type: ignore[list-item]
        desk.home.joinpath("recall", f"{name_of(owner)}.json").write_text(json.dumps(content), "utf-8")
    desk.home.joinpath("afterpass.duckdb").write_bytes(b"")
    assert '"make test"' in desk.hook()


def test_without_a_snapshot_it_stays_silent_while_another_process_writes(desk: Any, held: Any) -> None:
    desk.home.joinpath("afterpass.duckdb").write_bytes(b"")
    assert "" == desk.hook()
    assert "worked out in the background instead" in desk.log()


def test_without_a_snapshot_the_store_answers_and_leaves_one(desk: Any) -> None:
    desk.remember("make test")
    for file in desk.kept():
        desk.home.joinpath("recall", file).unlink()
    assert '"make test"' in desk.hook()
    names = {"repo-github.com%2facme%2fwebapp.json", "developer-dana@acme.example.json"}
    assert names <= set(desk.kept())


def test_what_could_not_be_told_in_time_is_made_ready(desk: Any) -> None:
    desk.remember("make test")
    for file in desk.kept():
        desk.home.joinpath("recall", file).unlink()
    payload = json.dumps({"hook_event_name": "SessionStart", "cwd": str(desk.checkout)})
    done = desk.run("recall", "--hook", "--warm", payload)
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    assert "repo-github.com%2facme%2fwebapp.json" in desk.kept()
    assert [] == desk.records()


def test_a_store_that_cannot_be_reached_is_silence(desk: Any) -> None:
    desk.environ["AFTERPASS_STORE"] = "postgresql://127.0.0.1:9/nothing"
    assert "" == desk.hook()
    assert "StoreUnreachable" in desk.log()


def test_settings_that_cannot_be_read_are_silence(desk: Any) -> None:
    desk.remember("make test")
    desk.home.joinpath("settings.toml").write_text("polcy = 1", "utf-8")
    assert "" == desk.hook()
    assert "unknown key 'polcy'" in desk.log()


def test_a_forgotten_value_is_in_no_file_that_is_read(desk: Any) -> None:
    fact = desk.remember("make zebra")
    assert "zebra" in desk.hook()
    assert any("zebra" in content for content in desk.kept().values())
    assert 0 == desk.run("facts", "forget", fact.id).returncode
    assert not any("zebra" in content for content in desk.kept().values())
    assert "" == desk.hook()


def test_a_forgotten_value_leaves_the_requests_on_record(desk: Any) -> None:
    fact = desk.remember("make zebra")
    desk.prompt("why does make zebra run the tests twice?")
    assert "why does make zebra run the tests twice?" == desk.records()[-1]["query"]
    assert 0 == desk.run("facts", "forget", fact.id).returncode
    assert "why does [forgotten] run the tests twice?" == desk.records()[-1]["query"]


def test_each_recall_is_on_record_without_values(desk: Any) -> None:
    test, build = desk.remember("make test"), desk.remember("make image", "build_command")
    target = desk.remember("release/7", "deploy_target", "staging", days_ago=70)
    desk.prompt("run the tests, my key is AKIAIOSFODNN7EXAMPLE, then deploy to staging")
    (record,) = desk.records()
    wanted = ("by", "event", "session", "repo", "developer", "eligible", "placed", "shown", "asked", "left_out")
    assert {
        "by": "hook",
        "event": "UserPromptSubmit",
        "session": "s-1",
        "repo": "github.com/acme/webapp",
        "developer": "dana@acme.example",
        "eligible": sorted([test.id, build.id, target.id]),
        "placed": {test.id: "load", target.id: "ask"},
        "shown": sorted([test.id, target.id]),
        "asked": [target.id],
        "left_out": [],
    } == {name: sorted(record[name]) if name in ("eligible", "shown") else record[name] for name in wanted}
    assert ("AKIA" in record["query"], "make test" in json.dumps(record)) == (False, False)
    assert 0o600 == desk.home.joinpath("recalls.jsonl").stat().st_mode & 0o777


def test_a_prompt_repeats_only_what_has_to_be_asked(desk: Any) -> None:
    desk.remember("make test")
    desk.remember("release/7", "deploy_target", "staging", days_ago=70)
    request = "run the tests, then deploy to staging"
    desk.hook()
    assert ("make test" in desk.prompt(request), "release/7" in desk.prompt(request)) == (False, True)
    assert "make test" in desk.prompt(request, session_id="another")
    desk.remember("make check", days_ago=0)
    assert ["make check" in desk.prompt(request) for _ in range(2)] == [True, False]


def test_a_session_that_lost_its_context_is_told_again(desk: Any) -> None:
    desk.remember("make test")
    assert all("make test" in desk.hook(source=source) for source in ("startup", "compact", "resume"))


def test_a_long_prompt_is_looked_at_where_it_begins(desk: Any) -> None:
    desk.remember("make test")
    assert "make test" in desk.prompt("run the tests\n" + "x " * 500_000)


def test_nothing_heavy_is_loaded(desk: Any) -> None:
    desk.remember("make test")
    heavy = {"duckdb", "subprocess", "argparse", "logging", "threading", "tomllib", "yaml", "dataclasses", "store.sql"}
    payload = json.dumps({"session_id": "s", "cwd": str(desk.checkout), "hook_event_name": "SessionStart"})

    def loaded() -> set[str]:
        command = [sys.executable, "-I", "-X", "importtime", "-m", "afterpass", "recall", "--hook"]
        done = subprocess.run(
            command, env=desk.environ, input=payload, capture_output=True, text=True, check=True, cwd=Path("/")
        )
        return heavy & {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}

    assert {"duckdb", "store.sql"} <= loaded()  # the developer's snapshot is missing: the store is asked
    assert not loaded() & {"duckdb", "argparse", "logging", "threading", "yaml", "store.sql", "subprocess"}
    assert set() == loaded()


def test_a_contradiction_that_arises_in_a_session_is_told_once(desk: Any) -> None:
    desk.remember("pnpm", "package_manager")
    desk.hook()
    assert "" == desk.prompt("add zod")
    (desk.checkout / "yarn.lock").touch()
    assert '"yarn" (said by the repository\'s own files); memory differs: "pnpm"' in desk.prompt("add zod")
    assert "" == desk.prompt("add zod")
    (desk.checkout / "yarn.lock").unlink()
    assert '- package manager: "pnpm" (said' in desk.prompt("add zod")


def test_a_rival_that_is_stored_in_a_session_is_told(desk: Any) -> None:
    desk.remember("tests use pytest", "code_style", "test tool")
    desk.hook()
    assert "" == desk.prompt("which tool do the tests use?")
    desk.remember("run the tests with vitest", "decision", "vitest tests")
    asked = desk.prompt("which tool do the tests use?")
    assert 'which holds for the decision: "run the tests with vitest" or "tests use pytest"?' in asked


def test_a_prompt_with_a_full_path_is_told_what_is_off_limits(desk: Any) -> None:
    desk.remember("db/", "do_not_edit", days_ago=3)
    assert '"db/"' in desk.prompt(f"explain {desk.checkout}/db/a.sql and inline the view")


def test_an_address_is_one_person_in_any_spelling(desk: Any) -> None:
    desk.remember("squash every merge", "preference", "merges", owner=DANA)
    for spelling, is_told in ((DANA, True), ("Dana@Acme.Example", True), ("dan@acme.example", False)):
        desk.git("config", "user.email", spelling)
        assert is_told is ("squash every merge" in desk.hook())
        for words in ([], ["--developer", spelling.upper()]):
            answer = json.loads(
                desk.run("recall", "--type", "preference", "--subject", "merges", "--json", *words).stdout
            )
            assert is_told is (answer["value"] == "squash every merge")


def test_a_preference_by_hand_and_one_of_a_session_are_of_the_same_person(desk: Any, tmp_path: Any) -> None:
    desk.git("config", "user.email", "Dana@Acme.Example")
    desk.run("facts", "add", "--type", "preference", "--subject", "merges", "--value", "squash every merge")
    header = {"afterpass": 1, "session": "s", "repo": "github.com/acme/webapp", "developer": "DANA@acme.example"}
    said = {"id": "1", "speaker": "developer", "time": "2026-06-01T09:00:00Z", "text": "I prefer short summaries"}
    told = {"id": "2", "speaker": "agent", "time": "2026-06-01T09:01:00Z", "text": "Noted."}
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (header, said, told)), "utf-8")
    desk.run("run", str(tmp_path / "s.jsonl"), "--extractor", "cues")
    owners = [fact["owner"] for fact in json.loads(desk.run("facts", "--json").stdout)]
    assert [DANA, DANA] == owners
