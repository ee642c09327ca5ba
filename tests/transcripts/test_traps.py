"""Where other people's words stand where the developer's stand, and the other way round: one trap of a format each."""

# ruff: noqa: E501 - a case stays on one line

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.transcripts.test_reported import agent, codex, event, said, text, user
from tests.transcripts.test_reported_others import COPILOT, GEMINI, copilot, cursor, gemini, line, query
from transcripts.registry import read_transcript
from transcripts.session import Origin, Session, Skipped, Speaker

Told = list[tuple[str, str]]  # (origin, words), without what programs put around them


def told(found: Session | Skipped) -> Told:
    assert isinstance(found, Session), found
    parts = [part for turn in found.developer_turns() for part in turn.segments]
    return [(part.origin.value, part.text.strip()) for part in parts if part.origin is not Origin.INJECTED]


def typed(*words: str) -> Told:
    return [("typed", word) for word in words]


def read(path: Path, content: Any) -> Session | Skipped:
    """Read text as it is, a list of objects as lines, everything else as a document."""
    if isinstance(content, list):
        path.write_bytes(b"".join(line(record) for record in content))
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return read_transcript(path)


AIDER = "# aider chat started at 2026-05-04 08:00:00\n\n"
MARKDOWN = {
    "a heading of the agent's": (AIDER + "#### go  \n\nPlan:\n\n#### Always use yarn\n\nFrom now on.\n\n#### on  \n", typed("go", "on")),
    "several lines of the developer's": (AIDER + "#### one  \n####   \n#### two  \n\nOk.\n\n#### Use yarn\n", typed("one\n\ntwo")),
    "a file without blanks at the ends of lines": (AIDER + "#### go\n\nOk.\n\n#### on\n\nOk.\n", typed("go", "on")),
}  # fmt: skip


@pytest.mark.parametrize("name", MARKDOWN)
def test_a_heading_that_the_agent_writes_is_no_line_of_the_developers(name: str, tmp_path: Path) -> None:
    content, expected = MARKDOWN[name]
    assert expected == told(read(tmp_path / "x.md", content))


def shown(*entries: tuple[str, str, Any]) -> str:
    """What Cline's screen showed: (say or ask, its kind, its text)."""
    return json.dumps(
        [
            {
                "ts": 1_777_881_600_000 + number,
                "type": how,
                how: kind,
                "text": told if isinstance(told, str) else json.dumps(told),
            }
            for number, (how, kind, told) in enumerate(entries)
        ]
    )


def sent(*messages: tuple[str, list[dict[str, Any]]]) -> str:
    """What a model was sent of a task."""
    return json.dumps([{"role": role, "content": content} for role, content in messages])


OFFERED = {"question": "Which one?", "options": ["From now on use yarn", "npm"]}
SUGGESTED = {"question": "Which one?", "suggest": [{"answer": "From now on use yarn"}, {"answer": "npm"}]}
ASKS = "<ask_followup_question><question>Which one?</question><follow_up><suggest>From now on use yarn</suggest></follow_up></ask_followup_question>"
LISTS = '<ask_followup_question><question>Which one?</question><options>["From now on use yarn"]</options></ask_followup_question>'
RESULT = "[ask_followup_question for 'Which one?'] Result:"
CALLED = {
    "type": "tool_use",
    "id": "c1",
    "name": "ask_followup_question",
    "input": {"question": "Which?", "follow_up": [{"text": "From now on use yarn"}]},
}


def asked_and_answered(question: str, answer: str) -> str:
    return sent(
        ("user", [text("<task>\ngo\n</task>")]),
        ("assistant", [text(question)]),
        ("user", [text(RESULT), text(f"<answer>\n{answer}\n</answer>")]),
    )


def called_and_answered(answer: str, call: str = "c1") -> str:
    result = {"type": "tool_result", "tool_use_id": call, "content": [text(f"<answer>\n{answer}\n</answer>")]}
    return sent(("user", [text("<task>\ngo\n</task>")]), ("assistant", [CALLED]), ("user", [result]))


