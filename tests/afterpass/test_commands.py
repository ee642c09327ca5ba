"""The commands over a real store that holds the example sessions."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
Call = Callable[..., subprocess.CompletedProcess[str]]


def command(home: Path, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """One whole process, as a person starts it."""
    return subprocess.run(
        [sys.executable, "-I", "-m", "afterpass", "--home", str(home), *words],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home after one pass over the examples."""
    home = tmp_path_factory.mktemp("filled")
    shutil.copy(EXAMPLES / "settings.toml", home)
    done = command(home, "run", str(EXAMPLES), "--extractor", "cues", "--json")
    assert 0 == done.returncode, done.stderr
    return home


@pytest.fixture
def home(filled: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(filled, tmp_path / "home"))


def answer(home: Path, *words: str) -> Any:
    """The JSON document of a command that succeeds."""
    done = command(home, *words, "--json")
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def slot(rows: list[dict[str, Any]], kind: str, subject: str = "") -> dict[str, Any]:
    """The one row of a slot."""
    (row,) = [row for row in rows if row["type"] == kind and row["subject"] == subject]
    return row


def test_the_february_rule_is_believed_and_the_june_remark_waits(filled: Path) -> None:
    """What would replace a stored value is asked about."""
    facts, queue = answer(filled, "facts"), answer(filled, "review")
    assert "staging" == slot(facts, "deploy_target", "staging")["value"]
    waiting = slot(queue, "deploy_target", "staging")
    assert ("replacement", "staging", "preview") == (waiting["kind"], waiting["current"], waiting["proposed"])


def test_a_fact_shows_the_words_it_rests_on(filled: Path) -> None:
    """Turn, span and text point into the transcript."""
    fact = slot(answer(filled, "facts"), "package_manager")
    assert ("pnpm", "active", 1) == (fact["value"], fact["state"], fact["times_stated"])
    evidence = fact["evidence"]
    turns = answer(filled, "read", evidence["session"])["turns"]
    (turn,) = [turn for turn in turns if turn["id"] == evidence["turn"]]
    assert evidence["text"] == turn["text"][evidence["start"] : evidence["end"]]


def test_the_reviewer_is_forgotten_and_leaves_no_value(filled: Path) -> None:
    """The slot's row stays as a state, not as a fact."""
    assert [] == [row for row in answer(filled, "facts") if row["type"] == "reviewer" and row["subject"] == "payments"]
    assert "forgotten" in {row["state"] for row in answer(filled, "facts", "--all") if row["type"] == "reviewer"}


def test_refusals_are_on_record_with_their_reason(filled: Path) -> None:
    """The one-off and the other repository's rule."""
    codes = {(row["type"], row["value"]): row["code"] for row in answer(filled, "rejected")}
    assert "one_off_cue" == codes["package_manager", "npm"]
    assert "other_owner" == codes["package_manager", "yarn"]


def test_nothing_of_the_pasted_file_is_believed(filled: Path) -> None:
    """An instruction inside a paste is nobody's word."""
    shown = json.dumps(answer(filled, "facts", "--all")) + json.dumps(answer(filled, "review", "--all"))
    assert "swipe-fast" not in shown


def test_an_item_is_shown_with_both_values_in_their_turns(home: Path) -> None:
    """Text from around the quote, so that nobody decides on words cut free."""
    queue = answer(home, "review")
    shown = command(home, "review", "show", slot(queue, "deploy_target", "staging")["id"]).stdout
    assert "stored:   'staging'" in shown
    assert "yes please. «staging always deploys from the branch staging», so push it there" in shown
    assert "also, uat is the sales demo box now, «staging moved to preview»" in shown
    assented = command(home, "review", "show", slot(queue, "test_command", "")["id"]).stdout
    assert "«yes, always»" in assented
    assert "to the agent's: `pnpm vitest run --changed` runs only what a change touches" in assented
    assert "The agent proposed this and the developer only agreed. Keep it?" in assented
    assert "  accept:   replaces 'staging'\n  reject:   'staging' stays\n" in shown
    assert "  accept:   keeps it\n  reject:   nothing is stored\n" in assented


