"""Further reports of the same kinds as those in ``test_reported.py``, each with an input that differs from theirs."""

# ruff: noqa: E501 - a case stays on one line

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.transcripts.test_reported import agent, codex, event, item, meta, read, result, said, text, user, words_of
from tests.transcripts.test_reported_others import COPILOT, GEMINI, copilot, cursor, gemini, line, query
from transcripts.registry import read_transcript
from transcripts.session import Session

PI = {"type": "session", "id": "p", "timestamp": "2026-05-04T08:00:00Z", "cwd": "/x"}


def pi(words: str, role: str = "user") -> dict[str, object]:
    return {"type": "message", "message": {"role": role, "content": [text(words)]}}


def copilot_session(kind: str) -> dict[str, object]:
    return {"type": f"session.{kind}", "data": {}, "id": kind, "timestamp": "2026-05-04T08:00:00Z"}


REPORTS = {
    "agentmemory#1366": ([{**user("x"), "message": "see the header"}, agent("ok")], ["see the header"]),
    "maka#3516": ([meta(), item("go", "i1"), event("go"), said("assistant", "ok"), event("on")], ["go", "on"]),
    "harness-remote#386": ([meta(), said("user", "<environment_context>x</environment_context>"), said("user", "go"), said("assistant", "ok")], ["go"]),
    "codex-relay#64": ([meta(history_mode="paginated"), {**item("go", "i1"), "ordinal": 1}, said("assistant", "ok")], ["go"]),
    "claude-code#37739": ([user("a", "u1", parentUuid=None), agent("ok", parentUuid="u1"), user("b", "u2", parentUuid="gone"), user("c", "u3", parentUuid="elsewhere")], ["a", "b", "c"]),
    "claude-code#40363": ([user("a", "u1"), user("b", "u2"), user("a", "u1"), user("b", "u2"), user("c", "u3")], ["a", "b", "c"]),
    "claude-code-history-viewer#393": ([GEMINI, gemini("a", "go"), gemini("b", "ok", "gemini"), {"$set": {"messages": [gemini("a", "go"), gemini("b", "ok then", "gemini")]}}], ["go"]),
    "claude-code-history-viewer#348": ([GEMINI | {"messages": [gemini("a", "go"), gemini("b", "ok", "gemini")]}], ["go"]),
    "openclaw#64858": ([user("x" * 131_071 + "\u20ac")], ["x" * 131_071 + "\u20ac"]),
    "agent-orchestrator#1215": ([user("\U0001f600" * 40_000)], ["\U0001f600" * 40_000]),
    "claude-code#68325": ([line(user("it broke ~")).replace(b"~", rb"\ud83d")], ["it broke \ufffd"]),
    "claude-code#69927": ([line(user("it broke ~ twice")).replace(b"~", rb"\udc00")], ["it broke \ufffd twice"]),
    "cognee-integrations#275": ([line(user([text("first ~")])).replace(b"~", rb"\udfff")], ["first \ufffd"]),
    "cognee-integrations#296": ([line(user("whole ~")).replace(b"~", rb"\ud83d\ude00")], ["whole \U0001f600"]),
    "claude-code#67267": ([user("a"), agent({"type": "text", "text": ""}), user("b")], ["a", "b"]),
    "claude-code#75034": ([user("a"), agent(), user("b")], ["a", "b"]),
    "claude-code#77960": ([user("a"), {**agent("x"), "message": {"role": "assistant", "content": None}}, user("b")], ["a", "b"]),
    "claude-esp#4": ([user("a"), agent("x" * 3_000_000), user("b")], ["a", "b"]),
    "copilot-cli#1864": ([COPILOT, copilot("go"), line(copilot("on"))[:-1] + b"\0" * 900 + b"\n", b"\0" * 512], ["go", "on"]),
    "copilot-cli#2209": ([COPILOT, copilot("go"), copilot_session("shutdown"), copilot_session("resume"), copilot("on"), copilot_session("shutdown"), copilot_session("resume"), copilot("once more")], ["go", "on", "once more"]),
    "app#945": ([COPILOT, copilot("go"), {"type": "session.unheard_of", "id": "n", "data": {"content": "use yarn"}}, {"type": "user.message", "id": "o", "data": None}, copilot("on")], ["go", "on"]),
    "agentsview#12": ([user("a"), user(result("x" * 11_000_000)), user("b")], ["a", "b"]),
    "agentsview#20": ([b'{"type":"user","x":"' + b"y" * 2_000_000 + b"\n", user("b")], ["b"]),
    "agentsview#20 of a kind that nobody knows": ([{"type": "of tomorrow", "data": "y" * 70_000}, user("b")], ["b"]),
    "agenc#12": ([user([{"type": "image", "source": {"type": "base64", "data": "A" * 70_000}}, text("see the margin")]), user("b")], ["see the margin", "b"]),
    "pi-web#51": ([PI, pi("a"), pi("x" * 5_000_000, "toolResult"), pi("b")], ["a", "b"]),
    "cc-connect#490": ([meta(), event("go"), codex("response_item", type="function_call_output", call_id="c", output="x" * 1_100_000), event("on"), said("assistant", "ok")], ["go", "on"]),
    "cc-connect#1660": ([meta(), event("go"), codex("response_item", type="function_call_output", call_id="c", output="x" * 300_000), event("y" * 300_000)], ["go", "y" * 300_000]),
    "nanoclaw#889": ([user("a"), {"type": "system", "subtype": "compact_boundary", "uuid": "c", "sessionId": "s", "content": "Conversation compacted"}, user("Earlier, use yarn.", isCompactSummary=True), user("b")], ["a", "b"]),
    "claude-observability-plugin#66": ([user("a"), agent("One.", uuid="m1"), agent("Two.", uuid="m2"), user(result("seen", "and stop there")), user("b")], ["a", "and stop there", "b"]),
    "claude-agent-sdk-go#139": ([user("a"), {"type": "rate_limit_event", "uuid": "r", "sessionId": "s"}, user("b")], ["a", "b"]),
}  # fmt: skip


