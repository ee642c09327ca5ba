"""The shipped types are the documented ones; a team's file changes and adds types; mistakes are named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from policy.files import PolicyError
from policy.load import load_policy
from policy.model import PastTrust, Scope, Stakes, SubjectRule

# name: scope, subject, value, multi, stakes, gate, trust days, past trust
SHIPPED = {
    "package_manager": ("repo", "optional", "manager", False, "low", 3, 365, "flag"),
    "test_command": ("repo", "optional", "command", False, "low", 3, 180, "flag"),
    "build_command": ("repo", "optional", "command", False, "low", 3, 180, "flag"),
    "lint_command": ("repo", "optional", "command", False, "low", 3, 180, "flag"),
    "run_command": ("repo", "optional", "command", False, "low", 3, 180, "flag"),
    "deploy_target": ("repo", "required", "ref", False, "high", 1, 60, "ask"),
    "reviewer": ("repo", "required", "person", False, "high", 1, 180, "flag"),
    "do_not_edit": ("repo", "none", "path", True, "high", 1, 90, "flag"),
    "code_style": ("repo", "topic", "statement", False, "low", 3, None, "load"),
    "decision": ("repo", "topic", "statement", False, "low", 3, None, "load"),
    "service_fact": ("repo", "required", "statement", False, "low", 3, 180, "flag"),
    "identifier": ("repo", "required", "identifier", False, "low", 3, 365, "flag"),
    "preference": ("developer", "topic", "statement", False, "low", 3, None, "load"),
}


def test_the_shipped_types_are_exactly_these() -> None:
    types = load_policy().types
    assert list(SHIPPED) == list(types)
    for name, row in SHIPPED.items():
        t = types[name]
        assert row == (t.scope, t.subject, t.value, t.multi, t.stakes, t.gate, t.trust_days, t.past_trust), name
        assert t.describes, name


@pytest.mark.parametrize(
    ("expected", "type_name", "said"),
    [
        ("production", "deploy_target", "Prod"),
        ("production", "deploy_target", "live"),
        ("staging", "deploy_target", " stage "),
        ("uat", "deploy_target", "UAT"),
        ("infra", "reviewer", "infrastructure"),
        ("front door", "reviewer", "Front  Door"),
    ],
)
def test_aliases_are_one_subject(expected: str, type_name: str, said: str) -> None:
    assert expected == load_policy().types[type_name].canonical_subject(said)


def test_every_unknown_key_is_named_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "[typs]\n[types.reviewer]\ntrust_day = 3\ngait = 2\n")
    with pytest.raises(PolicyError) as failure:
        load_policy(path)
    told = str(failure.value)
    assert 1 == told.count(str(path))
    for key in ("typs: unknown key (did you mean types?)", "types.reviewer.trust_day: ", "types.reviewer.gait: "):
        assert key in told


def write(folder: Path, text: str) -> Path:
    path = folder / "team.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_team_changes_one_key_and_keeps_the_rest(tmp_path: Path) -> None:
    reviewer = load_policy(write(tmp_path, "[types.reviewer]\ntrust_days = 30\n")).types["reviewer"]
    assert (30, Stakes.HIGH, PastTrust.FLAG, "person") == (
        reviewer.trust_days,
        reviewer.stakes,
        reviewer.past_trust,
        reviewer.value,
    )


def test_a_team_adds_a_type_and_takes_one_out(tmp_path: Path) -> None:
    policy = load_policy(
        write(tmp_path, '[types.slack_channel]\nvalue = "identifier"\n\n[types.run_command]\nenabled = false\n')
    )
    channel = policy.types["slack_channel"]
    assert (Scope.REPO, SubjectRule.OPTIONAL, Stakes.LOW, 3, None, PastTrust.LOAD) == (
        channel.scope,
        channel.subject,
        channel.stakes,
        channel.gate,
        channel.trust_days,
        channel.past_trust,
    )
    assert "run_command" not in policy.types


def test_a_new_type_of_high_stakes_has_the_low_gate(tmp_path: Path) -> None:
    assert 1 == load_policy(write(tmp_path, '[types.pager]\nvalue = "person"\nstakes = "high"\n')).types["pager"].gate


def test_a_team_changes_how_notes_are_ranked(tmp_path: Path) -> None:
    shipped = load_policy().notes
    assert (
        replace(shipped, recency=0.5, keep=3)
        == load_policy(write(tmp_path, "[notes]\nrecency = 0.5\nkeep = 3\n")).notes
    )


def test_trust_can_be_set_to_never(tmp_path: Path) -> None:
    policy = load_policy(write(tmp_path, '[types.do_not_edit]\ntrust_days = "never"\n'))
    assert None is policy.types["do_not_edit"].trust_days


@pytest.mark.parametrize(
    ("key", "problem", "text"),
    [
        ("types.reviewer.trust_day", "did you mean trust_days?", "[types.reviewer]\ntrust_day = 3\n"),
        ("typs", "did you mean types?", "[typs.reviewer]\ngate = 3\n"),
        ("types.reviewer.zzz", "known keys: aliases, ", "[types.reviewer]\nzzz = 3\n"),
        ("types.pager.value", "None is not one of command, ", "[types.pager]\ngate = 3\n"),
        ("types.reviewer.stakes", "'huge' is not one of low, high", '[types.reviewer]\nstakes = "huge"\n'),
        ("types.reviewer.gate", "11 is not a whole number from 1 to 10", "[types.reviewer]\ngate = 11\n"),
        ("types.reviewer.gate", "True is not a whole number", "[types.reviewer]\ngate = true\n"),
        ("types.reviewer.multi", "'yes' is not true or false", '[types.reviewer]\nmulti = "yes"\n'),
        ("types.reviewer.trust_days", "0 is not a positive number", "[types.reviewer]\ntrust_days = 0\n"),
        ("types.reviewer.aliases", "is not a list of lists", '[types.reviewer]\naliases = ["a"]\n'),
        ("types.reviewer", "is not a table", "[types]\nreviewer = 3\n"),
        ("", "is not valid TOML", "[types\n"),
        ("notes.keeep", "did you mean keep?", "[notes]\nkeeep = 3\n"),
        ("notes", "is not a table", "notes = 3\n"),
        ("notes.keep", "0 is not a positive whole number", "[notes]\nkeep = 0\n"),
        ("notes.tokens", "1.5 is not a positive whole number", "[notes]\ntokens = 1.5\n"),
        ("notes.recency", "-1 is not a number from 0 on", "[notes]\nrecency = -1\n"),
        ("notes.recency", "inf is not a number from 0 on", "[notes]\nrecency = inf\n"),
        ("notes.recency", "True is not a number from 0 on", "[notes]\nrecency = true\n"),
        ("notes.half_life_days", "0 is not a number above 0", "[notes]\nhalf_life_days = 0\n"),
    ],
)
def test_a_mistake_names_file_key_and_remedy(tmp_path: Path, key: str, problem: str, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    assert key == caught.value.key
    assert str(path) in str(caught.value)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"gone\.toml: no such policy file"):
        load_policy(tmp_path / "gone.toml")


def test_the_version_follows_the_content(tmp_path: Path) -> None:
    shipped = load_policy().version
    one = load_policy(write(tmp_path, "[types.reviewer]\ngate = 2\n")).version
    (tmp_path / "b").mkdir()
    other = load_policy(write(tmp_path / "b", "[types.reviewer]\ngate = 3\n")).version
    (tmp_path / "c").mkdir()
    same = load_policy(write(tmp_path / "c", "[types.reviewer]\ngate = 2\n")).version
    assert 3 == len({shipped, one, other})
    assert one == same


def test_cues_of_the_team_are_laid_over_the_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "cues.toml").write_text('[reviewer]\nextra = ["x"]\n', encoding="utf-8")
    policy = load_policy(write(tmp_path, "[types.reviewer]\ngate = 2\n"))
    assert ["x"] == policy.cues["reviewer"]["extra"]
    assert "extra" not in load_policy().cues.get("reviewer", {})


def test_the_kinds_of_work_need_exactly_these_types() -> None:
    assert {
        "change": ("do_not_edit", "code_style"),
        "dependency": ("package_manager",),
        "test": ("test_command",),
        "build": ("build_command",),
        "lint": ("lint_command",),
        "run": ("run_command",),
        "deploy": ("deploy_target",),
        "review": ("reviewer",),
        "commit": ("identifier",),
    } == {name: kind.types for name, kind in load_policy().tasks.items()}


TASKS = load_policy().tasks


@pytest.mark.parametrize(("kind", "task"), [(name, task) for name, kind in TASKS.items() for task in kind.examples])
def test_a_task_is_of_the_kind_that_gives_it_as_an_example(kind: str, task: str) -> None:
    assert TASKS[kind].fits(task)


@pytest.mark.parametrize(("kind", "task"), [(name, task) for name, kind in TASKS.items() for task in kind.traps])
def test_a_task_is_not_of_the_kind_that_gives_it_as_a_trap(kind: str, task: str) -> None:
    assert not TASKS[kind].fits(task)


def test_every_kind_of_work_has_an_example_and_a_trap() -> None:
    assert [] == [name for name, kind in TASKS.items() if not kind.examples or not kind.traps]


def test_a_team_adds_a_kind_of_work_changes_another_and_takes_one_out(tmp_path: Path) -> None:
    added = '[types.flag]\nvalue = "identifier"\n[tasks.flag]\nwords = ["toggl"]\ntypes = ["flag"]\n'
    tasks = load_policy(write(tmp_path, f'{added}[tasks.run]\nwords = ["boot"]\n[tasks.lint]\ntypes = []\n')).tasks
    assert tasks["flag"].fits("toggle the new cart")
    assert (True, False) == (tasks["run"].fits("boot the worker"), tasks["run"].fits("start the worker"))
    assert (("run_command",), ()) == (tasks["run"].types, tasks["lint"].types)
    assert "test" in tasks


def test_a_kind_of_work_may_need_a_type_that_is_taken_out(tmp_path: Path) -> None:
    policy = load_policy(write(tmp_path, "[types.run_command]\nenabled = false\n"))
    assert ("run_command",) == policy.tasks["run"].types


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[tasks.run]\nword = ["boot"]\n', "tasks.run.word: unknown key (did you mean words?)"),
        (
            '[tasks.run]\ntypes = ["run_comand"]\n',
            "tasks.run.types: run_comand: unknown key (did you mean run_command?)",
        ),
        ('[tasks.run]\nwords = "boot"\n', "tasks.run.words: is not a list of texts"),
        ("[tasks.run]\nexamples = [3]\n", "tasks.run.examples: is not a list of texts"),
        ('[tasks.run]\nwords = ["boo("]\n', "tasks.run.words: 'boo(' is no regular expression"),
        ('[tasks.boot]\ntypes = ["run_command"]\n', "tasks.boot.words: names no word"),
        ('tasks = ["run"]\n', "tasks: is not a table"),
        ('[tasks]\nrun = "boot"\n', "tasks.run: is not a table"),
    ],
)
def test_a_mistake_in_a_kind_of_work_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(PolicyError) as failure:
        load_policy(write(tmp_path, text))
    assert told in str(failure.value)
