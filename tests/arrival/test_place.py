"""Where a session is: what git says, asked once and again as soon as git would say something else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ASK = """
import json, os, sys
from pathlib import Path
from afterpass.arrival.place import place_of
from transcripts.owner import git_email, repo_of
place = place_of(sys.argv[1], sys.argv[2], os.environ)
said = [repo_of(Path(sys.argv[1])), git_email(Path(sys.argv[1]))]
print(json.dumps([list(place), said]))
"""
ONLY_PLACE = """
import json, os, sys
from afterpass.arrival.place import place_of
place = place_of(sys.argv[1], sys.argv[2], os.environ)
print(json.dumps([list(place), "subprocess" in sys.modules]))
"""


def ask(desk: Any, directory: Path | None = None, code: str = ONLY_PLACE) -> Any:
    words = [sys.executable, "-I", "-c", code, str(directory or desk.checkout), str(desk.home)]
    done = subprocess.run(words, env=desk.environ, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_second_time_git_is_not_asked(desk: Any) -> None:
    here = [str(desk.checkout), "github.com/acme/webapp", "dana@acme.example"]
    assert [here, True] == ask(desk)
    assert [here, False] == ask(desk)


def test_a_folder_inside_and_a_worktree_are_the_same_repository(desk: Any) -> None:
    desk.git("commit", "-q", "--allow-empty", "-m", "first")
    inside, tree = desk.checkout / "a" / "b", desk.checkout.parent / "tree"
    inside.mkdir(parents=True)
    desk.git("worktree", "add", "-q", str(tree))
    for _ in range(2):
        assert [str(desk.checkout), "github.com/acme/webapp", "dana@acme.example"] == ask(desk, inside)[0]
        assert [str(tree), "github.com/acme/webapp", "dana@acme.example"] == ask(desk, tree)[0]


def other_remote(desk: Any) -> None:
    desk.git("remote", "set-url", "origin", "https://github.com/acme/shop.git")


def no_remote(desk: Any) -> None:
    desk.git("remote", "remove", "origin")


def first_commit(desk: Any) -> None:
    desk.git("remote", "remove", "origin")
    desk.git("commit", "-q", "--allow-empty", "-m", "first")


def another_history(desk: Any) -> None:
    first_commit(desk)
    assert ask(desk)[0][1].startswith("commit:")
    desk.git("checkout", "-q", "--orphan", "new")
    desk.git("commit", "-q", "--allow-empty", "-m", "another first")


def other_address(desk: Any) -> None:
    desk.git("config", "user.email", "sam@acme.example")


def address_of_the_user(desk: Any) -> None:
    desk.git("config", "--unset", "user.email")
    (desk.user / ".gitconfig").write_text("[user]\n\temail = dana@home.example\n", "utf-8")


def rewritten_url(desk: Any) -> None:
    (desk.user / ".config" / "git").mkdir(parents=True)
    (desk.user / ".config" / "git" / "config").write_text(
        '[url "https://gitlab.com/"]\n\tinsteadOf = git@github.com:\n', "utf-8"
    )


def included(desk: Any) -> None:
    (desk.user / ".gitconfig").write_text("[include]\n\tpath = ~/work.inc\n", "utf-8")
    desk.git("config", "--unset", "user.email")
    assert ask(desk)[0][2] is None
    (desk.user / "work.inc").write_text("[user]\n\temail = work@acme.example\n", "utf-8")


def by_branch(desk: Any) -> None:
    condition = '[includeIf "onbranch:late/**"]\n\tpath = late.inc\n'
    (desk.user / ".gitconfig").write_text(condition, "utf-8")
    (desk.user / "late.inc").write_text("[user]\n\temail = late@acme.example\n", "utf-8")
    desk.git("config", "--unset", "user.email")
    desk.git("commit", "-q", "--allow-empty", "-m", "first", "--author", "x <x@x>")
    assert ask(desk)[0][2] is None
    desk.git("checkout", "-q", "-b", "late/night")


def gone(desk: Any) -> None:
    shutil.rmtree(desk.checkout / ".git")


def inner_repository(desk: Any) -> None:
    shutil.rmtree(desk.checkout / ".git")
    assert [str(desk.checkout), str(desk.checkout.resolve())] == ask(desk)[0][:2]
    desk.git("init", "-q")
    desk.git("remote", "add", "upstream", "https://codeberg.org/acme/tool")


@pytest.mark.parametrize(
    "change",
    [
        other_remote,
        no_remote,
        first_commit,
        another_history,
        other_address,
        address_of_the_user,
        rewritten_url,
        included,
        by_branch,
        gone,
        inner_repository,
    ],
)
def test_it_is_always_what_git_says(desk: Any, change: Callable[[Any], None]) -> None:
    desk.environ |= {"GIT_COMMITTER_NAME": "x", "GIT_AUTHOR_NAME": "x", "GIT_COMMITTER_EMAIL": "x@x"}
    desk.environ |= {"GIT_AUTHOR_EMAIL": "x@x"}
    before = ask(desk)[0]
    change(desk)
    (_, repo, developer), said = ask(desk, code=ASK)
    assert said == [repo, developer]
    assert before != ask(desk)[0]


def test_a_repository_whose_git_does_not_answer_is_not_remembered_as_a_path(desk: Any, tmp_path: Path) -> None:
    path = desk.environ["PATH"]
    desk.environ["PATH"] = str(tmp_path / "nothing")
    assert [str(desk.checkout), None] == ask(desk)[0][1:]
    desk.environ["PATH"] = path
    assert ["github.com/acme/webapp", "dana@acme.example"] == ask(desk)[0][1:]


@pytest.mark.parametrize(
    ("settings", "repo", "developer"),
    [
        ('developer = "sam"', "github.com/acme/webapp", "sam"),
        ('[developers]\n"dana@acme.example" = "dana"', "github.com/acme/webapp", "dana"),
        ('[repositories]\n"CHECKOUT" = "acme/web"', "acme/web", "dana@acme.example"),
        ('[repositories]\n"PARENT" = "acme/all"', "acme/all", "dana@acme.example"),
        ('[repositories]\n"github.com/acme" = "acme/all"', "acme/all", "dana@acme.example"),
        ('[repositories]\n"/else" = "other"', "github.com/acme/webapp", "dana@acme.example"),
    ],
)
def test_the_settings_have_the_last_word_on_names(desk: Any, settings: str, repo: str, developer: str) -> None:
    ask(desk)
    desk.home.mkdir(exist_ok=True)
    text = settings.replace("CHECKOUT", str(desk.checkout)).replace("PARENT", str(desk.checkout.parent))
    (desk.home / "settings.toml").write_text(text, "utf-8")
    assert [[str(desk.checkout), repo, developer], True] == ask(desk)
    assert [[str(desk.checkout), repo, developer], False] == ask(desk)


def test_the_environment_is_part_of_it(desk: Any) -> None:
    ask(desk)
    desk.environ["AFTERPASS_DEVELOPER"] = "sam"
    assert "sam" == ask(desk)[0][2]
