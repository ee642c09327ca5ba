"""Which files are found, and what is known of a file without reading all of it."""

from __future__ import annotations

import gzip
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from transcripts.discovery import Found, Root, default_roots, discover, last_record_time
from transcripts.file import TranscriptFile
from transcripts.interface import HEAD_BYTES


def names(found: list[Found], top: Path) -> list[str]:
    return sorted(str(file.path.relative_to(top)) for file in found)


def write(path: Path, text: str = "{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_agents_folders_move_with_their_variables(tmp_path: Path) -> None:
    at_home = [str(root.path) for root in default_roots({"HOME": "/h"})]
    assert {"/h/.claude/projects", "/h/.codex/sessions", "/h/.codex/archived_sessions"} <= set(at_home)
    moved = [root.path for root in default_roots({"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}) if "claude" in root.agent]
    assert [Path("/c/projects"), Path("/c/history.jsonl")] == moved
    codex = [root.path for root in default_roots({"HOME": "/h", "CODEX_HOME": "/x"}) if root.agent == "codex"]
    assert [Path("/x/sessions"), Path("/x/archived_sessions")] == codex
    copilot = {root.path for root in default_roots({"HOME": "/h", "COPILOT_HOME": "/y"}) if "copilot-cli" == root.agent}
    assert {Path("/y/session-state"), Path("/y/history-session-state")} == copilot


def test_every_layout_of_copilots_and_cursors_files_is_found_and_nothing_beside_them(tmp_path: Path) -> None:
    for name in (
        ".copilot/session-state/a/events.jsonl",
        ".copilot/session-state/a/files/dump.jsonl",
        ".copilot/session-state/b.jsonl",
        ".copilot/history-session-state/session_c_1.json",
        ".copilot/history-session-state/kept/d.json",
        ".cursor/projects/p/agent-transcripts/e.txt",
        ".cursor/projects/p/agent-transcripts/f/f.jsonl",
        ".cursor/projects/p/notes/g.txt",
    ):
        write(tmp_path / name)
    expected = [
        ".copilot/history-session-state/session_c_1.json",
        ".copilot/session-state/a/events.jsonl",
        ".copilot/session-state/b.jsonl",
        ".cursor/projects/p/agent-transcripts/e.txt",
        ".cursor/projects/p/agent-transcripts/f/f.jsonl",
    ]
    assert expected == names(list(discover(default_roots({"HOME": str(tmp_path)}))), tmp_path)


def test_side_files_are_passed_over_and_sessions_are_found(tmp_path: Path) -> None:
    for name in ("p/a.jsonl", "p/a/subagents/agent-1.jsonl", "p/b.json", "p/c.md"):
        write(tmp_path / name)
    for name in (
        "p/a/subagents/agent-1.meta.json",
        "p/a/tool-results/x.json",
        "settings.json",
        "p/x.txt",
        ".git/x.json",
        "p/.tmp-session-1.jsonl",
        "p/.unreadable-session-1.json",
    ):
        write(tmp_path / name)
    expected = ["p/a.jsonl", "p/a/subagents/agent-1.jsonl", "p/b.json", "p/c.md"]
    assert expected == names(list(discover([tmp_path])), tmp_path)


def test_a_found_file_carries_its_size_time_and_agent(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", "{}\n")
    found = list(discover([Root(tmp_path, "codex")]))
    assert [Found(str(path), 3, path.stat().st_mtime_ns, "codex")] == found


def test_overlapping_roots_give_each_file_once(tmp_path: Path) -> None:
    write(tmp_path / "in/a.jsonl")
    assert ["in/a.jsonl"] == names(list(discover([tmp_path, tmp_path / "in"])), tmp_path)


def test_a_root_may_name_the_folder_and_the_files_that_count(tmp_path: Path) -> None:
    for name in ("h1/chatSessions/a.json", "h1/other/b.json", "h2/chatSessions/deep/c.json", "h2/state.json"):
        write(tmp_path / name)
    root = Root(tmp_path, "vscode-copilot", (".json",), "chatSessions")
    assert ["h1/chatSessions/a.json", "h2/chatSessions/deep/c.json"] == names(list(discover([root])), tmp_path)
    write(tmp_path / "t/1/ui_messages.json")
    write(tmp_path / "t/1/task_metadata.json")
    assert ["t/1/ui_messages.json"] == names(
        list(discover([Root(tmp_path / "t", "cline", ("ui_messages.json",))])), tmp_path
    )


def test_a_root_that_is_not_there_gives_nothing(tmp_path: Path) -> None:
    assert [] == list(discover([tmp_path / "none"]))


def test_a_root_may_be_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl")
    assert [path] == [found.path for found in discover([path])]


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    write(tmp_path / "p/a.jsonl")
    (tmp_path / "p/again").symlink_to(tmp_path / "p", target_is_directory=True)
    assert all(found.path.name == "a.jsonl" for found in discover([tmp_path]))


def test_the_plain_file_is_preferred_to_its_packed_copy(tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.jsonl.zst", "b.jsonl.zst", "c.jsonl.gz"):
        write(tmp_path / name)
    assert ["a.jsonl", "b.jsonl.zst", "c.jsonl.gz"] == names(list(discover([tmp_path])), tmp_path)


def test_a_fingerprint_is_of_the_content(tmp_path: Path) -> None:
    for size in (1, 3 * HEAD_BYTES):
        one, other = write(tmp_path / "a.jsonl", "x" * size), write(tmp_path / "b.jsonl", "x" * size)
        assert fingerprint(one) == fingerprint(other)
        assert fingerprint(one) != fingerprint(write(tmp_path / "c.jsonl", "x" * size + "y"))


def fingerprint(path: Path) -> str:
    with TranscriptFile(path) as file:
        return file.fingerprint()


LAST = datetime(2026, 6, 1, 12, 30, tzinfo=UTC)
TIMED = {
    "last of several": '{"timestamp":"2026-06-01T10:00:00Z"}\n{"timestamp":"2026-06-01T12:30:00Z"}\n',
    "not in order": '{"timestamp":"2026-06-01T12:30:00Z"}\n{"timestamp":"2026-06-01T10:00:00Z"}\n',
    "unfinished last line": '{"timestamp":"2026-06-01T12:30:00Z"}\n{"timestamp":"2026-07',
    "a long file": '{"timestamp":"2026-05-01T00:00:00Z"}\n' * 9000 + '{"timestamp":"2026-06-01T12:30:00Z"}\n',
    "neutral": '{"afterpass":1}\n{"time":"2026-06-01T12:30:00Z"}\n',
    "milliseconds": '{"timestamp":1780317000000}\n',
}


@pytest.mark.parametrize("text", TIMED.values(), ids=TIMED.keys())
def test_the_last_records_tell_when_a_session_went_quiet(text: str, tmp_path: Path) -> None:
    assert last_record_time(write(tmp_path / "a.jsonl", text)) == LAST
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    assert last_record_time(tmp_path / "a.jsonl.gz") == LAST


def test_no_time_is_no_error(tmp_path: Path) -> None:
    assert last_record_time(write(tmp_path / "a.jsonl", "nothing here")) is None
    assert last_record_time(tmp_path / "gone.jsonl") is None


def test_a_database_is_as_new_and_as_large_as_it_is_with_its_log(tmp_path: Path) -> None:
    database = tmp_path / "opencode.db"
    database.write_bytes(b"x" * 10)
    os.utime(database, ns=(5, 5))
    assert [(10, 5)] == [(found.size, found.mtime_ns) for found in discover([tmp_path])]
    log = tmp_path / "opencode.db-wal"
    log.write_bytes(b"y" * 3)
    os.utime(log, ns=(9, 9))
    assert [(13, 9)] == [(found.size, found.mtime_ns) for found in discover([tmp_path])]


def test_the_databases_of_agents_are_found_where_they_keep_them(tmp_path: Path) -> None:
    places = [".local/share/opencode/opencode.db", ".local/share/goose/sessions/sessions.db"]
    places += [".local/share/zed/threads/threads.db"]
    for place in places:
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_bytes(b"x")
    (tmp_path / ".local/share/opencode/other.db").write_bytes(b"x")
    found = discover(default_roots({"HOME": str(tmp_path)}))
    assert sorted(places) == sorted(str(file.path.relative_to(tmp_path)) for file in found)
