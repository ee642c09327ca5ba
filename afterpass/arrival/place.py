"""Where a session is: the checkout, the repository that it is, and the developer who sits there.

git is the judge of that and is asked once for a directory; its answer is kept until one of the files changes that it
was read from, because starting git twice takes longer than everything else that a session start waits for.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from afterpass.arrival import kept
from policy.people import person_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from policy.settings import Settings

# Whoever starts a session waits for this module: paths are strings here.
# ruff: noqa: PTH100, PTH110, PTH111, PTH113, PTH118, PTH120, PTH123

DEEPEST_INCLUDE = 5
SETTINGS = ("DEVELOPER", "DEVELOPERS", "REPOSITORIES", "POLICY", "STORE")
"""The settings that may come from the environment and change what is read back."""


class Place(NamedTuple):  # a dataclass would cost the import of what makes them, more than the rest of this module
    """``top`` is the checkout's folder, or the directory itself outside of one."""

    top: str
    repo: str
    developer: str | None


def circumstances(environ: Mapping[str, str]) -> dict[str, object]:
    """What besides files decides where a session is and what it is told."""
    names = ["HOME", "XDG_CONFIG_HOME", *(f"AFTERPASS_{name}" for name in SETTINGS)]
    return {name: environ.get(name) for name in names}


def place_of(directory: str, home: str, environ: Mapping[str, str]) -> Place:
    """The place of a session that runs in ``directory``. Raises SettingsError, OSError."""
    directory = os.path.abspath(directory)
    around = circumstances(environ)
    file = kept.path_in(home, "place", kept.name_of_place(directory))
    found = kept.load(file, around | {"directory": directory})
    if found is not None:
        return Place(found["top"], found["repo"], person_key(found["developer"]) or None)
    settings, history = _read_by_git(directory, environ)
    stamps, heads = kept.stamps_of([os.path.join(home, "settings.toml"), *settings]), kept.stamps_of(history)
    place, lasts = _ask(directory, home, environ)
    if lasts:
        value = {"top": place.top, "repo": place.repo, "developer": place.developer}
        by_history = place.repo.startswith("commit:") or any("[include" in _text(each).casefold() for each in settings)
        kept.save(file, around | {"directory": directory}, stamps | (heads if by_history else {}), value)
    return place


def _ask(directory: str, home: str, environ: Mapping[str, str]) -> tuple[Place, bool]:
    """The place, and whether the answer can be kept."""
    from pathlib import Path

    from policy.settings import load_settings
    from transcripts.owner import git_email, home_owner, repo_of

    settings = load_settings(home, environ=environ)
    repo, address = repo_of(Path(directory)), git_email(Path(directory))
    developer = person_key(settings.developer or address or home_owner(directory)) or None
    developer = dict(settings.developers).get(developer or "", developer)
    top = _top(directory)
    # A path inside a checkout is what is left when git does not answer: too slow today, perhaps not tomorrow.
    answered = top is None or not repo.startswith("/")
    return Place(top or directory, named(repo, directory, settings), developer), answered


def named(repo: str, directory: str, settings: Settings) -> str:
    """The repository under the name that the settings give it: the longest configured path that holds it decides."""
    for path, name in sorted(settings.repositories, key=lambda place: len(place[0]), reverse=True):
        if any(where == path or where.startswith(f"{path.rstrip('/')}/") for where in (repo, directory)):
            return name
    return repo


def _upwards(directory: str) -> Iterator[str]:
    """The directory and those above it, up to the first that holds a checkout."""
    while True:
        yield directory
        above = os.path.dirname(directory)
        if above == directory or os.path.exists(os.path.join(directory, ".git")):
            return
        directory = above


def _top(directory: str) -> str | None:
    highest = list(_upwards(directory))[-1]
    return highest if os.path.exists(os.path.join(highest, ".git")) else None


def _read_by_git(directory: str, environ: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The files that git's answer rests on, whether they are there or not.

    First where it looks for a repository, the settings of repository, user and machine, and what they include; then
    what says which history is checked out.
    """
    folders = _git_folders(directory)
    person = environ.get("HOME") or os.path.expanduser("~")
    shared = environ.get("XDG_CONFIG_HOME") or os.path.join(person, ".config")
    configs = [os.path.join(folder, name) for folder in folders for name in ("config", "config.worktree")]
    configs += [os.path.join(person, ".gitconfig"), os.path.join(shared, "git", "config"), "/etc/gitconfig"]
    settings = [os.path.join(place, name) for place in _upwards(directory) for name in (".git", "HEAD")]
    for config in configs:
        settings += _with_includes(config, person, DEEPEST_INCLUDE)
    history = [
        os.path.join(folder, name) for folder in folders for name in ("HEAD", "packed-refs", "reftable/tables.list")
    ]
    branches = {_text(os.path.join(folder, "HEAD")).removeprefix("ref:").strip() for folder in folders[:1]}
    history += [os.path.join(folder, branch) for folder in folders for branch in branches if branch]
    return settings, history


def _git_folders(directory: str) -> list[str]:
    """The folder of the checkout's own state, and the one that all checkouts of the repository share."""
    top = _top(directory)
    if top is None:
        return []
    folder = os.path.join(top, ".git")
    if os.path.isfile(folder):
        folder = os.path.join(top, _text(folder).removeprefix("gitdir:").strip())
    common = _text(os.path.join(folder, "commondir")).strip()
    return [folder, os.path.join(folder, common)] if common else [folder]


def _with_includes(config: str, person: str, depth: int) -> Iterator[str]:
    yield config
    text = _text(config) if depth else ""
    if "[include" not in text.casefold():
        return
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key.strip().casefold() == "path" and value.strip():
            path = value.strip().strip('"')
            path = os.path.join(person, path[2:]) if path.startswith("~/") else path
            yield from _with_includes(os.path.join(os.path.dirname(config), path), person, depth - 1)


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 20)
    except (OSError, ValueError):
        return ""
