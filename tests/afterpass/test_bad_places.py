"""Places that cannot be used: one line that names the place and what to try, and nothing is half done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.person import Person, line

FULL = Path("/dev/full")
"""A device on which every write finds the disk full."""


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Person:
    """Somebody whose sessions were read: a fact, and a refusal."""
    person = Person(tmp_path_factory.mktemp("settled"))
    person.has("a")
    person.has("b", "just this once use npm")
    assert 0 == person.runs().returncode
    return person


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("--version",),
        ("facts", "--help"),
        ("facts",),
        ("facts", "--json"),
        ("review", "--json"),
        ("rejected",),
        ("rejected", "--format", "csv"),
        ("rejected", "--format", "parquet"),
        ("explain", "a"),
        ("read", "a"),
        ("status",),
        ("policy",),
        ("run", "--extractor", "cues"),
    ],
)
def test_a_full_disk_under_standard_output_is_one_line(settled: Person, words: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        told = line(settled.says(*words, capture_output=False, stdout=full, stderr=-1), 1)
    assert "standard output: No space left on device (make room" in told


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("form", ["json", "csv", "parquet"])
def test_a_full_disk_under_an_output_file_names_the_file(settled: Person, form: str) -> None:
    told = line(settled.says("rejected", "--format", form, "--output", str(FULL)), 1)
    assert f"{FULL}: No space left on device (make room" in told


@pytest.mark.parametrize("form", ["json", "csv", "parquet"])
def test_an_output_file_where_nothing_can_be_made_is_named(settled: Person, form: str) -> None:
    """Nobody, root included, makes a file among the kernel's own."""
    target = "/proc/self/rejected"
    assert target in line(settled.says("rejected", "--format", form, "--output", target), 1)


@pytest.mark.parametrize(
    "words",
    [
        ("store", "backup", "/proc/copy.duckdb"),
        ("store", "export", "/proc/dump"),
        ("store", "import", "/nowhere/dump"),
        ("eval", "cases", "/nowhere/cases.jsonl"),
        ("judge", "a", "--candidates", "/nowhere/candidates.json"),
    ],
)
def test_a_place_that_cannot_be_used_is_named_with_what_to_try(settled: Person, words: tuple[str, ...]) -> None:
    told = line(settled.says(*words), 1)
    assert words[-1].rsplit("/", 1)[0] in told
    assert "unexpected" not in told


@pytest.mark.parametrize(
    "words",
    [
        ("facts", "add", "--type", "package_manager", "--value", "pnpm"),
        ("store", "compact"),
    ],
)
def test_a_full_disk_under_the_store_names_the_home_and_changes_nothing(person: Person, words: tuple[str, ...]) -> None:
    person.has("a")
    assert 0 == person.runs().returncode
    told = line(person.says(*words, disk=256), 1)
    assert "disk is full" in told
    assert str(person.home) in told
    assert [] == person.gets("store", "verify")
    assert ["pnpm"] == person.values


@pytest.mark.parametrize(
    "words",
    [("--home", "", "facts"), ("facts", "--home="), ("--home", " ", "run", "x"), ("eval", "cases", "x", "--home", "")],
)
def test_an_empty_home_is_not_the_current_folder(person: Person, words: tuple[str, ...], tmp_path: Path) -> None:
    done = person.says(*words, cwd=tmp_path / "sessions")
    assert (2, "") == (done.returncode, done.stdout)
    assert "--home: it is empty: name a folder" in done.stderr
    assert [] == list(person.sessions.iterdir())


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_home_that_is_a_file_is_called_a_file(person: Person, tmp_path: Path, below: str) -> None:
    (tmp_path / "notes").write_text("mine", "utf-8")
    home = tmp_path / "notes" / below
    told = line(person.says("facts", "--home", str(home)), 2)
    assert f"the home {home} cannot be used: {tmp_path / 'notes'} is a file (name a folder" in told
    assert "settings.toml" not in told


def test_a_home_that_is_a_link_to_nowhere_is_called_that(person: Person, tmp_path: Path) -> None:
    person.home.symlink_to(tmp_path / "gone")
    assert f"{person.home} is a link that leads nowhere" in line(person.says("facts"), 2)


def test_every_wrong_key_of_the_settings_is_named(person: Person) -> None:
    person.home.mkdir()
    path = person.home / "settings.toml"
    path.write_text('modle = "x"\ntimeout = 0\nworkers = 2\nidel_minutes = 3\n', "utf-8")
    told = line(person.says("status", environ={"AFTERPASS_SINCE": "soon"}), 2)
    assert 1 == told.count(str(path))
    for problem in ("'modle' (the nearest known key is 'model')", "timeout cannot be 0", "'idel_minutes'"):
        assert problem in told
    assert "AFTERPASS_SINCE: since cannot be 'soon'" in told


