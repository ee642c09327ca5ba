"""Which package manager a folder's lock files name, per ecosystem."""

from __future__ import annotations

from pathlib import Path

from validators.machine_read.files import json_of

LOCKS: dict[str, tuple[tuple[str, str], ...]] = {
    "javascript": (
        ("package-lock.json", "npm"),
        ("npm-shrinkwrap.json", "npm"),
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("deno.lock", "deno"),
    ),
    "python": (
        ("poetry.lock", "poetry"),
        ("uv.lock", "uv"),
        ("pdm.lock", "pdm"),
        ("Pipfile.lock", "pipenv"),
        ("pixi.lock", "pixi"),
        ("conda-lock.yml", "conda"),
    ),
    "rust": (("Cargo.lock", "cargo"),),
    "go": (("go.sum", "go mod"),),
    "java": (
        ("gradle/wrapper/gradle-wrapper.properties", "gradle"),
        (".mvn/wrapper/maven-wrapper.properties", "maven"),
    ),
    "php": (("composer.lock", "composer"),),
    "ruby": (("Gemfile.lock", "bundler"),),
    "dotnet": (("packages.lock.json", "nuget"),),
    "swift": (("Package.resolved", "swiftpm"), ("Podfile.lock", "cocoapods")),
    "elixir": (("mix.lock", "mix"),),
    "dart": (("pubspec.lock", "pub"),),
}
WORKSPACES = ("", "packages", "apps", "services", "libs", "crates", "modules", "projects")


def manager(root: Path, ecosystem: str) -> str | None:
    """The ecosystem's manager in this folder, or None where nothing or more than one thing names it."""
    if ecosystem == "javascript":
        named = json_of(root / "package.json").get("packageManager")
        if isinstance(named, str) and named.strip():
            return named.partition("@")[0].strip()
    found = {name for file, name in LOCKS.get(ecosystem, ()) if _exists(root / file)}
    return found.pop() if len(found) == 1 else None


def only_manager(root: Path) -> str | None:
    """The folder's manager where it has one ecosystem and that one manager."""
    answers = {e: manager(root, e) for e in LOCKS}
    used = [e for e in LOCKS if answers[e] or any(_exists(root / file) for file, _ in LOCKS[e])]
    return answers[used[0]] if len(used) == 1 else None


def folder_of(root: Path, part: str) -> Path | None:
    """The folder of a named part of the repository, where exactly one is found."""
    if not part or not all(c.isalnum() or c in "-_./" for c in part) or ".." in part:
        return None
    found = [root / parent / part for parent in WORKSPACES if _is_folder(root / parent / part)]
    return found[0] if len(found) == 1 else None


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