CLINE = {
    "an option that was picked": (shown(("say", "text", "go"), ("ask", "followup", OFFERED | {"selected": "npm"})), [*typed("go"), ("chosen", "npm")]),
    "no option was picked": (shown(("say", "text", "go"), ("ask", "followup", OFFERED)), typed("go")),
    "a suggestion that was sent": (shown(("say", "text", "go"), ("ask", "followup", SUGGESTED), ("say", "user_feedback", "From now on use  yarn")), [*typed("go"), ("chosen", "From now on use  yarn")]),
    "another answer": (shown(("say", "text", "go"), ("ask", "followup", SUGGESTED), ("say", "user_feedback", "neither, bun")), typed("go", "neither, bun")),
    "the same words later": (shown(("say", "text", "go"), ("ask", "followup", SUGGESTED), ("say", "user_feedback", "wait"), ("say", "user_feedback", "npm")), typed("go", "wait", "npm")),
    "a suggestion, as the model was sent it": (asked_and_answered(ASKS, "From now on use yarn"), [*typed("go"), ("chosen", "From now on use yarn")]),
    "an option, as the model was sent it": (asked_and_answered(LISTS, "From now on use yarn"), [*typed("go"), ("chosen", "From now on use yarn")]),
    "an answer in a block by itself": (asked_and_answered(ASKS, "neither, bun"), typed("go", "neither, bun")),
    "an answer to a call": (called_and_answered("neither, bun"), typed("go", "neither, bun")),
    "a suggestion of a call": (called_and_answered("From now on use yarn"), [*typed("go"), ("chosen", "From now on use yarn")]),
    "a result of another call that looks like an answer": (called_and_answered("use yarn", "c2"), typed("go")),
    "a file that holds an answer": (sent(("user", [text("<task>\ngo\n</task>")]), ("assistant", [text("ok")]), ("user", [text("[read_file for 'a.md'] Result:"), text("<answer>\nuse yarn\n</answer>")])), typed("go")),
    "a file that holds feedback": (sent(("user", [text("<task>\ngo\n</task>")]), ("assistant", [text("ok")]), ("user", [text("[read_file for 'a.md'] Result:\nNotes\nThe user has provided feedback:\n<feedback>\nuse yarn\n</feedback>")])), typed("go")),
    "a call that was denied": (sent(("user", [text("<task>\ngo\n</task>")]), ("assistant", [text("ok")]), ("user", [text("[execute_command for 'yarn'] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\nuse pnpm\n</feedback>")])), typed("go", "use pnpm")),
}  # fmt: skip


@pytest.mark.parametrize("name", CLINE)
def test_an_answer_that_the_agent_offered_is_chosen_and_only_answers_are_words(name: str, tmp_path: Path) -> None:
    content, expected = CLINE[name]
    assert expected == told(read(tmp_path / "x.json", content))


@pytest.mark.parametrize(
    "content",
    [
        shown(("say", "text", "from now on use yarn"), ("say", "text", "ok"), ("say", "user_feedback", "no, pnpm")),
        sent(
            ("user", [text("<task>\nfrom now on use yarn\n</task>")]),
            ("assistant", [text("ok")]),
            ("user", [text("The user has provided feedback on the results.\n<feedback>\nno, pnpm\n</feedback>")]),
        ),
    ],
    ids=["shown", "sent"],
)
def test_a_task_that_an_agent_began_out_of_another_one_begins_with_the_agents_words(
    content: str, tmp_path: Path
) -> None:
    (tmp_path / "history_item.json").write_text(json.dumps({"id": "2", "parentTaskId": "1"}), "utf-8")
    assert typed("no, pnpm") == told(read(tmp_path / "x.json", content))
    (tmp_path / "history_item.json").write_text(json.dumps({"id": "2"}), "utf-8")
    assert typed("from now on use yarn", "no, pnpm") == told(read(tmp_path / "x.json", content))


def by_specstory(message: str) -> str:
    return f"<!-- Generated by SpecStory -->\n\n_**User**_\n\n{message}\n\n---\n\n_**Agent**_\n\nok\n\n---\n\n_**User**_\n\ngo\n"


def by_entire(message: str) -> list[dict[str, Any]]:
    told = [("user", message), ("assistant", "ok"), ("user", "go")]
    common = {"v": 1, "agent": "codex", "cli_version": "0.5", "ts": "2026-05-04T08:00:00Z"}
    return [common | {"type": kind, "content": [{"id": f"m{n}", "text": said}]} for n, (kind, said) in enumerate(told)]


