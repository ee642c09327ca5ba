"""A small session in the format of every reader: what the developer says, and an agent that answers each time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

AT = 1_777_881_600_000  # 4 May 2026, 08:00 UTC, in milliseconds
DAY = 86_400_000
STAMP = "2026-05-04T08:00:00Z"
ANSWER = "Done so far."
Record = dict[str, Any]
Words = Sequence[str]


class Writer(NamedTuple):
    """``write(path, texts)`` makes a file that ``reader`` knows. ``kind``: lines, document, markdown or database."""

    reader: str
    kind: str
    write: Callable[[Path, Words], None]
    told: str = ""  # which of a reader's formats

    @property
    def label(self) -> str:
        """For the names of tests."""
        return f"{self.reader.removeprefix('transcripts.')} {self.told}".strip()


def text(words: str, kind: str = "text") -> list[Record]:
    return [{"type": kind, "text": words}]


def _lines(
    head: Record | None, user: Callable[[int, str], Record], agent: Callable[[int, str], Record]
) -> Callable[[Path, Words], None]:
    """JSON Lines: a header, then a line for each message."""

    def write(path: Path, texts: Words) -> None:
        records = [head] if head else []
        for number, words in enumerate(texts):
            records += [user(number, words), agent(number, ANSWER)]
        path.write_bytes(b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records))

    return write


def _document(
    around: Callable[[list[Any]], Any], user: Callable[[int, str], Any], agent: Callable[[int, str], Any] | None
) -> Callable[[Path, Words], None]:
    """One JSON document with a list of messages."""

    def write(path: Path, texts: Words) -> None:
        messages: list[Any] = []
        for number, words in enumerate(texts):
            messages += [user(number, words), *([agent(number, ANSWER)] if agent else [])]
        path.write_text(json.dumps(around(messages), ensure_ascii=False, indent=1), "utf-8")

    return write


def _history(path: Path, texts: Words) -> None:
    """Prompts of a session that is over, and behind them one of a session that is not."""
    prompts = [("s", AT + number, words) for number, words in enumerate(texts)] + [("later", AT + 2 * DAY, "go on")]
    records = [
        {"display": words, "pastedContents": {}, "timestamp": at, "project": "/home/dana/shop", "sessionId": session}
        for session, at, words in prompts
    ]
    path.write_bytes(b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records))


def _role(role: str, **more: Any) -> Callable[[int, str], Record]:
    return lambda number, words: {"role": role, "id": f"{role}{number}", "content": text(words)} | more


def _claude(kind: str, role: str) -> Callable[[int, str], Record]:
    return lambda number, words: {
        "type": kind,
        "uuid": f"{kind}-{number}",
        "sessionId": "s",
        "cwd": "/home/dana/shop",
        "timestamp": STAMP,
        "message": {"role": role, "content": words if role == "user" else text(words)},
    }


def _qwen(kind: str) -> Callable[[int, str], Record]:
    return lambda number, words: {
        "uuid": f"{kind}{number}",
        "sessionId": "s",
        "cwd": "/home/dana/shop",
        "timestamp": STAMP,
        "type": kind,
        "message": {"role": kind, "parts": [{"text": words}]},
    }


def _codex(kind: str, **payload: Any) -> Record:
    return {"timestamp": STAMP, "type": kind, "payload": payload}


def _codex_item(number: int, words: str) -> Record:
    item = {"type": "UserMessage", "id": f"i{number}", "content": text(words, "Text")}
    return _codex("event_msg", type="item_completed", turn_id=f"t{number}", item=item)


def _codex_said(role: str, kind: str) -> Callable[[int, str], Record]:
    return lambda number, words: _codex("response_item", type="message", role=role, content=text(words, kind))


CODEX_META = _codex("session_meta", id="s", cwd="/home/dana/shop", source="cli", timestamp=STAMP)


def _copilot(kind: str) -> Callable[[int, str], Record]:
    return lambda number, words: {
        "type": kind,
        "id": f"{kind}{number}",
        "timestamp": STAMP,
        "data": {"content": words},
    }


def _gemini(kind: str) -> Callable[[int, str], Record]:
    return lambda number, words: {
        "id": f"{kind}{number}",
        "timestamp": STAMP,
        "type": kind,
        "content": [{"text": words}],
    }


GEMINI = {"sessionId": "s", "projectHash": "x", "startTime": STAMP, "kind": "main"}


def _request(number: int, words: str) -> Record:
    return {"requestId": f"r{number}", "timestamp": AT, "message": {"text": words}, "response": [{"value": ANSWER}]}


def _vscode_log(path: Path, texts: Words) -> None:
    changes: list[Record] = [{"kind": 0, "v": {"version": 3, "sessionId": "s", "requests": []}}]
    changes += [{"kind": 2, "k": ["requests"], "v": [_request(*told)]} for told in enumerate(texts)]
    path.write_bytes(b"".join(json.dumps(change, ensure_ascii=False).encode() + b"\n" for change in changes))


def _pi(role: str) -> Callable[[int, str], Record]:
    return lambda number, words: {
        "type": "message",
        "timestamp": STAMP,
        "message": {"role": role, "content": text(words)},
    }


def _droid(role: str) -> Callable[[int, str], Record]:
    return lambda number, words: _pi(role)(number, words) | {"id": f"{role}{number}"}


def _openhands(source: str) -> Callable[[int, str], Record]:
    return lambda number, words: {
        "id": f"{source}{number}",
        "timestamp": "2026-05-04T08:00:00",
        "kind": "MessageEvent",
        "source": source,
        "llm_message": {"content": text(words)},
    }


def _entire(kind: str) -> Callable[[int, str], Record]:
    return lambda number, words: {
        "v": 1,
        "agent": "claude-code",
        "cli_version": "0.5",
        "type": kind,
        "ts": STAMP,
        "content": [{"id": f"{kind}{number}", "text": words}],
    }


def _shown(kind: str) -> Callable[[int, str], Record]:
    """An entry of what Cline's screen showed; the developer's first one is the task."""

    def entry(number: int, words: str) -> Record:
        say = ("task" if number == 0 else "user_feedback") if kind == "user" else "text"
        return {"ts": AT + number, "type": "say", "say": say, "text": words}

    return entry


def _sent(number: int, words: str) -> Record:
    """A message as Cline sends it to a model."""
    around = ("<task>", "</task>") if number == 0 else ("[ask_followup_question] Result:\n<answer>", "</answer>")
    return {"role": "user", "content": text(f"{around[0]}\n{words}\n{around[1]}")}


def _exported(role: str) -> Callable[[int, str], Record]:
    """A message of an OpenCode export."""
    return lambda number, words: {
        "info": {"id": f"{role}{number}", "role": role, "time": {"created": AT}},
        "parts": [{"type": "text", "text": words, "id": f"{role}{number}p"}],
    }


def _kiro(number: int, words: str) -> Record:
    said = {"Response": {"message_id": f"a{number}", "content": ANSWER}}
    return {"user": {"content": {"Prompt": {"prompt": words}}}, "assistant": said}


def _aider(path: Path, texts: Words) -> None:
    lines = ["# aider chat started at 2026-05-04 08:00:00", ""]
    for words in texts:
        lines += [*(f"#### {line}  " for line in words.split("\n")), "", ANSWER, ""]
    path.write_text("\n".join(lines), "utf-8")


def _cursor_text(path: Path, texts: Words) -> None:
    parts = [f"user:\n<user_query>\n{words}\n</user_query>\n\nA:\n{ANSWER}\n" for words in texts]
    path.write_text("\n".join(parts), "utf-8")


def _specstory(path: Path, texts: Words) -> None:
    lines = [
        "<!-- Generated by SpecStory, Markdown v2.1.0 -->",
        "",
        "<!-- Codex CLI Session 0b6b5c1e (2026-05-04 08:00:00Z) -->",
    ]
    for words in texts:
        lines += ["", "_**User (2026-05-04 08:00:00Z)**_", "", words, "", "---", ""]
        lines += ["_**Agent (model 2026-05-04 08:00:00Z)**_", "", ANSWER, "", "---", ""]
    path.write_text("\n".join(lines), "utf-8")


def _database(script: str, fill: Callable[[sqlite3.Connection, Words], None]) -> Callable[[Path, Words], None]:
    def write(path: Path, texts: Words) -> None:
        path.unlink(missing_ok=True)
        connection = sqlite3.connect(path)
        connection.execute("pragma synchronous = off")
        connection.executescript(script)
        fill(connection, texts)
        connection.commit()
        connection.close()

    return write


def _opencode_rows(connection: sqlite3.Connection, texts: Words) -> None:
    connection.execute("insert into session values ('s', null, '/home/dana/shop', ?)", (AT,))
    for number, words in enumerate(texts):
        for later, (role, said) in enumerate((("user", words), ("assistant", ANSWER))):
            message, at = f"m{number}{role}", AT + 2 * number + later
            connection.execute("insert into message values (?, 's', ?, ?)", (message, at, json.dumps({"role": role})))
            connection.execute("insert into part values (?, ?, ?)", (f"{message}p", message, json.dumps(text(said)[0])))


def _goose_rows(connection: sqlite3.Connection, texts: Words) -> None:
    connection.execute("insert into sessions values ('s', '/home/dana/shop', 'user')")
    insert = "insert into messages (session_id, role, content_json, created_timestamp) values ('s', ?, ?, ?)"
    for words in texts:
        for role, said in (("user", words), ("assistant", ANSWER)):
            connection.execute(insert, (role, json.dumps(text(said)), AT // 1000))


def _zed_rows(connection: sqlite3.Connection, texts: Words) -> None:
    told: list[Record] = []
    for number, words in enumerate(texts):
        told.append({"User": {"id": f"u{number}", "content": [{"Text": words}]}})
        told.append({"Agent": {"content": [{"Text": ANSWER}]}})
    data = json.dumps({"messages": told}).encode()
    connection.execute("insert into threads values ('s', null, 'x', ?, 'json', ?)", (STAMP, data))


_OPENCODE_TABLES = """
    create table session (id text primary key, parent_id text, directory text, time_created integer);
    create table message (id text primary key, session_id text, time_created integer, data text);
    create table part (id text primary key, message_id text, data text);
