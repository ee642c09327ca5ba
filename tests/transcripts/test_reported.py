"""What went wrong in other readers of these formats, by the number under which it was reported."""

# ruff: noqa: E501 - a record stays on one line

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from transcripts.registry import read_transcript
from transcripts.session import Origin, Session, Skipped

Lines = list[dict[str, Any] | bytes]


def user(content: Any, uuid: str = "", **more: Any) -> dict[str, Any]:
    """A Claude Code record of type user."""
    uuid = uuid or f"u-{abs(hash(json.dumps([content, more], sort_keys=True))) % 10**9}"
    record = {"type": "user", "uuid": uuid, "sessionId": "s", "cwd": "/home/dana/shop", "version": "2.1.40"}
    return {**record, "timestamp": "2026-03-01T10:00:00Z", "message": {"role": "user", "content": content}, **more}


def agent(*blocks: Any, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {"role": "assistant", "content": content}
    return {
        "type": "assistant",
        "uuid": f"a-{len(str(content))}",
        "sessionId": "s",
        "timestamp": "2026-03-01T10:00:00Z",
        "message": message,
        **more,
    }


def result(content: Any, *beside: str, **block: Any) -> list[dict[str, Any]]:
    return [
        {"type": "tool_result", "tool_use_id": "t", "content": content, **block},
        *({"type": "text", "text": text} for text in beside),
    ]


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def queue(operation: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    record = {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": "2026-03-01T10:00:00Z",
        "sessionId": "s",
        **more,
    }
    return record if content is None else {**record, "content": content}


def queued(prompt: Any, **more: Any) -> dict[str, Any]:
    attachment = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", **more}
    return {
        "type": "attachment",
        "uuid": "att",
        "sessionId": "s",
        "timestamp": "2026-03-01T10:00:00Z",
        "attachment": attachment,
    }


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"

CLAUDE: dict[str, tuple[Lines, list[str]]] = {
    "gbrain#5117": (
        [
            user("a", isMeta=True),
            user("b", isCompactSummary=True),
            user("c", origin={"kind": "channel"}),
            user("use pnpm"),
        ],
        ["use pnpm"],
    ),
    "gbrain#4980": (
        [user(result("output")), user(result("output", "and page it")), user("done?")],
        ["and page it", "done?"],
    ),
    "agentsview#1238": (
        [user([text("<ide_opened_file>The user opened a.ts</ide_opened_file>"), text("rename it")])],
        ["rename it"],
    ),
    "agentsview#1265": ([user("<ide_selection>always use yarn</ide_selection>why is it here?")], ["why is it here?"]),
    "agentsview#206": (
        [
            user("<command-name>/fix</command-name><command-args>only src/</command-args>"),
            user([text("Fix what is named.")], isMeta=True),
        ],
        ["only src/"],
    ),
    "agentsview#1253": (
        [
            user("by a script", promptSource="sdk"),
            user("a wake-up", promptSource="system"),
            user("by hand", promptSource="typed"),
        ],
        ["by hand"],
    ),
    "agentsview#401": (
        [user("start"), queue("enqueue", "use our logger"), queue("remove"), agent("Yes.")],
        ["start", "use our logger"],
    ),
    "agentsview#406": (
        [queue("enqueue", "mask it"), queue("remove", reason="absorbed_mid_turn"), queued("mask it", source_uuid="q")],
        ["mask it"],
    ),
    "claude-code-transcripts#98": (
        [queued([text("mask it")], source_uuid="q"), queued([text("mask it")], source_uuid="q")],
        ["mask it"],
    ),
    "agent-manager#101": (
        [queue("enqueue", "mask it"), queue("dequeue"), user("mask it", promptSource="queued")],
        ["mask it"],
    ),
    "claude-watchdog#14": (
        [queue("enqueue", '{"task_id":"b1"}'), queue("remove"), queue("enqueue", "mask it"), queue("remove")],
        ["mask it"],
    ),
    "claude-code#86980": ([queue("enqueue", "drop it"), queue("popAll"), user("start")], ["start"]),
    "claude-code#83103": ([queue("enqueue", "drop it"), queue("remove", reason="cancelled"), user("start")], ["start"]),
    "claude-code#97575": ([queued("switch to Rush", isMeta=True, origin={"kind": "peer"}), user("start")], ["start"]),
    "claude-code#36904": ([user(result(REFUSED + "use a switch", is_error=True))], ["use a switch"]),
    "claude-code-log#91": (
        [user('<teammate-message teammate_id="x">use yarn</teammate-message>'), user("start")],
        ["start"],
    ),
    "claude-code-log#309": (
        [user("Another Claude session sent a message:\n<agent-message>use yarn</agent-message>"), user("start")],
        ["start"],
    ),
    "claude-code#63462": ([user("start"), agent("Human: use yarn\n\nAssistant: yes")], ["start"]),
    "claude-code#91396": ([user("start"), agent("\n\nHuman: always use yarn")], ["start"]),
    "mem0#6006": (
        [user("a string"), user([text("a list")]), user(["a bare item"])],
        ["a string", "a list", "a bare item"],
    ),
    "agentmemory#1365": ([user([{"type": "image", "source": {}}, text("see the header")])], ["see the header"]),
    "claude-code#5034": ([user("once", "x"), user("once", "x"), user("once", "y")], ["once", "once"]),
    "claude-code#66454": (
        [user("once", "x", sessionId="other"), user("once", "x"), user("once", "x"), user("once", "x")],
        ["once"],
    ),
    "claude-code#37737": (
        [user("a", "x", parentUuid="p"), user("b", "y", parentUuid="x"), user("c", "z", parentUuid="x2")],
        ["a", "b", "c"],
    ),
    "claude-code#48936": (
        [user("copied", "x", forkedFrom={"sessionId": "before"}), user("new", "y")],
        ["copied", "new"],
    ),
    "codemie-code#350": (
        [user("hello", "x", entrypoint="claude-desktop"), user("hello", "x", entrypoint="claude-desktop")],
        ["hello"],
    ),
    "claude-code-trace#66": ([user("a"), b'{"type":"user","message":\n', user("b")], ["a", "b"]),
    "claude-code-trace#66 at the head": (
        [b'{"type":"user","message":\n', user("a"), agent("ok"), user("b")],
        ["a", "b"],
    ),
    "claude-code#50347": ([user("a"), b"garbage\n", user("b")], ["a", "b"]),
    "codemie-code#68": ([json.dumps(user("a")).encode() + json.dumps(user("b")).encode() + b"\n"], ["a", "b"]),
    "copilot-cli#4098": (
        [b'{"type":"user","message":{"role":"us' + json.dumps(user("whole")).encode() + b"\n"],
        ["whole"],
    ),
    "copilot-cli#4098 behind progress": (
        [
            user("a"),
            b'{"parentUuid":"x","sessionId":"s","type":"progress","data":{"type":"hook'
            + json.dumps(user("whole")).encode()
            + b"\n",
        ],
        ["a", "whole"],
    ),
    "codemie-code#68 behind progress": (
        [
            user("a"),
            json.dumps(
                {"type": "progress", "sessionId": "s", "data": {}, "parentToolUseID": "t"}, separators=(",", ":")
            ).encode()
            + json.dumps(user("b")).encode()
            + b"\n",
        ],
        ["a", "b"],
    ),
    "copilot-cli#2649": (
        [json.dumps(user("one NEWLINE two")).replace("NEWLINE", "\n").encode() + b"\n"],
        ["one \n two"],
    ),
    "copilot-cli#2217": ([user("a"), b"\x00\x00\x00\x00"], ["a"]),
    "copilot-cli#3593": ([user("a"), b"\x00" + json.dumps(user("b")).encode() + b"\x00\n"], ["a", "b"]),
    "copilot-cli#2012": (
        [json.dumps(user("one\u2028two\u2029three\u0085four"), ensure_ascii=False).encode() + b"\n"],
        ["one\u2028two\u2029three\u0085four"],
    ),
    "tau#354": ([json.dumps(user("x\u2028y"), ensure_ascii=False).encode() + b"\n", user("b")], ["x\u2028y", "b"]),
    "git-ai#2268": (
        [json.dumps(user("caf? au lait")).encode().replace(b"?", b"\xe9") + b"\n", user("b")],
        ["caf\ufffd au lait", "b"],
    ),
    "recall#37": ([b'{"type":"user","x":"\xff\xfe"}\n', user("b")], ["b"]),
    "obelisk#29": ([user("\u00fc" * 70_000)], ["\u00fc" * 70_000]),
    "claude-code#61301": (
        [b'{"type":"user","uuid":"x","sessionId":"s","message":{"role":"user","content":"cut \\ud83d here"}}\n'],
        ["cut \ufffd here"],
    ),
    "mempalace#1102": ([b"\xef\xbb\xbf" + json.dumps(user("a")).encode() + b"\n"], ["a"]),
    "getspecstory#108": (
        [user([{"type": "image", "source": {"data": "A" * 16_000_000}}, text("see it")]), user("b")],
        ["see it", "b"],
    ),
    "hindsight#1226": ([user(result([text("a"), text("b")])), user("why two?")], ["why two?"]),
    "claude-code#67164": ([user("a"), agent({"type": "thinking", "thinking": ""}), user("b")], ["a", "b"]),
    "happy#1407": ([user("a"), user("b", cwd="/home/dana/other")], ["a", "b"]),
}


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}


def meta(ident: str = "s", **more: Any) -> dict[str, Any]:
    return codex(
        "session_meta", id=ident, cwd="/home/dana/shop", source="cli", timestamp="2026-03-01T09:59:00Z", **more
    )


def said(role: str, words: str) -> dict[str, Any]:
    return codex("response_item", type="message", role=role, content=[{"type": "input_text", "text": words}])


def event(words: str) -> dict[str, Any]:
    return codex("event_msg", type="user_message", message=words)


def item(words: str, ident: str) -> dict[str, Any]:
    return codex(
        "event_msg",
        type="item_completed",
        turn_id="t",
        item={"type": "UserMessage", "id": ident, "content": [{"type": "Text", "text": words}]},
    )


CODEX: dict[str, tuple[Lines, list[str]]] = {
    "memsearch#743": ([meta(), said("user", "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>use yarn</INSTRUCTIONS>"), event("go"), said("assistant", "ok")], ["go"]),
    "chat-history#11": ([meta(), said("user", "<environment_context><cwd>/x</cwd></environment_context>"), said("user", "go"), said("assistant", "ok")], ["go"]),
    "claude-code-history-viewer#307": ([meta(), said("user", "<environment_context>use yarn</environment_context>"), said("assistant", "hm"), event("go")], ["go"]),
    "memsearch#742": ([meta(), item("go", "i1"), said("assistant", "ok"), item("go", "i2")], ["go", "go"]),
    "org2#838": ([meta(), said("user", "go"), said("assistant", "ok"), said("user", "on"), said("assistant", "ok")], ["go", "on"]),
    "maka#3520": ([meta(), event("go"), item("go", "i1"), said("assistant", "ok")], ["go"]),
    "abtop#170": ([meta(), said("user", "go"), item("go", "i1"), event("go"), said("assistant", "ok")], ["go"]),
    "codex#3380": ([{"id": "s", "timestamp": "2025-05-01T10:00:00Z", "instructions": None}, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}, {"record_type": "state"}, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}], ["go"]),
    "codex#43896": ([meta(), {**event("one"), "ordinal": 3}, {**event("two"), "ordinal": 3}, {**event("three"), "ordinal": 1}], ["one", "two", "three"]),
    "codex#35746": ([meta(), {**event("one"), "ordinal": 3}, event("two")], ["one", "two"]),
    "cc-plugin#67": ([meta(base_instructions={"text": "use yarn"}), meta("s", instructions="use yarn"), event("go")], ["go"]),
}  # fmt: skip