def test_the_doctor_goes_on_where_settings_are_broken(person: Person) -> None:
    person.has("a")
    assert 0 == person.runs().returncode
    (person.home / "settings.toml").write_text('modle = "x"\ntimeout = 0\npolicy = "gone.toml"\n', "utf-8")
    done = person.says("doctor")
    assert 1 == done.returncode
    shown = done.stdout.splitlines()
    assert 2 == sum(each.startswith("fail  settings: ") for each in shown)
    assert any(each.startswith("fail  policy: ") and "gone.toml" in each for each in shown)
    assert any(each.startswith("ok    store: ") for each in shown)
    assert any(each.startswith("ok    extractor: ") for each in shown)


def test_the_doctor_says_that_the_home_is_a_file(person: Person) -> None:
    person.home.write_text("mine", "utf-8")
    done = person.says("doctor")
    assert 1 == done.returncode
    assert f"fail  settings: the home {person.home} cannot be used: {person.home} is a file" in done.stdout
    assert "policy: " in done.stdout


def test_a_pipe_in_the_settings_place_is_not_waited_for(person: Person) -> None:
    person.home.mkdir()
    os.mkfifo(person.home / "settings.toml")
    assert f"{person.home / 'settings.toml'}: is no file" in line(person.says("facts", timeout=60), 2)


@pytest.mark.parametrize(
    "words",
    [
        ("read", "PLACE"),
        ("run", "PLACE"),
        ("judge", "SESSION", "--candidates", "PLACE"),
        ("judge", "SESSION", "--candidates", "CANDIDATES", "--known", "PLACE"),
        ("replay", "--policy", "PLACE"),
        ("eval", "cases", "PLACE"),
        ("eval", "sessions", "FOLDER", "--gold", "PLACE"),
        ("export", "--repo-dir", "FOLDER", "PLACE"),
    ],
)
@pytest.mark.parametrize("place", ["pipe", "/dev/zero"])
def test_a_pipe_or_device_is_not_waited_for(person: Person, words: tuple[str, ...], place: str) -> None:
    """What never ends is named; each of these would wait, or read, for ever."""
    where = person.sessions / place  # an absolute name stays as it is
    session = person.has("a")
    (person.sessions / "none.json").write_text("[]", "utf-8")
    if not where.exists():
        os.mkfifo(where)
    names = {"PLACE": where, "SESSION": session, "CANDIDATES": person.sessions / "none.json", "FOLDER": person.sessions}
    done = person.says(*(str(names.get(word, word)) for word in words), timeout=60)
    assert done.returncode in {1, 2}, done.stderr
    assert str(where) in done.stderr.splitlines()[-1]
    assert "unexpected" not in done.stderr


def test_candidates_may_come_through_the_shells_own_pipe(person: Person) -> None:
    words = ("judge", str(person.has("a")), "--candidates", "/dev/stdin", "--json")
    assert "[]\n" == person.says(*words, input="[]").stdout


def test_a_transcript_is_read_more_than_once_and_comes_through_no_pipe(person: Person) -> None:
    told = line(person.says("read", "/dev/stdin", input=person.has("a").read_text("utf-8")), 1)
    assert "a named pipe, not a file): /dev/stdin" in told


@pytest.mark.parametrize("shape", ["[" * 100_000, '{"a":' * 100_000])
@pytest.mark.parametrize("words", [("judge", "SESSION", "--candidates", "PLACE"), ("eval", "cases", "PLACE")])
def test_json_that_is_nested_without_end_is_one_line(person: Person, shape: str, words: tuple[str, ...]) -> None:
    deep = person.home.parent / "deep.json"
    deep.write_text(shape, "utf-8")
    names = {"PLACE": deep, "SESSION": person.has("a")}
    done = person.says(*(str(names.get(word, word)) for word in words), timeout=60)
    told = line(done, done.returncode)
    assert done.returncode in {1, 2}
    assert "too deeply nested" in told


def test_a_transcript_that_is_nested_without_end_costs_only_its_line(person: Person) -> None:
    header, turn = person.has("a").read_text("utf-8").splitlines()
    (person.sessions / "a.jsonl").write_text("\n".join([header, '{"speaker":' * 50_000, turn, ""]), "utf-8")
    done = person.runs(timeout=60)
    assert 0 == done.returncode, done.stderr
    assert "damaged     1 line in 1 file" in done.stdout
    assert ["pnpm"] == person.values


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (("backup",), "backup FILE"),
        (("export", "a", "b"), "export FOLDER"),
        (("copy", "a"), "copy FROM TO"),
        (("verify", "a"), "verify"),
    ],
)
def test_a_store_action_says_which_places_it_takes(person: Person, words: tuple[str, ...], usage: str) -> None:
    assert f"`afterpass store {usage}`" in line(person.says("store", *words), 2)
    assert usage in person.says("store", "--help").stdout
    assert not person.home.exists()