"""
_GOOSE_TABLES = """
    create table sessions (id text primary key, working_dir text, session_type text);
    create table messages (id integer primary key, session_id text, role text, content_json text, metadata_json text,
        created_timestamp integer);
"""
_ZED_TABLES = "create table threads (id text, parent_id text, summary text, updated_at text, data_type text, data blob)"


def _with(key: str, **more: Any) -> Callable[[list[Any]], Record]:
    return lambda messages: {**more, key: messages}


def _neutral(speaker: str) -> Callable[[int, str], Record]:
    return lambda number, words: {"id": f"{speaker}{number}", "speaker": speaker, "time": STAMP, "text": words}


WRITERS = [
    Writer(
        "transcripts.neutral",
        "lines",
        _lines({"afterpass": 1, "session": "s", "repo": "r"}, _neutral("developer"), _neutral("agent")),
    ),
    Writer(
        "transcripts.claude_code", "lines", _lines(None, _claude("user", "user"), _claude("assistant", "assistant"))
    ),
    Writer("transcripts.claude_history", "lines", _history),
    Writer(
        "transcripts.codex",
        "lines",
        _lines(
            CODEX_META,
            lambda _, words: _codex("event_msg", type="user_message", message=words),
            _codex_said("assistant", "output_text"),
        ),
        "events",
    ),
    Writer(
        "transcripts.codex", "lines", _lines(CODEX_META, _codex_item, _codex_said("assistant", "output_text")), "items"
    ),
    Writer(
        "transcripts.codex",
        "lines",
        _lines(CODEX_META, _codex_said("user", "input_text"), _codex_said("assistant", "output_text")),
        "responses",
    ),
    Writer(
        "transcripts.cursor",
        "lines",
        _lines(
            None,
            lambda _, words: {"role": "user", "message": {"content": text(f"<user_query>\n{words}\n</user_query>")}},
            lambda _, words: {"role": "assistant", "message": {"content": text(words)}},
        ),
    ),
    Writer("transcripts.cursor_text", "markdown", _cursor_text),
    Writer(
        "transcripts.vscode_copilot",
        "document",
        _document(_with("requests", version=3, sessionId="s"), _request, None),
        "document",
    ),
    Writer("transcripts.vscode_copilot", "lines", _vscode_log, "log"),
    Writer(
        "transcripts.gemini_cli",
        "document",
        _document(_with("messages", **GEMINI), _gemini("user"), _gemini("gemini")),
        "document",
    ),
    Writer("transcripts.gemini_cli", "lines", _lines(GEMINI, _gemini("user"), _gemini("gemini")), "lines"),
    Writer(
        "transcripts.opencode",
        "document",
        _document(
            _with("messages", info={"id": "s", "projectID": "p", "directory": "/home/dana/shop", "time": {}}),
            _exported("user"),
            _exported("assistant"),
        ),
    ),
    Writer("transcripts.opencode_db", "database", _database(_OPENCODE_TABLES, _opencode_rows)),
    Writer(
        "transcripts.copilot_cli",
        "lines",
        _lines(
            {"type": "session.start", "id": "e", "timestamp": STAMP, "data": {"sessionId": "s"}},
            _copilot("user.message"),
            _copilot("assistant.message"),
        ),
    ),
    Writer(
        "transcripts.copilot_history",
        "document",
        _document(_with("chatMessages", sessionId="s", startTime=STAMP), _role("user"), _role("assistant")),
    ),
    Writer("transcripts.cline", "document", _document(list, _shown("user"), _shown("agent")), "screen"),
    Writer("transcripts.cline", "document", _document(list, _sent, _role("assistant")), "model"),
    Writer(
        "transcripts.cline",
        "document",
        _document(_with("messages", sessionId="s", agent="lead"), _role("user"), _role("assistant")),
        "session",
    ),
    Writer("transcripts.aider", "markdown", _aider),
    Writer("transcripts.specstory", "markdown", _specstory),
    Writer(
        "transcripts.pi",
        "lines",
        _lines({"type": "session", "id": "s", "timestamp": STAMP, "cwd": "/x"}, _pi("user"), _pi("assistant")),
    ),
    Writer(
        "transcripts.goose",
        "lines",
        _lines(
            {"working_dir": "/x", "message_count": 2, "id": "s"},
            _role("user", created=AT // 1000),
            _role("assistant", created=AT // 1000),
        ),
    ),
    Writer("transcripts.goose_db", "database", _database(_GOOSE_TABLES, _goose_rows)),
    Writer("transcripts.qwen_code", "lines", _lines(None, _qwen("user"), _qwen("assistant"))),
    Writer(
        "transcripts.droid",
        "lines",
        _lines({"type": "session_start", "id": "s", "cwd": "/x"}, _droid("user"), _droid("assistant")),
    ),
    Writer("transcripts.kiro", "document", _document(_with("history", conversation_id="s"), _kiro, None)),
    Writer("transcripts.openhands", "lines", _lines(None, _openhands("user"), _openhands("agent"))),
    Writer("transcripts.zed", "database", _database(_ZED_TABLES, _zed_rows)),
    Writer(
        "transcripts.amp",
        "document",
        _document(
            _with("messages", v=3, id="T-1", created=AT),
            lambda number, words: {"role": "user", "messageId": 2 * number, "content": text(words)},
            lambda number, words: {"role": "assistant", "messageId": 2 * number + 1, "content": text(words)},
        ),
    ),
    Writer("transcripts.entire", "lines", _lines(None, _entire("user"), _entire("assistant"))),
    Writer(
        "transcripts.swe_agent",
        "document",
        _document(
            _with("history"), _role("user", message_type="observation"), _role("assistant", message_type="action")
        ),
    ),
]
SILENT = "transcripts.swe_agent"
"""The one reader of sessions in which no person speaks."""