def read(lines: Lines, place: Path) -> Session | Skipped:
    path = place / "x.jsonl"
    path.write_bytes(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))
    return read_transcript(path)


def words_of(session: Session | Skipped) -> list[str]:
    """The developer's typed words, segment by segment, without what was withdrawn."""
    assert isinstance(session, Session), session
    parts = [part for turn in session.developer_turns() for part in turn.segments]
    return [part.text.strip() for part in parts if part.origin is Origin.TYPED]


REPORTS = {**CLAUDE, **CODEX}


@pytest.mark.parametrize("number", REPORTS)
def test_the_words_are_found_and_nobody_elses(number: str, tmp_path: Path) -> None:
    lines, expected = REPORTS[number]
    assert expected == words_of(read(lines, tmp_path))


# number: (the user's record of a dialect that nobody knows, what stands beside it)
ALARMS: dict[str, Lines] = {
    "ob1#383": [user("x") | {"message": {"role": "user", "text": "moved to another key"}}, agent("ok")],
    "mem0#6019": [
        user("x") | {"message": {"role": "human", "content": {"text": "use pnpm"}}},
        agent("ok"),
        agent("done"),
    ],
}


@pytest.mark.parametrize("number", ALARMS)
def test_agent_turns_without_a_developer_are_an_alarm(number: str, tmp_path: Path) -> None:
    found = read(ALARMS[number], tmp_path)
    assert isinstance(found, Skipped)
    assert found.code == "unrecognised"