OTHERS = {
    "instructions for Codex": ("# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nuse yarn\n</INSTRUCTIONS>", []),
    "what Codex knows of the machine": ("<environment_context>\nuse yarn\n</environment_context>", []),
    "a summary for Codex": ("Another language model started to solve this problem and produced a summary: use yarn.", []),
    "an editor's prefix for Codex": ("# Context from my IDE setup:\n\n## Open tabs:\n- use yarn\n\n## My request for Codex:\nrename it", ["rename it"]),
    "what Gemini begins with": ("This is the Gemini CLI. We are setting up the context for our chat.\nuse yarn", []),
    "files that Gemini brings in": ("look at @a.md\n--- Content from referenced files ---\nuse yarn", ["look at @a.md"]),
    "a query of Cursor's": ("<attached_files>\nuse yarn\n</attached_files>\n<user_query>\nrename it\n</user_query>", ["rename it"]),
    "a command of Claude Code's": ("<command-name>/review</command-name><command-args>only src/</command-args>", ["only src/"]),
}  # fmt: skip


@pytest.mark.parametrize("kept", [by_specstory, by_entire])
@pytest.mark.parametrize("name", OTHERS)
def test_a_tool_that_keeps_several_agents_is_read_by_the_rules_of_all(name: str, kept: Any, tmp_path: Path) -> None:
    message, expected = OTHERS[name]
    assert typed(*expected, "go") == told(read(tmp_path / "x", kept(message)))


@pytest.mark.parametrize(
    ("kind", "words"),
    [("plain", ["use pnpm"]), (None, ["use pnpm"]), ("user_instructions", []), ("environment_context", [])],
)
def test_an_event_of_codex_that_is_not_plain_is_its_own(kind: str | None, words: list[str], tmp_path: Path) -> None:
    told_by = codex("event_msg", type="user_message", message="use pnpm")
    told_by["payload"] |= {"kind": kind} if kind else {}
    start = codex("session_meta", id="s", cwd="/x", source="cli")
    found = read(tmp_path / "x.jsonl", [start, told_by, event("go"), said("assistant", "ok")])
    assert typed(*words, "go") == told(found)


def test_the_summary_that_codex_goes_on_from_is_nobodys_words(tmp_path: Path) -> None:
    summary = "Another language model started to solve this problem and produced a summary of its thinking: use yarn."
    start = codex("session_meta", id="s", cwd="/x", source="cli")
    records = [start, said("user", summary), said("user", "go"), said("assistant", "ok")]
    assert typed("go") == told(read(tmp_path / "x.jsonl", records))


@pytest.mark.parametrize("agent", ["Gemini CLI", "Qwen Code"])
def test_what_a_program_begins_a_chat_with_is_not_typed(agent: str, tmp_path: Path) -> None:
    context = f"This is the {agent}. We are setting up the context for our chat.\nToday is Monday. Always use yarn."
    document = GEMINI | {"messages": [gemini("a", context), gemini("b", "go"), gemini("c", "ok", "gemini")]}
    assert typed("go") == told(read(tmp_path / "x.json", document))


@pytest.mark.parametrize(
    "message",
    [
        "[TASK RESUMPTION] This task was interrupted. Always use yarn.",
        "[ERROR] You did not use a tool in your previous response! Use yarn.",
        "New instructions for task continuation:\nuse yarn",
        "The user made the following edits to your file:\n+ use yarn",
    ],
)
def test_what_cline_says_in_the_developers_name_is_not_typed(message: str, tmp_path: Path) -> None:
    told_by = [("user", "go"), ("assistant", "ok"), ("user", message), ("assistant", "ok"), ("user", "[WIP] use pnpm")]
    messages = [{"role": role, "content": [text(words)]} for role, words in told_by]
    found = read(tmp_path / "x.json", {"sessionId": "s", "agent": "lead", "messages": messages})
    assert typed("go", "[WIP] use pnpm") == told(found)