def test_accepting_a_replacement_supersedes_and_undo_takes_it_back(home: Path) -> None:
    """The old value keeps its row and names its successor."""
    item = slot(answer(home, "review"), "deploy_target", "staging")["id"]
    assert "accepted" == answer(home, "review", "accept", item)["state"]
    rows = [
        row for row in answer(home, "facts", "--all") if (row["type"], row["subject"]) == ("deploy_target", "staging")
    ]
    states = {row["value"]: row["state"] for row in rows}
    assert {"staging": "superseded", "preview": "active"} == states
    successor = next(row["id"] for row in rows if row["value"] == "preview")
    assert successor == next(row["superseded_by"] for row in rows if row["value"] == "staging")
    assert "open" == answer(home, "review", "undo", item)["state"]
    assert "staging" == slot(answer(home, "facts"), "deploy_target", "staging")["value"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("accept", "--value", ""), "--value is empty (give a value, or leave --value out"),
        (("accept", "--value", "  "), "--value is empty"),
        (("accept", "--value", "rm -rf / now"), "cannot be kept: no branch"),
        (("accept", "--value", "AKIAIOSFODNN7EXAMPLE"), "the value holds a credential"),
        (("snooze", "--until", "2020-01-01"), "'2020-01-01' does not lie ahead (give a coming day"),
        (("snooze", "--until", "3 days ago"), "does not lie ahead"),
        (("snooze", "--until", "soon"), "is not a date"),
    ],
)
def test_a_decision_that_makes_no_sense_leaves_the_item_open(filled: Path, words: tuple[str, ...], told: str) -> None:
    """A value by hand passes its type's check, a snooze lies ahead."""
    item = slot(answer(filled, "review"), "deploy_target", "staging")
    done = command(filled, "review", words[0], item["id"], *words[1:])
    assert (2, "") == (done.returncode, done.stdout)
    assert told in done.stderr
    assert item == slot(answer(filled, "review"), "deploy_target", "staging")


@pytest.mark.parametrize("until", [(), ("--until", "friday"), ("--until", "3 days"), ("--until", "in 2 weeks")])
def test_a_snoozed_item_comes_back_on_a_coming_day(home: Path, until: tuple[str, ...]) -> None:
    """A day that could be meant either way is the coming one; until then the item does not wait."""
    item = slot(answer(home, "review"), "deploy_target", "staging")["id"]
    answer(home, "review", "snooze", item, *until)
    assert item not in command(home, "review").stdout


def test_deciding_a_decided_item_fails_in_one_line(home: Path) -> None:
    """Exit 1, and the message says how it was decided."""
    item = slot(answer(home, "review"), "deploy_target", "staging")["id"]
    answer(home, "review", "reject", item)
    again = command(home, "review", "accept", item)
    assert 1 == again.returncode
    assert 1 == len(again.stderr.splitlines())


def test_a_second_run_does_nothing_and_says_so(home: Path) -> None:
    """Every file is on record."""
    again = answer(home, "run", str(EXAMPLES), "--extractor", "cues")
    assert {} == again["decisions"]
    assert 0 == sum(again["sessions"].values())
    assert "nothing new" in command(home, "run", str(EXAMPLES), "--extractor", "cues").stdout


def test_replay_under_the_same_rules_changes_nothing(filled: Path) -> None:
    """The checks are the same code over the same data."""
    replayed = answer(filled, "replay")
    assert [] == replayed["changes"]
    assert replayed["judged"] > 0


def test_explain_shows_every_verdict_with_the_evidence_in_its_place(filled: Path) -> None:
    """The quote stands between marks in its turn."""
    shown = command(filled, "explain", "assent", "--verbose").stdout
    assert "queue: confirmation" in shown
    assert "«yes, always»" in shown
    assert "one_off_cue" in shown


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("run", "/nowhere/at/all"), 1),
        (("judge", "/nowhere.jsonl", "--candidates", "/nowhere.json"), 1),
        (("read", "no-such-session"), 1),
        (("explain", "no-such-session"), 1),
        (("review", "accept", "r_none"), 1),
        (("review", "accept"), 2),
        (("facts", "--as-of", "the day of the hedgehog"), 2),
        (("rejected", "--since", "when it rained"), 2),
        (("rejected", "--code", "no_such_code"), 2),
        (("run", "--timeout", "soon"), 2),
        (("nonsense",), 2),
    ],
)
def test_bad_input_ends_with_its_code_and_a_message(filled: Path, words: tuple[str, ...], code: int) -> None:
    """Nothing on standard output, no traceback."""
    done = command(filled, *words)
    assert (code, "") == (done.returncode, done.stdout)
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_home_and_json_are_accepted_before_and_after_the_command(filled: Path) -> None:
    """Both orders are the same call."""
    after = subprocess.run(
        [sys.executable, "-I", "-m", "afterpass", "facts", "--json", "--home", str(filled)],
        capture_output=True,
        text=True,
        check=True,
    )
    before = command(filled, "--json", "facts")
    assert json.loads(before.stdout) == json.loads(after.stdout)


def test_a_closed_pipe_ends_quietly(filled: Path) -> None:
    """``afterpass rejected | head -1`` is no failure."""
    line = f"{sys.executable} -I -m afterpass --home {filled} read assent --json | head -c 10; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["/bin/bash", "-c", line], capture_output=True, text=True, check=True)
    assert "0" == done.stdout.splitlines()[-1][-1]
    assert "" == done.stderr


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_refusals_can_be_taken_into_pandas(filled: Path, tmp_path: Path, form: str) -> None:
    """One row a candidate."""
    import pandas as pd

    target = tmp_path / f"rejected.{form}"
    assert 0 == command(filled, "rejected", "--format", form, "--output", str(target)).returncode
    frame = pd.read_csv(target) if form == "csv" else pd.read_parquet(target)
    assert len(answer(filled, "rejected")) == len(frame)
    assert "one_off_cue" in set(frame["code"])