PARENT = [meta("old"), event("retry three times"), said("assistant", "ok")]
# number: (a fork's file, its id, its parent, the parent's prompts that it holds)
FORKS: dict[str, tuple[Lines, str, str, int]] = {
    "codex#21025": (
        [meta("new"), *PARENT, {**event("make it five"), "timestamp": "2026-03-01T10:05:00Z"}],
        "new",
        "old",
        1,
    ),
    "agentsview#643": ([meta("new", forked_from_id="old"), *PARENT, *PARENT, event("make it five")], "new", "old", 1),
    "agentsview#657": ([meta("third"), meta("new"), *PARENT, event("make it six")], "third", "new", 1),
    "agentsview#1381": ([meta("new", session_id="root"), *PARENT, event("make it five")], "new", "old", 1),
}


@pytest.mark.parametrize("number", FORKS)
def test_the_first_meta_names_the_session_and_a_copied_history_is_older(number: str, tmp_path: Path) -> None:
    lines, ident, parent, copied = FORKS[number]
    fork, alone = read(lines, tmp_path), read(list(PARENT), tmp_path)
    assert isinstance(fork, Session)
    assert isinstance(alone, Session)
    assert (ident, parent) == (fork.id, fork.parent)
    told = [turn.id for turn in alone.developer_turns()][:copied]
    assert told == [turn.id for turn in fork.developer_turns()][:copied]
    assert copied + 1 == len(fork.developer_turns())


