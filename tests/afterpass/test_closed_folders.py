"""A folder that cannot be looked into is named in the summary and on record; everything beside it is read."""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any

from tests.support.person import Person

OVERRIDES = (1, 2)
"""The capabilities CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, with which root reads every folder."""
PR_CAPBSET_DROP = 24


def plainly() -> None:
    """Give up, for the program that is started next, what lets root pass over rights; others have no such thing."""
    if os.geteuid() == 0:
        for capability in OVERRIDES:
            if ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
                raise OSError("this root cannot give up its rights")


def closed_folder(person: Person) -> Path:
    person.has("open")
    folder = person.sessions / "shut"
    folder.mkdir()
    person.has("hidden").rename(folder / "hidden.jsonl")
    folder.chmod(0)
    return folder


def test_a_closed_folder_is_named_and_the_others_are_read(person: Person) -> None:
    folder = closed_folder(person)
    done = person.says("run", str(person.sessions), "--extractor", "cues", "--json", preexec_fn=plainly)
    folder.chmod(0o755)
    told: dict[str, Any] = json.loads(done.stdout)
    assert (1, 1) == (done.returncode, told["sessions"]["done"])
    (failure,) = told["failures"]
    assert (str(folder), "find", "Permission denied") == (failure["path"], failure["step"], failure["error"])
    assert f"afterpass run {folder}" in failure["next"]
    assert ["pnpm"] == person.values
    again = person.says("run", str(person.sessions), "--extractor", "cues", preexec_fn=plainly)
    assert 0 == again.returncode, again.stderr
    assert 2 == len(person.values)


def test_a_folder_in_which_everything_is_closed_is_not_called_empty(person: Person) -> None:
    folder = closed_folder(person)
    done = person.says("run", str(folder), "--extractor", "cues", preexec_fn=plainly)
    folder.chmod(0o755)
    assert 1 == done.returncode
    assert f"{folder}: find failed: Permission denied" in done.stderr
    assert "no transcript" not in done.stderr


def test_a_pass_over_the_agents_folders_names_it_each_time(person: Person) -> None:
    folder = closed_folder(person)
    os.utime(person.sessions / "open.jsonl", (1_781_082_000, 1_781_082_000))
    person.home.mkdir()
    (person.home / "settings.toml").write_text(f'roots = ["{person.sessions}"]\n', "utf-8")
    for _ in range(2):
        done = person.says("run", "--extractor", "cues", preexec_fn=plainly)
        assert 1 == done.returncode, done.stderr
        assert f"{folder}: find failed: Permission denied" in done.stderr
    folder.chmod(0o755)
    assert ["pnpm"] == person.values


def test_a_link_that_leads_in_a_circle_hides_nothing_beside_it(person: Person) -> None:
    for name in ("a", "b", "c"):
        person.has(name)
    (person.sessions / "aa").symlink_to("aa")
    (person.sessions / "zz").symlink_to("zz")
    assert 0 == person.runs().returncode
    assert ["pnpm"] * 3 == person.values


def test_a_folder_whose_path_is_too_long_is_named(person: Person) -> None:
    person.has("open")
    here = os.open(person.sessions, os.O_RDONLY)
    for _ in range(17):  # 17 names of 250 characters: beyond the 4096 that a path may have
        os.mkdir("d" * 250, dir_fd=here)
        deeper = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    done = person.runs("--json")
    told = json.loads(done.stdout)
    assert (1, 1) == (done.returncode, told["sessions"]["done"])
    assert ["File name too long"] == [failure["error"] for failure in told["failures"]]


def test_the_doctor_names_a_closed_folder(person: Person) -> None:
    folder = person.home.parent / "nobody/.claude/projects/shut"
    folder.mkdir(parents=True)
    folder.chmod(0)
    shown = person.says("doctor", preexec_fn=plainly).stdout
    folder.chmod(0o755)
    assert f"warn  claude-code: {folder} cannot be looked into: Permission denied" in shown
