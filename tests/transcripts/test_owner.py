"""Which repository and which developer a session belongs to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from transcripts.owner import developer_of, git_email, home_owner, normalise_remote, owner_key, repository_of

REMOTES = {
    "git@github.com:Acme/Web.git": "github.com/acme/web",
    "https://github.com/acme/web": "github.com/acme/web",
    "https://user:token@github.com:443/acme/web.git/": "github.com/acme/web",
    "ssh://git@ssh.github.com:443/acme/web": "github.com/acme/web",
    "git@github.com-work:acme/web": "github.com/acme/web",
    "git://github.com/acme/web.git": "github.com/acme/web",
    "GIT@GitHub.com:acme/web.GIT": "github.com/acme/web",
    "ssh://git@git.acme.example:2222/Team/Sub/Web.git": "git.acme.example/Team/Sub/Web",
    "git.acme.example:Team/Web": "git.acme.example/Team/Web",
    "https://dev.azure.com/org/proj/_git/repo": "dev.azure.com/org/proj/repo",
    "git@ssh.dev.azure.com:v3/org/proj/repo": "dev.azure.com/org/proj/repo",
    "https://org.visualstudio.com/proj/_git/repo": "dev.azure.com/org/proj/repo",
}


@pytest.mark.parametrize(("url", "key"), REMOTES.items())
def test_one_repository_has_one_key(url: str, key: str) -> None:
    assert key == normalise_remote(url)


@pytest.mark.parametrize("url", ["", "/srv/git/web.git", "../web", "C:\\git\\web", "file:///srv/web.git", "https://"])
def test_a_remote_without_a_host_is_no_key(url: str) -> None:
    assert normalise_remote(url) is None


@pytest.mark.parametrize(
    ("named", "key"),
    [
        ("github.com/Acme/Web", "github.com/acme/web"),
        ("https://GitHub.com/Acme/Web.git", "github.com/acme/web"),
        ("git@github.com:Acme/Web.git", "github.com/acme/web"),
        ("git.acme.example/Team/Web", "git.acme.example/Team/Web"),
        ("/srv/Git.d/Web", "/srv/Git.d/Web"),
        ("../Web/App", "../Web/App"),
        ("C:\\git\\web", "C:\\git\\web"),
        ("Web", "Web"),
    ],
)
def test_a_repository_that_somebody_names_has_the_key_of_its_remote(named: str, key: str) -> None:
    assert key == owner_key(named)


def git(place: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=D", "-c", "user.email=dana@acme.example", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", str(place), *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "web"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    git(place, "commit", "-q", "--allow-empty", "-m", "first")
    return place


def test_the_remote_names_the_repository_from_any_folder_in_it(repository: Path) -> None:
    git(repository, "remote", "add", "other", "https://example.com/x/y")
    git(repository, "remote", "add", "origin", "git@github.com:acme/web.git")
    (repository / "src").mkdir()
    assert "github.com/acme/web" == repository_of(str(repository / "src"))


def test_worktrees_and_clones_without_a_remote_agree(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    git(tmp_path, "clone", "-q", str(repository), "clone")
    root = f"commit:{git(repository, 'rev-list', '--max-parents=0', 'HEAD')}"
    places = [repository, tmp_path / "tree", tmp_path / "clone"]
    assert [root] * 3 == [repository_of(str(place)) for place in places]


def test_a_rewritten_remote_is_followed(repository: Path) -> None:
    git(repository, "remote", "add", "origin", "work:acme/web")
    git(repository, "config", "url.https://github.com/.insteadOf", "work:")
    assert "github.com/acme/web" == repository_of(str(repository))


def test_outside_of_git_the_real_path_is_the_key(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "plain")
    assert str((tmp_path / "plain").resolve()) == repository_of(str(tmp_path / "link"))


def test_a_folder_that_is_gone_leaves_what_the_transcript_says(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    assert "github.com/acme/web" == repository_of(gone, "git@github.com:acme/web.git")
    assert gone == repository_of(gone)
    assert repository_of(None) == ""
    assert "c:\\Users\\dana\\web" == repository_of("c:\\Users\\dana\\web")


def test_a_removed_worktree_of_an_agent_belongs_to_its_repository(repository: Path) -> None:
    git(repository, "remote", "add", "origin", "git@github.com:acme/web.git")
    assert "github.com/acme/web" == repository_of(str(repository / ".claude/worktrees/agent-1/src"))


HOMES = {
    "/Users/dana/src/web": "dana",
    "/home/dana": "dana",
    "C:\\Users\\dana\\web": "dana",
    "c:/Users/dana/web": "dana",
    "/mnt/c/Users/dana/web": "dana",
    "/Users/Shared/web": None,
    "/home/runner/work": None,
    "/src/web": None,
    None: None,
}


@pytest.mark.parametrize(("cwd", "person"), HOMES.items())
def test_a_home_folder_names_its_owner(cwd: str | None, person: str | None) -> None:
    assert person == home_owner(cwd)


def test_the_developer_is_configured_or_gits_or_the_homes_or_the_agents(repository: Path) -> None:
    git(repository, "config", "user.email", "dana@acme.example")
    assert developer_of(str(repository), configured="me") == "me"
    assert developer_of(str(repository)) == "dana@acme.example"
    assert git_email(repository) == "dana@acme.example"
    assert developer_of("/home/ana/gone", owner="agent") == "ana"
    assert developer_of("/gone", owner="agent") == "agent"
    assert developer_of(None) is None


def test_a_hook_of_git_does_not_change_which_repository_is_meant(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repository, "remote", "add", "origin", "git@github.com:acme/web.git")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert repository_of(str(repository)) == "github.com/acme/web"