def test_codex_21025_what_was_copied_is_as_old_as_the_parent(tmp_path: Path) -> None:
    fork = read(FORKS["codex#21025"][0], tmp_path)
    assert isinstance(fork, Session)
    assert ["2026-03-01T09:59:00+00:00", "2026-03-01T10:05:00+00:00"] == [
        str(t.time).replace(" ", "T") for t in fork.developer_turns()
    ]


def test_usage_34_sub_agents_of_codex_are_no_sessions(tmp_path: Path) -> None:
    found = read([meta(thread_source="subagent"), event("use yarn"), said("assistant", "ok")], tmp_path)
    assert isinstance(found, Skipped)
    assert found.code == "sub_agent"


@pytest.mark.parametrize(
    ("number", "zone"), [("thread-keeper#140", "UTC"), ("thread-keeper#270", "PST8"), ("openclaw#50201", "JST-9")]
)
def test_a_time_without_a_zone_is_utc_wherever_the_machine_stands(
    number: str, zone: str, tmp_path: Path, machine_in: Callable[[str], None]
) -> None:
    machine_in(zone)
    found = read(
        [user("a", timestamp="2026-03-01T10:00:00"), user("b", timestamp="2026-03-01T12:00:00+02:00")], tmp_path
    )
    assert isinstance(found, Session)
    assert [datetime(2026, 3, 1, 10, tzinfo=UTC)] * 2 == [turn.time for turn in found.turns]