def test_messages_without_an_id_that_are_told_again_are_told_once(tmp_path: Path) -> None:
    go, done = {"type": "user", "content": "go"}, {"type": "gemini", "content": "ok"}
    changes = [{"$set": {"messages": [go]}}, {"$set": {"messages": [go, done]}}, {"type": "user", "content": "on"}]
    assert typed("go", "on") == told(read(tmp_path / "x.jsonl", [GEMINI, *changes]))
    assert typed("go", "go") == told(read(tmp_path / "x.jsonl", [GEMINI, go, go, gemini("a", "ok", "gemini")]))


def undone(found: Session | Skipped) -> list[tuple[str, bool]]:
    """What the developer said, and whether it was taken back."""
    assert isinstance(found, Session), found
    return [(turn.text, turn.withdrawn) for turn in found.turns if turn.speaker is Speaker.DEVELOPER]


EVENT = {"timestamp": "2026-05-04T08:00:00Z"}
REQUESTS = [{"requestId": f"r{n}", "message": {"text": said}} for n, said in enumerate(["go", "use yarn", "on"])]
EXPORTED = [
    {"info": {"id": f"m{n}", "role": "user", "time": {}}, "parts": [{"type": "text", "text": said}]}
    for n, said in enumerate(["go", "use yarn", "use npm"])
]


def qwen(ident: str, parent: str | None, words: str, kind: str = "user") -> dict[str, Any]:
    place = {"uuid": ident, "parentUuid": parent, "sessionId": "s", "cwd": "/x", "type": kind}
    return EVENT | place | {"message": {"role": kind, "parts": [{"text": words}]}}


OPENCODE = {"id": "s", "projectID": "p", "directory": "/x", "time": {}}
TAKEN_BACK: dict[str, tuple[Any, list[tuple[str, bool]]]] = {
    "gemini-cli": (
        [GEMINI, gemini("a", "go"), gemini("b", "ok", "gemini"), gemini("c", "use yarn"), {"$rewindTo": "c"}, gemini("d", "on")],
        [("go", False), ("use yarn", True), ("on", False)],
    ),
    "gemini-cli, to a message that nobody knows": (
        [GEMINI, gemini("a", "use yarn"), {"$rewindTo": "z"}, gemini("d", "on")],
        [("use yarn", True), ("on", False)],
    ),
    "copilot-cli": (
        [COPILOT, copilot("go"), copilot("use yarn"), copilot("use npm"), EVENT | {"type": "session.snapshot_rewind", "id": "r", "data": {"upToEventId": "user.messageuse yarn"}}, copilot("on")],
        [("go", False), ("use yarn", True), ("use npm", True), ("on", False)],
    ),
    "gemini-cli, told again": (
        [GEMINI, gemini("a", "go"), gemini("b", "use yarn"), {"$rewindTo": "b"}, {"$set": {"messages": [gemini("a", "go"), gemini("b", "on")]}}],
        [("go", False), ("on", False)],
    ),
    "copilot-cli, to an event that nobody knows": (
        [COPILOT, copilot("use yarn"), EVENT | {"type": "session.snapshot_rewind", "id": "r", "data": {"upToEventId": "z"}}, copilot("on")],
        [("use yarn", True), ("on", False)],
    ),
    "qwen-code": (
        [qwen("1", None, "go"), qwen("2", "1", "ok", "assistant"), qwen("3", "2", "use yarn"), qwen("4", "3", "ok", "assistant"), qwen("5", "2", "on"), qwen("5", "2", "on")],
        [("go", False), ("use yarn", True), ("on", False)],
    ),
    "vscode-copilot": (
        {"version": 3, "sessionId": "v", "requests": [REQUESTS[0], REQUESTS[1] | {"shouldBeRemovedOnSend": {"requestId": "r1"}}, REQUESTS[2]]},
        [("go", False), ("use yarn", True), ("on", False)],
    ),
    "opencode": (
        {"info": OPENCODE | {"revert": {"messageID": "m1"}}, "messages": EXPORTED},
        [("go", False), ("use yarn", True), ("use npm", True)],
    ),
    "opencode, nothing undone": (
        {"info": OPENCODE, "messages": EXPORTED[:1]},
        [("go", False)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TAKEN_BACK)
def test_a_message_that_was_gone_back_to_is_taken_back_with_what_followed(name: str, tmp_path: Path) -> None:
    content, expected = TAKEN_BACK[name]
    assert expected == undone(read(tmp_path / "x", content))


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (
            {"type": "session", "id": "one", "cwd": "/x"},
            {"type": "message", "message": {"role": "user", "content": "go"}},
        ),
        (
            {"type": "session_start", "id": "one", "cwd": "/x"},
            {"type": "message", "id": "m", "message": {"role": "user", "content": "go"}},
        ),
        (COPILOT | {"data": {"sessionId": "one"}}, copilot("go")),
        (GEMINI | {"sessionId": "one"}, gemini("a", "go")),
    ],
    ids=["pi", "droid", "copilot-cli", "gemini-cli"],
)
def test_the_first_header_names_the_session_and_a_later_one_does_not(
    first: dict[str, Any], said: dict[str, Any], tmp_path: Path
) -> None:
    later = json.loads(json.dumps(first).replace('"one"', '"two"'))
    found = read(tmp_path / "x.jsonl", [first, said, later])
    assert isinstance(found, Session)
    assert "one" == found.id


