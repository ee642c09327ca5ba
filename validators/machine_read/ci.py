"""The commands that a repository's CI runs, and what each is plainly for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from transcripts.lazy import lazy
from validators.machine_read.files import workflows, yaml_of

GITLAB_KEYS = ("before_script", "script")
NPM = r"(?:npm|pnpm|yarn|bun|deno)"
WRAPPER = lazy(
    r"^(?:(?:[A-Za-z_][A-Za-z0-9_]*=\S*|sudo|time|xvfb-run(?:\s-\S+)*|env)\s+"
    r"|(?:poetry|uv|pipenv|pdm|rye|hatch|bundle)\s+(?:run|exec)\s+(?:-\S+\s+)*"
    r"|(?:pnpm|yarn|bun)\s+(?:run\s+|x\s+)?(?=(?:vitest|jest|mocha|ava|playwright|cypress|eslint|biome|prettier|stylelint|tsc)\b)"
    r"|(?:npx|bunx|pnpx|pnpm\s+exec|pnpm\s+dlx|yarn\s+exec|yarn\s+dlx|npm\s+exec\s+--)\s+(?:-\S+\s+)*"
    r"|(?:python[0-9.]*|py)\s+-m\s+)"
)
PURPOSES: dict[str, re.Pattern[str]] = {
    "test_command": lazy(
        rf"(?:pytest|py\.test|unittest|tox|nox|vitest|jest|mocha|ava|rspec|phpunit|ctest|playwright\s+test|cypress\s+run)\b"
        rf"|(?:cargo\s+(?:nextest|test)|go\s+test|dotnet\s+test|mix\s+test|swift\s+test|sbt\s+test|zig\s+build\s+test|flutter\s+test|dart\s+test|bazel\s+test)\b"
        rf"|{NPM}\s+(?:run\s+)?tests?(?:[:\w-]*)(?=\s|$)|npm\s+t(?=\s|$)"
        r"|(?:make|just|task|rake|invoke|inv|nx|turbo(?:\s+run)?)\s+(?:[\w:-]*[:-])?(?:tests?|check|spec)(?:[:-][\w:-]*)?(?=\s|$)"
        r"|(?:mvn|\./mvnw)\s(?:.*\s)?(?:test|verify)(?=\s|$)|(?:gradle|\./gradlew)\s(?:.*\s)?:?(?:[\w:-]*:)?(?:test|check)\w*(?=\s|$)"
        r"|(?:composer|hatch)\s+(?:run\s+)?tests?(?=\s|$)"
    ),
    "build_command": lazy(
        rf"{NPM}\s+(?:run\s+)build(?:[:\w-]*)(?=\s|$)|(?:pnpm|yarn|bun)\s+build(?:[:\w-]*)(?=\s|$)"
        r"|(?!zig build test)(?:zig|cargo|go|poetry|uv|hatch|pdm|dotnet|swift|vite|next|docusaurus|bazel"
        r"|flutter|docker)\s+build\b|build(?=\s|$)"
        r"|(?:tsc|webpack|rollup|esbuild)\b|cmake\s+--build\b|(?:mvn|\./mvnw)\s(?:.*\s)?package(?=\s|$)"
        r"|(?:gradle|\./gradlew)\s(?:.*\s)?(?:build|assemble)(?=\s|$)"
        r"|(?:make|just|task|rake|invoke|inv|nx|turbo(?:\s+run)?)\s+(?:[\w:-]*[:-])?(?:build|dist|package|all)(?:[:-][\w:-]*)?(?=\s|$)"
    ),
    "lint_command": lazy(
        r"(?:eslint|flake8|pylint|rubocop|shellcheck|stylelint|tflint|hadolint|ktlint|swiftlint|phpcs|standard|xo|oxlint|tslint|markdownlint\S*)\b"
        r"|ruff\b|golangci-lint\b|black\s.*--check|prettier\s.*(?:--check|-c)\b|biome\s+(?:check|lint|ci)\b|cargo\s+(?:clippy|fmt)\b|mix\s+(?:credo|format)\b"
        r"|pre-commit\s+run\b|go\s+vet\b|buf\s+lint\b"
        rf"|{NPM}\s+(?:run\s+)?(?:lint|format:check|fmt)(?:[:\w-]*)(?=\s|$)"
        r"|(?:make|just|task|rake|invoke|inv|nx|turbo(?:\s+run)?)\s+(?:[\w:-]*[:-])?(?:lint|fmt|format|style)(?:[:-][\w:-]*)?(?=\s|$)"
    ),
}

PART = lazy(
    r"\b(?:tests?|lint|build|check)[:-]([A-Za-z][\w-]*)|\b([A-Za-z][\w]*)[:-](?:tests?|lint|build|check)\b"
    r"|\b(e2e|integration|smoke|acceptance|coverage|perf|bench|visual)\b"
)
# What a sub-command of a program that is not listed is for: "bin/rails test".
SPOKEN = {
    "test": "test_command",
    "tests": "test_command",
    "spec": "test_command",
    "lint": "lint_command",
    "build": "build_command",
}


class RunLine(NamedTuple):
    """One command of a CI job, and the folder it runs in ("" for the repository's own)."""

    command: str
    folder: str = ""


def run_lines(root: Path) -> list[RunLine]:
    """The commands of GitHub, GitLab and CircleCI configurations, in file order."""
    lines: list[RunLine] = []
    for file in workflows(root):
        lines += _github(yaml_of(file))
    lines += _gitlab(yaml_of(root / ".gitlab-ci.yml"))
    lines += _circle(yaml_of(root / ".circleci" / "config.yml"))
    return lines


def purpose(command: str) -> str | None:
    """The one command type that a command plainly is, or None."""
    bare = command
    for _ in range(6):
        shorter = WRAPPER.sub("", bare, count=1)
        if shorter == bare:
            break
        bare = shorter
    found = [name for name, pattern in PURPOSES.items() if pattern.match(bare) or pattern.match(command)]
    found = found or list({SPOKEN[word] for word in bare.split()[1:3] if word in SPOKEN and "install" not in bare})
    return found[0] if len(found) == 1 else None


def part_of(command: str) -> str:
    """The part of the project that a command's name limits it to (``make test-e2e``: ``e2e``), or empty."""
    match = PART.search(command)
    return next((group.casefold() for group in match.groups() if group), "") if match else ""


def _github(workflow: dict[Any, Any]) -> Iterator[RunLine]:
    base = _folder(workflow)
    for job in _mappings(workflow.get("jobs")):
        at = _folder(job) or base
        for step in _items(job.get("steps")):
            if isinstance(step, dict):
                yield from _commands(step.get("run"), str(step.get("working-directory") or at))


def _gitlab(config: dict[Any, Any]) -> Iterator[RunLine]:
    for name, job in config.items():
        if isinstance(job, dict) and not str(name).startswith("."):
            for key in GITLAB_KEYS:
                for item in _items(job.get(key)):
                    yield from _commands(item, "")


def _circle(config: dict[Any, Any]) -> Iterator[RunLine]:
    for job in _mappings(config.get("jobs")):
        for step in _items(job.get("steps")):
            run = step.get("run") if isinstance(step, dict) else None
            if isinstance(run, dict):
                yield from _commands(run.get("command"), str(run.get("working_directory") or ""))
            else:
                yield from _commands(run, "")


def _commands(script: object, folder: str) -> Iterator[RunLine]:
    """The single commands of a script. What depends on a variable of the CI says nothing plain."""
    if not isinstance(script, str):
        return
    for line in script.replace("\\\n", " ").splitlines():
        at = folder
        for part in line.split("&&"):
            command = " ".join(part.split())
            if command.startswith("cd "):
                at = command[3:].strip("\"' ")
            elif command and not command.startswith("#") and "${{" not in command:
                yield RunLine(command, "" if at in (".", "./") else at.removeprefix("./").rstrip("/"))


def _folder(holder: dict[Any, Any]) -> str:
    run = (holder.get("defaults") or {}).get("run") if isinstance(holder.get("defaults"), dict) else None
    return str(run.get("working-directory") or "") if isinstance(run, dict) else ""


def _mappings(found: object) -> list[dict[Any, Any]]:
    return [item for item in found.values() if isinstance(item, dict)] if isinstance(found, dict) else []


def _items(found: object) -> list[Any]:
    return found if isinstance(found, list) else [found] if isinstance(found, str) else []