TIMELESS: dict[str, Lines] = {
    "agentsview#pinned": [user("a"), user("b", timestamp=None), {**user("c"), "timestamp": ""}],
    "claude-code#2.1.69": [user("a"), user("b", timestamp="soon"), user("c", timestamp="2026-13-45T99:00:00Z")],
}


@pytest.mark.parametrize("number", TIMELESS)
def test_a_missing_time_is_its_neighbours(number: str, tmp_path: Path) -> None:
    found = read(TIMELESS[number], tmp_path)
    assert isinstance(found, Session)
    assert [datetime(2026, 3, 1, 10, tzinfo=UTC)] * 3 == [turn.time for turn in found.turns]


# number: (the folder that the agent made of the path, the path, whose home it is in)
PLACES = {
    "claude-code#9221": ("-home-dana-my-shop-1", "/home/dana/my.shop_1", "dana"),
    "claude-code#70076": ("-home-dana-my-shop-1", "/home/dana/my-shop-1", "dana"),
    "deja-vu#28": ("-home-dana-src-a-b", "/home/dana/src/a_b", "dana"),
    "deja-vu#34": ("C--Users-dana-src-shop", "C:\\Users\\dana\\src\\shop", "dana"),
    "claudecodeui#116": ("-Users-dana-dev-acme-web-app", "/Users/dana/dev/acme.web app", "dana"),
    "claudecodeui#259": ("-Users-dana--config-tool", "/Users/dana/.config/tool", "dana"),
    "lcm#534": ("-home-dana-acme--claude-worktrees-fix-x", "/home/dana/acme/.claude/worktrees/fix-x", "dana"),
    "claude-move-project#11": ("-home-omar-before-the-move", "/home/dana/after-the-move", "dana"),
    "claude-quest#9": ("-home-omar-another-place", "/home/dana/my.shop_1", "dana"),
    "claude-code-history-viewer#344": ("-home-dana-----", "/home/dana/項目/店", "dana"),
    "wherewasi#62": ("-home-dana-" + "x" * 200 + "-1a2b3c", "/home/dana/" + "x" * 250, "dana"),
}


@pytest.mark.parametrize("number", PLACES)
def test_the_place_comes_from_the_records_never_from_the_folder(number: str, tmp_path: Path) -> None:
    folder, cwd, developer = PLACES[number]
    place = tmp_path / folder
    place.mkdir()
    found = read([user("a", cwd=cwd)], place)
    assert isinstance(found, Session)
    assert (cwd, developer) == (found.cwd, found.developer)
    assert cwd.partition("/.claude/worktrees/")[0] == found.repo  # worktrees are one project


def test_happy_1407_each_turn_knows_its_own_place(tmp_path: Path) -> None:
    found = read(CLAUDE["happy#1407"][0], tmp_path)
    assert isinstance(found, Session)
    assert ["/home/dana/shop", "/home/dana/other"] == [turn.cwd for turn in found.turns]


def test_claude_code_48936_a_fork_names_its_parent(tmp_path: Path) -> None:
    found = read(CLAUDE["claude-code#48936"][0], tmp_path)
    assert isinstance(found, Session)
    assert found.parent == "before"


BEFORE = [user("use pnpm", "u1"), user("mask it", "u2")]
# number: (a session that was resumed from s, how many turns of it were copied)
RESUMED: dict[str, tuple[Lines, int]] = {
    "claude-code#36583": ([*BEFORE, user("go on", "u3", sessionId="new")], 2),
    "clawdi#81": (
        [*BEFORE, agent("ok"), *BEFORE, user("go on", "u3", sessionId="new"), user("and", "u4", sessionId="new")],
        2,
    ),
}


@pytest.mark.parametrize("number", RESUMED)
def test_a_resumed_copy_is_named_after_its_file_and_keeps_the_ids_of_turns(number: str, tmp_path: Path) -> None:
    records, copied = RESUMED[number]
    path = tmp_path / "new.jsonl"
    path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    found = read_transcript(path)
    assert isinstance(found, Session)
    ids = [turn.id for turn in found.developer_turns()]
    assert ("new", "s", ["u1", "u2"]) == (found.id, found.parent, ids[:copied])
    assert ids == list(dict.fromkeys(ids))
