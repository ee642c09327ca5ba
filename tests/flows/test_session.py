"""The whole path of sessions: one at a time, several at once, grown, forked, copied, failed and interrupted."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from extractors.candidate import Candidate, Kind
from extractors.errors import Terminal, Transient
from extractors.interface import Call, Extraction, ReplyFormat
from flows.gather import source_of
from flows.keeper import DryKeeper, Keeper
from flows.result import Tally
from flows.session import begin, pass_over, pass_over_all
from flows.steps import Context
from policy.load import load_policy
from policy.model import Policy
from policy.settings import Settings
from store.store import Store
from store.workers import worker_name
from tests.flows.conftest import REPO, Write
from transcripts.session import Session, Speaker

USE = "We use pnpm here."
MOVED = "Staging moved to preview."
ENDED = {"a": "2026-01-10T10:00:00Z", "b": "2026-02-10T10:00:00Z", "c": "2026-03-10T10:00:00Z"}
Make = Callable[..., Keeper]


class Scripted:
    """A real provider of proposals: it quotes what it was told to quote, where it stands in the part to be read."""

    name = "scripted"
    model = None

    def __init__(self, before: Callable[[Session], None] = lambda _session: None) -> None:
        self.before = before
        self.asked: list[tuple[str, int]] = []

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        self.asked.append((session.id, first_turn))
        self.before(session)
        found = []
        for turn in session.turns[first_turn:]:
            if turn.speaker is Speaker.DEVELOPER and USE in turn.text:
                found.append(Candidate(USE, "package_manager", Kind.STANDING, "pnpm", turn=turn.id, importance=8))
            if turn.speaker is Speaker.DEVELOPER and MOVED in turn.text:
                found.append(Candidate(MOVED, "deploy_target", Kind.STANDING, "preview", "staging", turn=turn.id))
        call = Call("m", "1", 10, 5, 0.1, 1, ReplyFormat.TEXT, "raw")
        return Extraction(tuple(found), (call,))


@pytest.fixture
def make(settings: Settings) -> Callable[..., Keeper]:
    def maker(extractor: Scripted | None = None, *, dry_run: bool = False) -> Keeper:
        context = Context(
            settings, load_policy(), extractor or Scripted(), Store(settings.home), worker_name(), explicit=True
        )
        return (DryKeeper if dry_run else Keeper)(context, Tally())

    return maker


def states(keeper: Keeper) -> dict[str, str]:
    return {key: state.value for key, state in keeper.tally.states.items()}


def facts(settings: Settings) -> list[tuple[str, str, int]]:
    with Store(settings.home).connect() as db:
        return [(fact.type, fact.value, fact.times_stated) for fact in db.facts()]


def test_one_session_goes_from_its_file_to_its_facts(make: Make, settings: Settings, write: Write) -> None:
    keeper = make()
    pass_over(write("s", [("developer", USE), ("agent", "ok")]), keeper)
    assert {"neutral:s": "done"} == states(keeper)
    assert [("package_manager", "pnpm", 1)] == facts(settings)
    assert ({"write": 1}, {"new": 1}) == (dict(keeper.tally.decisions), dict(keeper.tally.codes))
    assert (10, 5) == (keeper.tally.input_tokens, keeper.tally.output_tokens)


def test_a_second_pass_asks_nobody(make: Make, write: Write) -> None:
    path = write("s", [("developer", USE)])
    pass_over(path, make())
    second = make(Scripted())
    pass_over(path, second)
    assert ({}, 1) == (states(second), second.tally.unchanged)


def test_a_grown_session_is_read_on_from_where_it_ended(make: Make, settings: Settings, write: Write) -> None:
    turns = [("developer", USE), ("agent", "ok")]
    pass_over(write("s", turns), make())
    extractor = Scripted()
    path = write("s", [*turns, ("developer", MOVED), ("agent", "noted")], ended="2026-06-11T09:00:00Z")
    pass_over(path, make(extractor))
    assert [("s", 2)] == extractor.asked
    assert [("deploy_target", "preview", 1), ("package_manager", "pnpm", 1)] == sorted(facts(settings))


def test_a_session_that_grew_by_no_word_of_the_developer_asks_nobody(make: Make, write: Write) -> None:
    pass_over(write("s", [("developer", USE)]), make())
    extractor = Scripted()
    keeper = make(extractor)
    pass_over(write("s", [("developer", USE), ("agent", "done at last")]), keeper)
    assert ([], {"neutral:s": "done"}) == (extractor.asked, states(keeper))


def test_a_fork_is_read_from_where_its_parent_ended(
    make: Make, settings: Settings, write: Write, tmp_path: Path
) -> None:
    parent = write("s", [("developer", USE), ("agent", "ok")])
    pass_over(parent, make())
    lines = parent.read_text("utf-8").splitlines()
    header = json.loads(lines[0]) | {"session": "fork", "parent": "s"}
    turn = {"id": "fork-3", "speaker": "developer", "text": MOVED, "time": "2026-06-10T10:00:00Z"}
    fork = tmp_path / "fork.jsonl"
    fork.write_text("\n".join([json.dumps(header), *lines[1:], json.dumps(turn)]) + "\n", "utf-8")
    extractor = Scripted()
    pass_over(fork, make(extractor))
    assert [("fork", 2)] == extractor.asked
    assert [("deploy_target", "preview", 1), ("package_manager", "pnpm", 1)] == sorted(facts(settings))


def copies(write: Write) -> tuple[Path, Path]:
    """The same session at two places, one of them a prefix of the other."""
    turns = [("developer", USE), ("agent", "ok"), ("developer", MOVED)]
    whole = write("s", turns)
    short = whole.with_name("copy.jsonl")
    short.write_text("\n".join(whole.read_text("utf-8").splitlines()[:3]) + "\n", "utf-8")
    return short, whole


def test_two_copies_in_one_pass_are_one_session(make: Make, settings: Settings, write: Write) -> None:
    short, whole = copies(write)
    extractor = Scripted()
    keeper = make(extractor)
    pass_over_all([source_of(short), source_of(whole)], keeper)
    assert {"neutral:s": "done", f"file:{short}": "skipped"} == states(keeper)
    assert [("s", 0)] == extractor.asked
    assert [1, 1] == [times for _, _, times in facts(settings)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_copies_in_two_passes_are_one_session(
    make: Make, settings: Settings, write: Write, order: tuple[int, int]
) -> None:
    both = copies(write)
    for index in order:
        pass_over(both[index], make())
    assert [1, 1] == [times for _, _, times in facts(settings)]
    with Store(settings.home).connect() as db:
        seen = db.seen_files()
    assert {str(path): (source_of(path).size, source_of(path).mtime_ns) for path in both} == seen


def test_copies_that_went_different_ways_stay_apart_and_settle(make: Make, settings: Settings, write: Write) -> None:
    first = write("s", [("developer", USE), ("agent", "ok")])
    lines = first.read_text("utf-8").splitlines()
    turn = {"id": "other", "speaker": "developer", "text": MOVED, "time": "2026-06-10T10:00:00Z"}
    second = first.with_name("branch.jsonl")
    second.write_text("\n".join([*lines[:2], json.dumps(turn)]) + "\n", "utf-8")
    for _ in range(2):
        for path in (first, second):
            pass_over(path, make())
    with Store(settings.home).connect() as db:
        rows = db.sessions()
    assert [str(second), str(first)] == sorted(row.path for row in rows)
    assert [("deploy_target", "preview", 1), ("package_manager", "pnpm", 1)] == sorted(facts(settings))
    again = make()
    pass_over_all([source_of(first), source_of(second)], again)
    assert ({}, 2) == (states(again), again.tally.unchanged)


def test_sessions_land_in_the_order_in_which_they_ended_however_long_one_takes(
    make: Make, settings: Settings, write: Write
) -> None:
    later_is_through = threading.Event()

    def before(session: Session) -> None:
        if session.id == "february":
            assert later_is_through.wait(30)
        else:
            later_is_through.set()

    june = write("june", [("developer", USE)], ended="2026-06-10T10:00:00Z")
    february = write("february", [("developer", USE)], ended="2026-02-10T10:00:00Z")
    keeper = make(Scripted(before))
    pass_over_all([source_of(june), source_of(february)], keeper)
    assert {"new": 1, "same_value": 1} == dict(keeper.tally.codes)
    with Store(settings.home).connect() as db:
        (fact,) = db.facts()
    assert fact.evidence is not None
    assert ("february", 2) == (fact.evidence.session, fact.times_stated)


def test_the_store_is_free_while_somebody_thinks(make: Make, settings: Settings, write: Write) -> None:
    opening = f"with Store({str(settings.home)!r}, lock_timeout=5).connect() as db: db.status()"
    code = f"from store.store import Store\n{opening}"
    ended = []

    def before(_session: Session) -> None:
        ended.append(subprocess.run([sys.executable, "-c", code], check=False).returncode)

    pass_over(write("s", [("developer", USE)]), make(Scripted(before)))
    assert [0] == ended


def fail(session: Session) -> None:
    """Each kind of failure, by the session's name."""
    if session.id == "transient":
        raise Transient("model", "the server is busy", "afterpass run")
    if session.id == "terminal":
        raise Terminal("model", "no such model", "ollama pull x")
    if session.id == "bug":
        raise ZeroDivisionError("division by zero")


