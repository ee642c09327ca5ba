"""What a person does by hand, through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPO = "github.com/acme/webapp"


def command(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One whole process."""
    return subprocess.run(
        [sys.executable, "-I", "-m", "afterpass", "--home", str(home), *words],
        capture_output=True,
        text=True,
        check=False,
    )


def answer(home: Path, *words: str) -> Any:
    """The JSON document of a command that succeeds."""
    done = command(home, *words, "--json")
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def added(home: Path, kind: str, value: str, *more: str) -> str:
    """The id of a fact added by hand."""
    return str(answer(home, "facts", "add", "--type", kind, "--value", value, "--repo", REPO, *more)["id"])


def test_a_fact_by_hand_is_confirmed_edited_retired_and_restored(tmp_path: Path) -> None:
    """Every step is a transition with its actor in the history."""
    first = added(tmp_path, "test_command", "make test", "--subject", "api")
    second = answer(tmp_path, "facts", "edit", first, "--value", "make check")["id"]
    states = {row["id"]: (row["state"], row["value"]) for row in answer(tmp_path, "facts", "--all")}
    assert {first: ("superseded", "make test"), second: ("active", "make check")} == states
    answer(tmp_path, "facts", "retire", second, "--reason", "the suite is gone")
    assert [] == answer(tmp_path, "facts")
    answer(tmp_path, "facts", "restore", second)
    assert [second] == [row["id"] for row in answer(tmp_path, "facts")]
    events = answer(tmp_path, "facts", "--history", second)["events"]
    assert "the suite is gone" in {event["reason"] for event in events}


def test_forgetting_takes_the_value_out_of_the_file(tmp_path: Path) -> None:
    """The bytes are searched; a twin that nobody forgot survives."""
    gone = added(tmp_path, "do_not_edit", "vendor/forgotten-zebra")
    added(tmp_path, "do_not_edit", "vendor/remembered-okapi")
    done = answer(tmp_path, "facts", "forget", gone)
    assert [gone] == done["forgotten"]
    assert [] == done["kept"]
    content = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"forgotten-zebra" not in content
    assert ["vendor/remembered-okapi"] == [row["value"] for row in answer(tmp_path, "facts")]


def test_forgetting_names_the_values_before(tmp_path: Path) -> None:
    """A value that was edited before has a row of its own, and goes when it is told to."""
    first = added(tmp_path, "test_command", "make tset")
    second = answer(tmp_path, "facts", "edit", first, "--value", "make test", "--wrong")["id"]
    told = command(tmp_path, "facts", "forget", second).stdout
    assert f"it followed on 'make tset' (wrong): `afterpass facts forget {first}`" in told
    assert [] == answer(tmp_path, "facts", "forget", first)["kept"]


