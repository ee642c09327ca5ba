"""Which files a pass looks at: finished ones, announced ones, given ones; and none that is on record already."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.gather import (
    Gathered,
    NothingThere,
    Seen,
    find_everywhere,
    find_given,
    gather_finished,
    gather_given,
    leave_out_older,
    settled,
    source_of,
)
from policy.settings import Settings

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)


def nothing_closed(path: str, why: OSError) -> None:
    """No folder of these tests is closed."""
    raise AssertionError(f"{path}: {why}")


def transcript(path: Path, *, said: datetime | None = None, touched: datetime | None = None) -> Path:
    """A neutral session whose last record and whose file carry these times."""
    path.parent.mkdir(parents=True, exist_ok=True)
    turn = {"speaker": "developer", "text": "hello"} | ({"time": said.isoformat()} if said else {})
    header = {"afterpass": 1, "session": path.stem, "repo": "r"}
    path.write_text(json.dumps(header) + "\n" + json.dumps(turn) + "\n", "utf-8")
    when = (touched or NOW - timedelta(hours=2)).timestamp()
    os.utime(path, (when, when))
    return path


def mark(settings: Settings, *, at: datetime, event: str = "SessionEnd", **told: str | None) -> Path:
    """A marker as the hook leaves it."""
    settings.inbox.mkdir(parents=True, exist_ok=True)
    file = settings.inbox / f"{len(list(settings.inbox.iterdir())):020d}-1.json"
    marker = {"marker": 1, "event": event, "session": None, "path": None, "cwd": None, "at": at.timestamp()}
    file.write_text(json.dumps(marker | told), "ascii")
    return file


def gather(settings: Settings, environ: dict[str, str], seen: Seen | None = None) -> Gathered:
    return gather_finished(settings, find_everywhere(settings, environ, nothing_closed), seen or {}, [], NOW)


def names(gathered: Gathered) -> list[str]:
    return sorted(source.path.stem for source in gathered.sources)


@pytest.mark.parametrize(
    ("touched", "said", "finished"),
    [
        (NOW - timedelta(minutes=31), None, True),
        (NOW - timedelta(minutes=29), NOW - timedelta(days=9), False),
        (NOW + timedelta(days=400), NOW - timedelta(minutes=31), True),
        (NOW + timedelta(days=400), NOW - timedelta(minutes=29), False),
        (NOW + timedelta(days=400), None, True),
        (NOW + timedelta(days=400), NOW + timedelta(days=300), True),
        (datetime(1980, 1, 1, tzinfo=UTC), NOW - timedelta(minutes=29), False),
        (datetime(1980, 1, 1, tzinfo=UTC), NOW - timedelta(minutes=31), True),
        (datetime(1970, 1, 1, tzinfo=UTC), NOW - timedelta(minutes=29), False),
    ],
)
def test_a_session_is_finished_when_idle_by_its_file_or_by_its_last_record_where_that_is_absurd(
    settings: Settings,
    environ: dict[str, str],
    touched: datetime,
    said: datetime | None,
    finished: bool,
) -> None:
    transcript(settings.roots[0] / "s.jsonl", said=said, touched=touched)
    gathered = gather(settings, environ)
    assert (["s"] if finished else [], 0 if finished else 1) == (names(gathered), gathered.unfinished)


def test_the_agents_own_folders_are_looked_into(settings: Settings, tmp_path: Path) -> None:
    transcript(tmp_path / "claude" / "projects" / "slug" / "a.jsonl")
    transcript(tmp_path / "codex" / "sessions" / "2026" / "b.jsonl")
    transcript(settings.roots[0] / "c.jsonl")
    environ = {"CLAUDE_CONFIG_DIR": str(tmp_path / "claude"), "CODEX_HOME": str(tmp_path / "codex")}
    assert ["a", "b", "c"] == names(gather(settings, environ))


def test_what_is_on_record_with_this_size_and_time_is_unchanged(settings: Settings, environ: dict[str, str]) -> None:
    path = transcript(settings.roots[0] / "s.jsonl")
    source = source_of(path)
    gathered = gather(settings, environ, {str(path): (source.size, source.mtime_ns)})
    assert ([], 1) == (names(gathered), gathered.unchanged)
    assert ["s"] == names(gather(settings, environ, {str(path): (source.size - 1, source.mtime_ns)}))


def test_a_session_end_hook_makes_a_session_finished_at_once(settings: Settings, environ: dict[str, str]) -> None:
    path = transcript(settings.roots[0] / "s.jsonl", said=NOW, touched=NOW)
    elsewhere = transcript(settings.home.parent / "elsewhere" / "t.jsonl", said=NOW, touched=NOW)
    mark(settings, at=NOW, path=str(path))
    mark(settings, at=NOW, path=str(elsewhere))
    gathered = gather(settings, environ)
    assert (["s", "t"], 0) == (names(gathered), gathered.unfinished)


@pytest.mark.parametrize(
    ("said", "finished"),
    [
        (NOW - timedelta(minutes=4), False),
        (NOW - timedelta(minutes=5), True),
        (None, True),
        (NOW + timedelta(days=3), True),
    ],
)
def test_after_the_end_of_a_turn_a_session_has_to_rest(
    settings: Settings,
    environ: dict[str, str],
    said: datetime | None,
    finished: bool,
) -> None:
    path = transcript(settings.roots[0] / "s.jsonl", said=said, touched=NOW)
    mark(settings, at=NOW, event="Stop", path=str(path))
    assert (["s"] if finished else []) == names(gather(settings, environ))


@pytest.mark.parametrize(
    ("said", "finished"),
    [
        (NOW - timedelta(minutes=2, seconds=30), True),
        (NOW - timedelta(minutes=1, seconds=30), False),
        (NOW - timedelta(minutes=90), True),
    ],
)
def test_a_session_that_was_resumed_after_its_end_has_to_rest_again(
    settings: Settings, environ: dict[str, str], said: datetime, finished: bool
) -> None:
    path = transcript(settings.roots[0] / "s.jsonl", said=said, touched=NOW)
    mark(settings, at=NOW - timedelta(minutes=3), path=str(path))
    assert (["s"] if finished else []) == names(gather(settings, environ))


@pytest.mark.parametrize("name", ["0199-abc", "rollout-2026-06-10T09-00-00-0199-abc"])
def test_a_marker_without_a_path_finds_the_file_that_carries_its_id(
    settings: Settings, environ: dict[str, str], name: str
) -> None:
    transcript(settings.roots[0] / f"{name}.jsonl", said=NOW, touched=NOW)
    transcript(settings.roots[0] / "newer.jsonl", said=NOW, touched=NOW)
    mark(settings, at=NOW, session="0199-abc")
    assert [name] == names(gather(settings, environ))


def test_a_missing_transcript_is_waited_for_a_day_and_then_given_up(
    settings: Settings, environ: dict[str, str]
) -> None:
    mark(settings, at=NOW - timedelta(hours=23), session="young", path="/nowhere/young.jsonl")
    mark(settings, at=NOW - timedelta(hours=25), session="old", path="/nowhere/old.jsonl")
    gathered = gather(settings, environ)
    assert (["young"], ["old"]) == ([m.label for m in gathered.waiting], [m.label for m in gathered.given_up])


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"event": "SessionEnd"}', b'{"event":"x","at":"now"}'])
def test_a_marker_that_says_nothing_is_reported(settings: Settings, environ: dict[str, str], content: bytes) -> None:
    settings.inbox.mkdir(parents=True)
    (settings.inbox / "1-1.json").write_bytes(content)
    assert ["1-1.json"] == [broken.file.name for broken in gather(settings, environ).broken]


def test_a_marker_is_settled_only_by_what_lies_there_now(settings: Settings, environ: dict[str, str]) -> None:
    path = transcript(settings.roots[0] / "s.jsonl")
    file = mark(settings, at=NOW, path=str(path))
    source = source_of(path)
    seen = {str(path): (source.size, source.mtime_ns)}
    markers = gather(settings, environ, seen).markers
    assert [file] == [marker.file for marker in settled(markers, seen)]
    path.write_text(path.read_text("utf-8") + '{"speaker": "agent", "text": "late"}\n', "utf-8")
    assert [] == list(settled(markers, seen))


def test_given_files_are_taken_whether_finished_or_not_and_once(settings: Settings) -> None:
    path = transcript(settings.roots[0] / "s.jsonl", touched=NOW)
    given = [path, path.parent, path.parent / ".." / path.parent.name / "s.jsonl"]
    assert ["s"] == names(gather_given(find_given(given, nothing_closed), {}))


def test_given_files_that_are_on_record_are_unchanged(settings: Settings) -> None:
    source = source_of(transcript(settings.roots[0] / "s.jsonl"))
    gathered = gather_given(
        find_given([source.path], nothing_closed), {str(source.path): (source.size, source.mtime_ns)}
    )
    assert ([], 1) == (names(gathered), gathered.unchanged)


def test_a_path_that_leads_nowhere_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(NothingThere, match=r"absent\.jsonl: no such file or folder"):
        find_given([tmp_path / "absent.jsonl"], nothing_closed)


def test_a_folder_without_a_transcript_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "notes.txt").write_text("no transcript")
    with pytest.raises(NothingThere, match="no transcript in this folder"):
        find_given([tmp_path], nothing_closed)


def test_files_last_touched_before_the_bound_are_left_out_unless_their_time_is_absurd(settings: Settings) -> None:
    bound = NOW - timedelta(days=30)
    transcript(settings.roots[0] / "old.jsonl", touched=bound - timedelta(days=1))
    transcript(settings.roots[0] / "new.jsonl", touched=bound + timedelta(days=1))
    transcript(settings.roots[0] / "odd.jsonl", touched=datetime(1980, 1, 1, tzinfo=UTC))
    gathered = gather_given(find_given(settings.roots, nothing_closed), {})
    leave_out_older(gathered, bound, NOW)
    assert (["new", "odd"], 1) == (names(gathered), gathered.older)