def test_a_session_that_fails_stops_no_other(make: Make, settings: Settings, write: Write) -> None:
    paths = [write(name, [("developer", USE)]) for name in ("bug", "terminal", "transient", "good")]
    keeper = make(Scripted(fail))
    pass_over_all([source_of(path) for path in paths], keeper)
    assert {
        "neutral:bug": "pending",
        "neutral:terminal": "failed",
        "neutral:transient": "pending",
        "neutral:good": "done",
    } == states(keeper)
    told = {failure.session: (failure.step, failure.error, failure.next) for failure in keeper.tally.failures.values()}
    assert {
        "bug": ("pass", "ZeroDivisionError: division by zero", "afterpass doctor"),
        "terminal": ("model", "no such model", "ollama pull x, then: afterpass run --retry-failed"),
        "transient": ("model", "the server is busy", "afterpass run"),
    } == told
    assert [("package_manager", "pnpm", 1)] == facts(settings)


def test_an_unreadable_file_is_left_pending_and_named(make: Make, write: Write) -> None:
    path = write("s", [("developer", USE)])
    source = source_of(path)
    path.unlink()
    path.mkdir()  # rights do not stop root, a folder stops everybody
    keeper = make()
    pass_over_all([source, source_of(write("good", [("developer", USE)]))], keeper)
    (failure,) = keeper.tally.failures.values()
    assert (str(path), "read", "This is a folder, not a transcript") == (failure.path, failure.step, failure.error)
    assert {"neutral:good": "done", str(path): "pending"} == states(keeper)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"once upon a time\n", "unknown_format"),
        (b'{"afterpass": 1, "session": "s", "repo": "r"}\n{"speaker": "agent", "text": "hello"}\n', "unrecognised"),
        (b'{"afterpass": 1, "session": "s", "repo": "r", "automation": true}\n', "automation"),
    ],
)
def test_a_file_that_holds_no_session_is_skipped_with_its_reason_and_not_looked_at_again(
    make: Make, settings: Settings, tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    keeper = make()
    pass_over(path, keeper)
    assert [code] == [skip.code for skip in keeper.tally.skips.values()]
    with Store(settings.home).connect() as db:
        assert [str(path)] == list(db.seen_files())


def test_an_empty_file_that_fills_is_read(make: Make, settings: Settings, write: Write) -> None:
    path = write("s", [("developer", USE)])
    content = path.read_bytes()
    path.write_bytes(b"")
    pass_over(path, make())
    path.write_bytes(content)
    pass_over(path, make())
    assert [("package_manager", "pnpm", 1)] == facts(settings)


def test_a_session_still_being_written_is_read_to_its_last_whole_line(
    make: Make, settings: Settings, write: Write
) -> None:
    path = write("s", [("developer", USE), ("developer", MOVED)])
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    pass_over(path, make())
    assert [("package_manager", "pnpm", 1)] == facts(settings)
    path.write_bytes(content)
    pass_over(path, make())
    assert [("deploy_target", "preview", 1), ("package_manager", "pnpm", 1)] == sorted(facts(settings))


def test_a_damaged_line_is_named_and_costs_nothing_else(make: Make, settings: Settings, write: Write) -> None:
    path = write("s", [("developer", USE)])
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0], '{"id": "x", "speaker', lines[1]]) + "\n", "utf-8")
    keeper = make()
    pass_over(path, keeper)
    (damage,) = keeper.tally.damaged.values()
    assert (str(path), 1) == (damage.path, damage.lines)
    assert damage.first.startswith("line 2: ")
    assert [("package_manager", "pnpm", 1)] == facts(settings)


