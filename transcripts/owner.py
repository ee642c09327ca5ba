"""Whose facts a session holds: the repository by code, never by a folder slug, and the developer who spoke.

git is asked once per directory, with a deadline, and never so that it could ask back.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

_GIT_SECONDS = 3
# git sets these for its own hooks: they would answer for the hook's repository, not for the one that is asked about.
_OF_ANOTHER_REPOSITORY = frozenset(
    {
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_NAMESPACE",
        "GIT_PREFIX",
    }
)
_NO_CASE = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com"})
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
    "vs-ssh.visualstudio.com": "dev.azure.com",
}
_WORKTREE = re.compile(r"[/\\]\.(?:claude|codex|cursor)[/\\]worktrees[/\\].*$")
_HOME = re.compile(r"^(?:/(?:Users|home|usr/home|export/home)/|[A-Za-z]:[\\/]Users[\\/]|/mnt/[a-z]/Users/)([^/\\]+)")
_NOBODY = frozenset({"shared", "public", "runner", "root", "user", "ubuntu", "vscode", "node", "app", "default"})


def normalise_remote(url: str) -> str | None:
    """A remote's URL as ``host/owner/name``: one key for ssh, https, ports, ``.git`` and credentials.

    None for what names no host: a path on this machine, an empty string.
    """
    url = url.strip().strip("'\"").rstrip("/")
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", url)
    if scheme:
        if scheme[1].lower() == "file":
            return None
        authority, _, path = url[scheme.end() :].partition("/")
    else:
        short = re.match(r"(?:[^@/\\\s]+@)?(\[[^\]]+\]|[^:/\\\s]{2,}):(?!//)(.+)$", url)
        if short is None:
            return None
        authority, path = short[1].strip("[]"), short[2]
    host = _host(authority)
    path = re.split(r"[?#]", path)[0].strip("/")
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path)
    path = re.sub(r"\.git$", "", path, flags=re.IGNORECASE).strip("/")
    if not host or not path:
        return None
    host, path = _azure(host, path)
    if host in _NO_CASE:
        path = path.lower()
    return f"{host}/{re.sub(r'/+', '/', path)}"


@lru_cache(maxsize=4096)
def owner_key(named: str) -> str:
    """A repository as somebody wrote it, in the one spelling of its key: an address, ``github.com/Acme/App``; a path or
    any other name stays as it is.
    """
    if "://" in named or re.match(r"[\w.-]+@", named):
        return normalise_remote(named) or named
    host, slash, _ = named.partition("/")
    return (normalise_remote(f"https://{named}") or named) if slash and "." in host.strip(".~") else named


def _host(authority: str) -> str:
    """The host alone: no credentials, no port, lower case, and not an alias of a host that everybody knows."""
    host = re.sub(r":\d*$", "", authority.rpartition("@")[2]).strip("[]").lower().rstrip(".")
    alias = re.match(
        r"(github\.com|gitlab\.com|bitbucket\.org)-[\w.-]+$", host
    )  # "Host github.com-work" in ssh's config
    return alias[1] if alias else _SAME_HOST.get(host, host)


def _azure(host: str, path: str) -> tuple[str, str]:
    """Azure DevOps writes one repository in three ways."""
    if host == "dev.azure.com":
        return host, re.sub(r"^v\d+/", "", path).replace("/_git/", "/")
    old = re.match(r"([\w-]+)\.visualstudio\.com$", host)
    if old:
        return "dev.azure.com", f"{old[1]}/{path.removeprefix('DefaultCollection/').replace('_git/', '')}"
    return host, path


def repository_of(cwd: str | None, hints: str | None = None) -> str:
    """The owner key of a session that ran in ``cwd``.

    The normalised remote, else the root commit's hash, else the real path; worktrees and clones agree. ``hints`` is
    the remote URL that the transcript itself names: it counts where the directory is gone. Empty when nothing is known.
    """
    if cwd and Path(cwd).is_absolute() and Path(cwd).is_dir():
        return _repository(str(Path(cwd)))
    named = normalise_remote(hints) if hints else None
    if named:
        return named
    if not cwd:
        return ""
    main = _WORKTREE.sub("", cwd)
    if main != cwd and Path(main).is_dir():
        return _repository(main)
    return main.rstrip("/\\") or main


def repo_of(directory: Path) -> str:
    """The owner key of a directory."""
    return repository_of(str(directory.expanduser().absolute()))


def top_of(directory: Path) -> Path:
    """The top folder of the checkout around a directory; the directory itself where there is none."""
    directory = directory.resolve()
    return next((place for place in (directory, *directory.parents) if (place / ".git").exists()), directory)


@lru_cache(maxsize=4096)
def _repository(directory: str) -> str:
    settings = _git_settings(directory)
    key = normalise_remote(_remote(settings))
    if key:
        return key
    roots = _git(directory, "rev-list", "--max-parents=0", "HEAD")
    if roots:
        return f"commit:{min(roots.split())}"
    top = _git(directory, "rev-parse", "--path-format=absolute", "--git-common-dir")
    if top:
        common = Path(top)
        return str((common.parent if common.name == ".git" else common).resolve())
    return str(Path(directory).resolve())


@lru_cache(maxsize=4096)
def _git_settings(directory: str) -> dict[str, str]:
    """The few settings that say who and where, from one call: remotes, rewritten URLs, the user's address."""
    wanted = r"^(remote\..*\.url|url\..*\.insteadof|user\.email)$"
    found: dict[str, str] = {}
    for entry in _git(directory, "config", "--null", "--get-regexp", wanted).split("\0"):
        key, _, value = entry.partition("\n")
        if key and value:
            if key.startswith("url."):
                key += "\n" + value  # several rewrites may lead to one URL
            if not key.startswith("remote.") or key not in found:
                found[key] = value
    return found