@pytest.mark.parametrize(
    "repo", ["github.com/acme/webapp", "git@github.com:acme/webapp.git", "https://github.com/acme/webapp"]
)
@pytest.mark.parametrize("name", ["facts", "review", "rejected"])
def test_a_repository_may_be_named_by_its_address(filled: Path, name: str, repo: str) -> None:
    """What `git remote -v` shows finds what the key finds."""
    rows = answer(filled, name, "--repo", repo)
    assert {"github.com/acme/webapp"} == {row["owner"] for row in rows}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("facts", "--repo", "github.com/acme/other"), "no fact fits; `afterpass facts` without options"),
        (("rejected", "--code", "secret"), "no refusal fits; `afterpass rejected` without options"),
    ],
)
def test_an_empty_list_says_whether_anything_was_left_out(filled: Path, words: tuple[str, ...], said: str) -> None:
    """Nothing there, or nothing that fits."""
    done = command(filled, *words)
    assert (0, "") == (done.returncode, done.stdout)
    assert said in done.stderr


@pytest.mark.parametrize(
    ("typed", "open_after"),
    [("\x04", 2), ("q\n", 2), ("e\n\nq\n", 2), ("e\n\x04q\n", 2), ("hm\ns\ns\n", 2), ("e\nmain\nq\n", 1)],
)
def test_one_at_a_time_nothing_is_decided_that_was_not_typed(home: Path, typed: str, open_after: int) -> None:
    """The end of the input is a quit, an empty edit is no decision."""
    near, far = pty.openpty()
    os.write(near, typed.encode())
    words = [sys.executable, "-I", "-m", "afterpass", "--home", str(home), "review"]
    ended = subprocess.run(words, stdin=far, stdout=far, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    os.close(far)
    os.close(near)
    assert (0, False) == (ended.returncode, "afterpass:" in ended.stderr)
    assert open_after == len(answer(home, "review"))


def test_options_may_stand_before_an_id(home: Path) -> None:
    item = slot(answer(home, "review"), "test_command", "")["id"]
    done = command(home, "review", "reject", "--reason", "not ours", item)
    assert (0, f"{item} refused: test_command\n") == (done.returncode, done.stdout)
    assert "open" == json.loads(command(home, "review", "undo", "--json", item).stdout)["state"]


def test_wrong_use_of_a_command_shows_how_that_command_is_used(home: Path) -> None:
    wrong = command(home, "run", "--frob")
    assert 2 == wrong.returncode
    assert wrong.stderr.startswith("usage: afterpass run ")
    assert wrong.stderr.endswith("afterpass run: error: unrecognized arguments: --frob\n")


def test_an_id_is_whole_in_a_narrow_table(filled: Path) -> None:
    item = slot(answer(filled, "review"), "deploy_target", "staging")["id"]
    assert f" {item} " in command(filled, "review", env={**os.environ, "COLUMNS": "60"}).stdout


def test_what_would_steer_the_terminal_is_spelled_out(tmp_path: Path) -> None:
    header = {"afterpass": 1, "session": "s", "repo": "github.com/acme/webapp", "ended": "2026-06-10T09:40:00Z"}
    said = {"id": "1", "speaker": "developer", "text": "just this once use \x1b[31mnpm\x1b[0m \u202enow"}
    (tmp_path / "s.jsonl").write_text(json.dumps(header) + "\n" + json.dumps(said) + "\n", "utf-8")
    shown = command(tmp_path / "home", "read", str(tmp_path / "s.jsonl")).stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "use \\x1b[31mnpm\\x1b[0m \\u202enow" in shown


def test_replay_has_nothing_to_say_of_what_was_forgotten(home: Path) -> None:
    fact = slot(answer(home, "facts"), "package_manager")["id"]
    before = answer(home, "replay")
    assert [fact] == answer(home, "facts", "forget", fact)["forgotten"]
    after = answer(home, "replay")
    assert ([], []) == (before["changes"], after["changes"])
    assert after["judged"] < before["judged"]


@pytest.mark.parametrize("name", ["../outside.md", "/tmp/afterpass-outside.md"])
def test_export_stays_inside_the_repository(home: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "repo").mkdir(exist_ok=True)
    done = command(home, "export", "--repo-dir", str(tmp_path / "repo"), name)
    assert (2, "") == (done.returncode, done.stdout)
    assert "is outside" in done.stderr
    assert not (tmp_path / "repo" / name).exists()
