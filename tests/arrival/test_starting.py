"""A kept block says what working it out again would say, whatever changes behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

WORKFLOW = "jobs:\n  test:\n    steps:\n      - run: {command}\n"


def write(desk: Any, name: str, text: str) -> None:
    path = desk.checkout / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def another_fact(desk: Any) -> None:
    desk.remember("make image", "build_command")


def another_value(desk: Any) -> None:
    desk.remember("make all", days_ago=1)


def a_preference(desk: Any) -> None:
    desk.remember("short answers", "preference", "answers", owner="dana@acme.example")


def a_lock_file(desk: Any) -> None:
    write(desk, "pnpm-lock.yaml", "lockfileVersion: 9\n")


def a_workflow(desk: Any) -> None:
    write(desk, ".github/workflows/ci.yml", WORKFLOW.format(command="make check"))


def owners(desk: Any) -> None:
    write(desk, ".github/CODEOWNERS", "/billing/ @acme/billing\n")


def another_policy(desk: Any) -> None:
    desk.home.joinpath("policy.toml").write_text("[types.test_command]\ntrust_days = 1\n", "utf-8")
    desk.home.joinpath("settings.toml").write_text('policy = "policy.toml"\n', "utf-8")


def another_developer(desk: Any) -> None:
    desk.remember("long answers", "preference", "answers", owner="sam")
    desk.environ["AFTERPASS_DEVELOPER"] = "sam"


def another_version(desk: Any) -> None:
    for name, content in desk.kept().items():
        if name.startswith("block~"):
            desk.home.joinpath("recall", name).write_text(content.replace("0.1.0", "0.0.9").replace("make", "old"))
    desk.remember("make image", "build_command")


CHANGES: list[Callable[[Any], None]] = [
    another_fact,
    another_value,
    a_preference,
    a_lock_file,
    a_workflow,
    owners,
    another_policy,
    another_developer,
    another_version,
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_kept_block_holds_until_something_behind_it_changes(desk: Any, change: Callable[[Any], None]) -> None:
    desk.remember("make test")
    desk.remember("yarn", "package_manager")
    desk.remember("@sam", "reviewer", "billing")
    desk.hook()
    before = desk.hook()
    assert before
    assert before == desk.hook()
    change(desk)
    after = desk.hook()
    for file in list(desk.kept()):
        desk.home.joinpath("recall", file).unlink()
    assert desk.hook() == after
    assert before != after


def test_a_second_workflow_counts_too(desk: Any) -> None:
    desk.remember("make test")
    a_workflow(desk)
    assert '"make check" (said by the repository\'s own files)' in [desk.hook() for _ in range(3)][-1]
    write(desk, ".github/workflows/nightly.yml", WORKFLOW.format(command="npm test"))
    assert "make check" not in desk.hook()
    write(desk, ".github/workflows/nightly.yml", WORKFLOW.format(command="make check"))
    assert "make check" in desk.hook()


def test_a_kept_block_of_another_day_is_not_told(desk: Any) -> None:
    desk.remember("make test")
    [desk.hook() for _ in range(2)]
    (name,) = [name for name in desk.kept() if name.startswith("block~")]
    content = json.loads(desk.kept()[name])
    content["circumstances"]["on"] = "2020-01-01"
    content["value"]["text"] = "old"
    desk.home.joinpath("recall", name).write_text(json.dumps(content), "utf-8")
    assert "make test" in desk.hook()


def test_what_rests_on_a_part_of_the_project_is_looked_at_every_time(desk: Any) -> None:
    desk.remember("yarn", "package_manager", "web")
    assert [desk.hook() for _ in range(3)]
    write(desk, "packages/web/pnpm-lock.yaml", "")
    assert '"pnpm" (said by the repository\'s own files)' in desk.hook()


def test_kept_files_that_hold_nonsense_are_passed_over(desk: Any) -> None:
    desk.remember("make test")
    told = [desk.hook() for _ in range(2)][-1]
    for name in desk.kept():
        desk.home.joinpath("recall", name).write_text("[]", "utf-8")
    assert told == desk.hook()