def test_a_touched_file_is_done_and_not_read_again(make: Make, settings: Settings, write: Write) -> None:
    path = write("s", [("developer", USE)])
    pass_over(path, make())
    path.touch()
    pass_over(path, make())
    source = source_of(path)
    with Store(settings.home).connect() as db:
        assert {str(path): (source.size, source.mtime_ns)} == db.seen_files()


def test_an_interrupt_gives_back_what_has_not_landed(make: Make, settings: Settings, write: Write) -> None:
    sources = [source_of(write(name, [("developer", USE)], ended=ENDED[name])) for name in ENDED]

    def interrupt(stage: str, _through: int, _total: int) -> None:
        if stage == "deciding":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin(sources, make(), progress=interrupt).run()
    with Store(settings.home).connect() as db:
        assert [("pending", 0)] * 3 == [(row.state.value, row.attempts) for row in db.sessions()]
    keeper = make()
    pass_over_all(sources, keeper)
    assert ["done"] * 3 == list(states(keeper).values())
    assert [("package_manager", "pnpm", 3)] == facts(settings)


def test_a_dry_run_decides_the_same_and_keeps_nothing(make: Make, settings: Settings, write: Write) -> None:
    sources = [source_of(write(name, [("developer", USE)], ended=ENDED[name])) for name in ENDED]
    dry, real = make(dry_run=True), make()
    pass_over_all(sources, dry)
    with Store(settings.home).connect() as db:
        assert ([], [], {}) == (db.sessions(), db.facts(), db.seen_files())
    pass_over_all(sources, real)
    assert {"new": 1, "same_value": 2} == dict(dry.tally.codes)
    assert (dry.tally.codes, dry.tally.decisions) == (real.tally.codes, real.tally.decisions)


def test_another_pass_that_has_a_session_is_left_to_it(make: Make, settings: Settings, write: Write) -> None:
    path = write("s", [("developer", USE)])
    second = make()

    def meanwhile(_session: Session) -> None:
        pass_over(path, second)

    first = make(Scripted(meanwhile))
    pass_over(path, first)
    assert ({"neutral:s": "done"}, {}, 1) == (states(first), states(second), second.tally.busy)


def test_the_repository_and_developer_are_the_transcripts_and_the_setting_wins(
    make: Make, settings: Settings, write: Write
) -> None:
    pass_over(write("s", [("developer", USE)]), make())
    with Store(settings.home).connect() as db:
        (row,) = db.sessions()
        (fact,) = db.facts()
    assert (REPO, "dana@acme.example", REPO) == (row.repo, row.developer, fact.owner)