@pytest.mark.parametrize("number", REPORTS)
def test_the_words_are_found_and_nobody_elses(number: str, tmp_path: Path) -> None:
    records, expected = REPORTS[number]
    assert expected == words_of(read(list(records), tmp_path))


def test_agentsview_1370_a_background_fork_has_the_turns_of_its_parent_and_its_own(tmp_path: Path) -> None:
    parent = [user("use pnpm", "u1"), user("mask it", "u2")]
    fork = [record | {"sessionKind": "bg"} for record in (*parent, user("go on", "u3"))]
    alone, both = read(list(parent), tmp_path), read(list(fork), tmp_path)
    assert isinstance(alone, Session)
    assert isinstance(both, Session)
    assert [turn.id for turn in alone.turns] == [turn.id for turn in both.turns][:2]


# number: records of a session ``first`` in which more descriptions of sessions stand
RENAMED = {
    "PokeTokenBar#132": [meta("first"), event("go"), meta("later"), codex("turn_context", cwd="/x"), event("on")],
    "PokeTokenBar#137": [meta("first"), meta("first"), event("go"), meta("first", git={"branch": "x"}), event("on")],
    "relayhistory#210": [meta("first", session_id="root"), meta("root"), event("go"), meta("third", session_id="root"), event("on")],
}  # fmt: skip


@pytest.mark.parametrize("number", RENAMED)
def test_a_later_meta_does_not_rename_a_session(number: str, tmp_path: Path) -> None:
    found = read(list(RENAMED[number]), tmp_path)
    assert isinstance(found, Session)
    assert "first" == found.id
    assert ["go", "on"] == words_of(found)


IDENT = "0b6b5c1e-4f0e-4a6f-9a5e-0a4f7f1f2d3c"
GO = line(cursor(query("go")))
# number: (where the conversation lies, what stands in it)
CONVERSATIONS = {
    "coding_agent_session_search#306": (f"{IDENT}/{IDENT}.jsonl", GO + line(cursor("ok", "assistant"))),
    "recall#9": (f"{IDENT}.jsonl", GO + line({"type": "turn_ended", "status": "success"})),
    "claude-mem#2248": (f"{IDENT}/{IDENT}.jsonl", GO),
}


@pytest.mark.parametrize("number", CONVERSATIONS)
def test_a_cursor_conversation_goes_by_the_exact_id_of_its_file(number: str, tmp_path: Path) -> None:
    name, content = CONVERSATIONS[number]
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    found = read_transcript(path)
    assert isinstance(found, Session)
    assert (IDENT, ["go"]) == (found.id, words_of(found))


# number: words of which a Windows code page makes something else, or nothing at all
FOREIGN = {
    "hindsight#1119": "fünf Prüfungen, 五",
    "claude-usage-widget#3": "it’s “done” — 5 €",
    "coding-harness-tracing#88": "\x81\x8d\x8f\x90\x9d",  # which no character of cp1252 has
    "coding-harness-tracing#129": "готово \U0001f680",
    "coding-harness-tracing#130": "zażółć gęślą jaźń",
}


@pytest.mark.parametrize("number", FOREIGN)
def test_a_transcript_is_utf_8_whatever_the_machine_speaks(number: str, tmp_path: Path) -> None:
    path, words = tmp_path / "x.jsonl", FOREIGN[number]
    path.write_bytes(line(user(words)))
    code = "import sys; from transcripts.registry import *; t = read_transcript(sys.argv[1]).turns; print(ascii(t[0].text))"
    env = os.environ | {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True, env=env)
    assert ascii(words) == done.stdout.strip()