def test_many_openings_of_a_tag_cost_no_more_than_one(tmp_path: Path) -> None:
    opened = "<suggest>" * 50_000 + "<suggest a>npm</suggest>"
    content = sent(
        ("user", [text("<task>\ngo\n</task>")]),
        ("assistant", [text(opened)]),
        ("user", [text(RESULT), text("<answer>\nnpm\n</answer>")]),
    )
    assert [*typed("go"), ("chosen", "npm")] == told(read(tmp_path / "x.json", content))


def test_a_message_in_parts_alone_is_read(tmp_path: Path) -> None:
    parts = [{"kind": "text", "text": "look at "}, {"kind": "file", "text": "#file:a.ts"}]
    request = {"requestId": "r", "message": {"parts": parts}, "response": [{"value": "ok"}]}
    found = read(tmp_path / "x.json", {"version": 3, "sessionId": "v", "requests": [request]})
    assert typed("look at #file:a.ts") == told(found)


@pytest.mark.parametrize(
    "who", [{"source": "mcp"}, {"source": "exec"}, {"originator": "codex_exec"}, {"originator": "codex_sdk_ts"}]
)
def test_prompts_that_another_program_sent_to_codex_are_automation(who: dict[str, str], tmp_path: Path) -> None:
    records = [
        codex("session_meta", **{"id": "s", "cwd": "/x", "source": "cli"} | who),
        event("use yarn"),
        said("assistant", "ok"),
    ]
    found = read(tmp_path / "x.jsonl", records)
    assert isinstance(found, Skipped)
    assert "automation" == found.code
    counted = read_transcript(tmp_path / "x.jsonl", automation=True)
    assert typed("use yarn") == told(counted)


@pytest.mark.parametrize("place", ["subagents", "subagents/workflows/w1"])
@pytest.mark.parametrize(
    "records",
    [[cursor(query("use yarn")), cursor("ok", "assistant")], [user("use yarn"), agent("ok")]],
    ids=["cursor", "claude-code"],
)
def test_what_lies_in_the_folder_of_sub_agents_was_written_by_an_agent(
    place: str, records: list[dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "5c0375b4" / place
    folder.mkdir(parents=True)
    found = read(folder / "agent-a1.jsonl", records)
    assert isinstance(found, Skipped)
    assert "sub_agent" == found.code
    assert typed("use yarn") == told(read(tmp_path / "a.jsonl", records))


def test_words_with_which_a_tool_of_kiros_was_refused_are_typed(tmp_path: Path) -> None:
    refused = {
        "CancelledToolUses": {"prompt": "no, use vitest", "tool_use_results": [{"content": [{"Text": "use yarn"}]}]}
    }
    silent = {"CancelledToolUses": {"prompt": None, "tool_use_results": []}}
    told_by = [
        {"user": {"content": content}, "assistant": {"Response": {"content": "ok"}}} for content in (refused, silent)
    ]
    found = read(tmp_path / "x.json", {"conversation_id": "s", "history": told_by})
    assert typed("no, use vitest") == told(found)
    assert isinstance(found, Session)
    assert ["rejection"] == [turn.channel for turn in found.developer_turns()]
