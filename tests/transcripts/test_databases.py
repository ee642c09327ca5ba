"""Agents that keep all their sessions in one SQLite file."""

# ruff: noqa: E501 - a row stays on one line

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

import pytest
import zstandard

from transcripts.errors import TranscriptError
from transcripts.registry import read_all, read_transcript
from transcripts.session import Origin, Session, Skipped

NOT_TYPED = "always use yarn"


def database(path: Path, script: str, *inserts: tuple[str, tuple[object, ...]]) -> Path:
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
        for statement, values in inserts:
            connection.execute(statement, values)
    connection.close()
    return path


def typed(session: Session | Skipped) -> list[str]:
    assert isinstance(session, Session)
    parts = [part for turn in session.developer_turns() for part in turn.segments if part.origin is Origin.TYPED]
    return [part.text.strip() for part in parts]


def opencode(path: Path, *sessions: tuple[str, str | None]) -> Path:
    script = """
        create table session (id text primary key, parent_id text, directory text, time_created integer);
        create table message (id text primary key, session_id text, time_created integer, data text);
        create table part (id text primary key, message_id text, data text);
    """
    inserts: list[tuple[str, tuple[object, ...]]] = []
    for name, parent in sessions:
        inserts.append(("insert into session values (?, ?, '/home/dana/shop', 1777881600000)", (name, parent)))
        for index, role in enumerate(("user", "assistant")):
            message = f"{name}-{index}"
            values = (message, name, 1777881600000 + index, json.dumps({"role": role}))
            inserts.append(("insert into message values (?, ?, ?, ?)", values))
            words = {"type": "text", "text": f"carts expire, {name}" if role == "user" else "Noted."}
            inserts.append(("insert into part values (?, ?, ?)", (f"{message}a", message, json.dumps(words))))
            made = {"type": "text", "text": NOT_TYPED, "synthetic": True}
            inserts.append(("insert into part values (?, ?, ?)", (f"{message}b", message, json.dumps(made))))
    return database(path, script, *inserts)


def test_opencode_one_session(tmp_path: Path) -> None:
    read = read_transcript(opencode(tmp_path / "opencode.db", ("ses_1", None), ("ses_2", "ses_1")))
    assert typed(read) == ["carts expire, ses_1"]
    assert isinstance(read, Session)
    assert ("opencode", "ses_1", "/home/dana/shop", "dana") == (read.agent, read.id, read.repo, read.developer)


def test_opencode_several_sessions(tmp_path: Path) -> None:
    path = opencode(tmp_path / "opencode.db", ("ses_1", None), ("ses_2", None))
    refused = read_transcript(path)
    assert isinstance(refused, Skipped)
    assert "several sessions" in refused.reason
    assert ["carts expire, ses_2"] == [words for session in read_all(path, only="ses_2") for words in typed(session)]
    assert [["carts expire, ses_1"], ["carts expire, ses_2"]] == [typed(session) for session in read_all(path)]


def test_goose(tmp_path: Path) -> None:
    script = """
        create table sessions (id text primary key, working_dir text, session_type text);
        create table messages (id integer primary key, session_id text, role text, content_json text,
            metadata_json text, created_timestamp integer);
        insert into sessions values ('g1', '/home/dana/shop', 'user'), ('g2', '/x', 'scheduled');
    """
    rows = [
        ("g1", "user", [{"type": "text", "text": "the queue is at least once"}], {"userVisible": True}),
        ("g1", "assistant", [{"type": "text", "text": "Noted."}], None),
        ("g1", "user", [{"type": "toolResponse", "text": NOT_TYPED}], None),
        ("g1", "user", [{"type": "text", "text": NOT_TYPED}], {"userVisible": False}),
        ("g2", "user", [{"type": "text", "text": NOT_TYPED}], None),
    ]
    inserts = [
        ("insert into messages (session_id, role, content_json, metadata_json, created_timestamp) values (?, ?, ?, ?, 1777881600)",
         (session, role, json.dumps(content), json.dumps(metadata)))
        for session, role, content, metadata in rows
    ]  # fmt: skip
    path = database(tmp_path / "sessions.db", script, *inserts)
    assert typed(read_transcript(path)) == ["the queue is at least once"]
    assert [Session, Skipped] == [type(session) for session in read_all(path)]


@pytest.mark.parametrize("packed", [True, False])
def test_zed(packed: bool, tmp_path: Path) -> None:
    thread = {
        "messages": [
            {
                "User": {
                    "id": "u1",
                    "content": [{"Text": "panels never steal focus "}, {"Mention": {"uri": "x", "content": NOT_TYPED}}],
                }
            },
            {"Agent": {"content": [{"Text": "Noted."}]}},
            "Resume",
        ],
        "initial_project_snapshot": {
            "worktree_snapshots": [
                {"worktree_path": "/home/dana/ed", "git_state": {"remote_url": "git@github.com:acme/ed.git"}}
            ]
        },
    }
    data = json.dumps(thread).encode()
    script = "create table threads (id text, summary text, updated_at text, data_type text, data blob);"
    values = (
        "z1",
        "x",
        "2026-05-04T08:00:00Z",
        "zstd" if packed else "json",
        zstandard.compress(data) if packed else data,
    )
    path = database(tmp_path / "threads.db", script, ("insert into threads values (?, ?, ?, ?, ?)", values))
    read = read_transcript(path)
    assert typed(read) == ["panels never steal focus"]
    assert isinstance(read, Session)
    assert ("z1", "github.com/acme/ed") == (read.id, read.repo)


def test_a_database_that_is_being_written_is_read_with_its_log(tmp_path: Path) -> None:
    path = opencode(tmp_path / "opencode.db", ("ses_1", None))
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.execute(
        "update part set data = ? where id = 'ses_1-0a'", (json.dumps({"type": "text", "text": "carts never expire"}),)
    )
    writer.commit()
    try:
        assert typed(read_transcript(path)) == ["carts never expire"]
    finally:
        writer.close()


def test_other_and_broken_databases_are_no_sessions(tmp_path: Path) -> None:
    other = database(tmp_path / "other.db", "create table things (id text);")
    broken = tmp_path / "broken.db"
    broken.write_bytes(opencode(tmp_path / "o.db", ("ses_1", None)).read_bytes()[:1500])
    for path in (other, broken):
        read = read_transcript(path)
        assert isinstance(read, Skipped)
        assert read.code == "unknown_format"
    damaged = opencode(tmp_path / "d.db", ("ses_1", None))
    content = bytearray(damaged.read_bytes())
    content[5000:] = b"\xff" * (len(content) - 5000)
    damaged.write_bytes(bytes(content))
    with pytest.raises(TranscriptError, match="database"):
        read_transcript(damaged)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_database_is_read_or_named_and_gives_the_same_twice(seed: int, tmp_path: Path) -> None:
    content = bytearray(opencode(tmp_path / "o.db", ("ses_1", None), ("ses_2", None)).read_bytes())
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 60)):
        content[chance.randrange(100, len(content))] = chance.randrange(256)
    damaged = tmp_path / "x.bin"
    damaged.write_bytes(content[: chance.choice([len(content), chance.randrange(len(content))])])

    def outcome() -> list[object]:
        try:
            return list(read_all(damaged))
        except TranscriptError as error:
            return [error.what]

    assert outcome() == outcome()