def _remote(settings: dict[str, str]) -> str:
    """The remote that names the repository: ``origin``, else ``upstream``, else the first by name."""
    remotes = {key[len("remote.") : -len(".url")]: url for key, url in settings.items() if key.startswith("remote.")}
    if not remotes:
        return ""
    name = next((name for name in ("origin", "upstream") if name in remotes), min(remotes))
    url = remotes[name]
    rewrites = [
        (old, key.split("\n")[0]) for key, old in settings.items() if key.startswith("url.") and url.startswith(old)
    ]
    if rewrites:
        old, key = max(rewrites, key=lambda rewrite: len(rewrite[0]))
        return key[len("url.") : -len(".insteadof")] + url[len(old) :]
    return url


def _git(directory: str, *arguments: str) -> str:
    """What git answers, or an empty string: no git, no repository, too slow, not allowed."""
    import subprocess

    environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_ASKPASS": "true", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-C", directory, *arguments],
            capture_output=True,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def git_email(directory: Path | None = None) -> str | None:
    """git's ``user.email`` as it holds in a directory (default: here), or None."""
    place = str((directory or Path()).absolute())
    return _git_settings(place).get("user.email") or None


def home_owner(cwd: str | None) -> str | None:
    """The person whose home a directory lies in, by the folder's name; None for shared and machine accounts."""
    match = _HOME.match(cwd or "")
    if match is None or match[1].lower() in _NOBODY:
        return None
    return match[1]


def developer_of(cwd: str | None, *, configured: str | None = None, owner: str | None = None) -> str | None:
    """Who spoke: what is configured, else git's address where the directory is, else its home folder, else ``owner``.

    ``owner`` is the agent's own field for it, where it has one.
    """
    if configured:
        return configured
    return _developer(cwd or "") or owner or None


@lru_cache(maxsize=4096)
def _developer(cwd: str) -> str | None:
    if cwd and Path(cwd).is_absolute() and Path(cwd).is_dir():
        address = git_email(Path(cwd))
        if address:
            return address
    return home_owner(cwd)