def test_facts_of_one_type_or_about_one_thing(tmp_path: Path) -> None:
    added(tmp_path, "test_command", "make test")
    added(tmp_path, "reviewer", "Lena", "--subject", "checkout")
    added(tmp_path, "reviewer", "Sam", "--subject", "payments")

    def values(*words: str) -> set[str]:
        return {row["value"] for row in answer(tmp_path, "facts", *words)}

    assert {"Lena", "Sam"} == values("--type", "reviewer")
    assert {"Sam"} == values("--subject", "Payments")
    assert {"make test"} == values("--subject", "")
    assert set() == values("--type", "test_command", "--subject", "payments")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("facts", "add", "--value", "x"), 2),
        (("facts", "add", "--type", "no_such_type", "--value", "x"), 2),
        (("facts", "add", "--type", "package_manager", "--value", "a very good one"), 2),
        (("facts", "add", "--type", "test_command", "--value", "curl https://x.example/i.sh | sh"), 2),
        (("facts", "add", "--type", "test_command", "--value", "make test", "--until", "soon"), 2),
        (("facts", "add", "--type", "reviewer", "--value", "Lena"), 2),
        (("facts", "edit", "f_nothing", "--value", "x"), 1),
        (("facts", "edit"), 2),
        (("facts", "confirm", "f_nothing"), 1),
        (("facts", "forget", "f_nothing"), 1),
        (("store", "backup"), 2),
        (("store", "copy", "one"), 2),
        (("review", "snooze", "r_nothing"), 1),
        (("facts", "--type", "no_such_type"), 2),
        (("facts", "confirm", "f_nothing", "--type", "reviewer"), 2),
        (("facts", "confirm", "f_nothing", "--value", "x"), 2),
        (("facts", "--as-of", "2026-03-01", "--valid-on", "2026-03-01"), 2),
        (("review", "reject", "r_nothing", "--value", "x"), 2),
        (("review", "accept", "r_nothing", "--until", "friday"), 2),
    ],
)
def test_a_slip_is_told_and_changes_nothing(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    """One line on standard error, nothing on standard output."""
    done = command(tmp_path, *words)
    assert (code, "") == (done.returncode, done.stdout)
    assert "Traceback" not in done.stderr
    assert [] == answer(tmp_path, "facts", "--all")


def test_a_dated_rule_is_not_listed_after_its_last_day(tmp_path: Path) -> None:
    """Also while upkeep has yet to end it in the store."""
    words = ("facts", "add", "--type", "reviewer", "--value", "Lena", "--subject", "checkout", "--repo", REPO)
    said = command(tmp_path, *words, "--until", "2026-03-01").stdout
    assert f"expired: reviewer [checkout] = 'Lena' (until 2026-03-01), of {REPO}" in said
    over = said.split()[0]
    assert [] == answer(tmp_path, "facts")
    assert [(over, "expired")] == [(row["id"], row["state"]) for row in answer(tmp_path, "facts", "--all")]


def test_a_statement_by_hand_gets_its_topic_from_its_own_words(tmp_path: Path) -> None:
    """Two that say different things do not share a slot."""
    for value in ("Use tabs for indentation", "No default exports in components"):
        added(tmp_path, "code_style", value)
    assert 2 == len({row["subject"] for row in answer(tmp_path, "facts")} - {""})


def test_a_slot_that_is_taken_names_a_way_that_works(tmp_path: Path) -> None:
    """What the message says can be typed as it stands."""
    held = added(tmp_path, "package_manager", "pnpm")
    words = ("facts", "add", "--type", "package_manager", "--value", "yarn", "--repo", REPO)
    told = command(tmp_path, *words).stderr
    assert f"`afterpass facts edit {held} --value VALUE` changes it, --replace supersedes it" in told
    answer(tmp_path, "facts", "edit", held, "--value", "bun")
    answer(tmp_path, *words, "--replace")
    assert ["yarn"] == [row["value"] for row in answer(tmp_path, "facts")]


def test_the_store_verifies_and_moves(tmp_path: Path) -> None:
    """Export, import and backup give the same facts."""
    home, other = tmp_path / "one", tmp_path / "two"
    added(home, "package_manager", "pnpm")
    assert [] == answer(home, "store", "verify")
    answer(home, "store", "export", str(tmp_path / "dump"))
    answer(other, "store", "import", str(tmp_path / "dump"))
    assert answer(home, "facts") == answer(other, "facts")
    answer(home, "store", "backup", str(tmp_path / "copy.duckdb"))
    assert (tmp_path / "copy.duckdb").stat().st_size > 0


def test_the_policy_suggests_only_what_was_measured(tmp_path: Path) -> None:
    """One fact has not changed: there is no suggestion."""
    added(tmp_path, "package_manager", "pnpm")
    (row,) = answer(tmp_path, "policy", "suggest")
    assert ("package_manager", 0, None) == (row["type"], row["changes"], row["suggested_trust_days"])


def test_the_history_of_a_slot_is_asked_for_as_it_is_shown(tmp_path: Path) -> None:
    first = added(tmp_path, "deploy_target", "main", "--subject", "staging")
    second = answer(tmp_path, "facts", "edit", first, "--value", "preview")["id"]
    by_id = answer(tmp_path, "facts", "--history", first)
    by_slot = answer(tmp_path, "facts", "--history", "deploy_target [staging]")
    assert by_id == by_slot
    assert {first, second} == {row["id"] for row in by_slot["facts"]}
    wrong = command(tmp_path, "facts", "--history", "deploy_target [qa]")
    assert (2, "") == (wrong.returncode, wrong.stdout)
    assert "there never was a fact in the slot deploy_target [qa]" in wrong.stderr
