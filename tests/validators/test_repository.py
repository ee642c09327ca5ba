"""What a repository's machine-read files answer, and what they leave open."""

from __future__ import annotations

from pathlib import Path

import pytest

from validators.repository import read_repository

Files = dict[str, str]
CI = ".github/workflows/ci.yml"


def workflow(*commands: str, folder: str = "") -> str:
    """A workflow with one job of run steps."""
    steps = "".join(f"      - run: {command}\n" for command in commands)
    defaults = f"    defaults:\n      run:\n        working-directory: {folder}\n" if folder else ""
    return f"on: [push]\njobs:\n  ci:\n{defaults}    steps:\n      - uses: actions/checkout@v4\n{steps}"


def written(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("files", "subject", "expected"),
    [
        ({"pnpm-lock.yaml": ""}, "", "pnpm"),
        ({"pnpm-lock.yaml": ""}, "javascript", "pnpm"),
        ({"pnpm-lock.yaml": ""}, "python", None),
        ({"pnpm-lock.yaml": "", "yarn.lock": ""}, "", None),  # two of one ecosystem
        ({"pnpm-lock.yaml": "", "yarn.lock": "", "package.json": '{"packageManager": "pnpm@9.12.0"}'}, "", "pnpm"),
        ({"package.json": '{"packageManager": "yarn@4.1.0+sha224.abc"}'}, "", "yarn"),
        ({"package.json": '{"name": "x"}'}, "", None),
        ({"package.json": "{broken"}, "", None),
        ({"package.json": "[]", "yarn.lock": ""}, "", "yarn"),
        ({"poetry.lock": ""}, "", "poetry"),
        ({"poetry.lock": "", "uv.lock": ""}, "python", None),
        ({"poetry.lock": "", "pnpm-lock.yaml": ""}, "", None),  # two ecosystems: which one is meant?
        ({"poetry.lock": "", "pnpm-lock.yaml": ""}, "python", "poetry"),
        ({"requirements.txt": "x"}, "", None),
        ({"packages/web/yarn.lock": ""}, "web", "yarn"),
        ({"packages/web/yarn.lock": "", "apps/web/bun.lock": ""}, "web", None),
        ({"packages/web/x": ""}, "web", None),
        ({"yarn.lock": ""}, "../yarn", None),
        ({"README.md": "We use yarn."}, "", None),
        ({}, "", None),
    ],
)
def test_package_manager(tmp_path: Path, files: Files, subject: str, expected: str | None) -> None:
    assert expected == read_repository(written(tmp_path, files)).answer("package_manager", subject)


@pytest.mark.parametrize(
    ("files", "of", "expected"),
    [
        ({CI: workflow("make test")}, "test_command", "make test"),
        ({CI: workflow("npm ci", "npm test", "npm run build", "npx eslint .")}, "test_command", "npm test"),
        ({CI: workflow("npm ci", "npm test", "npm run build", "npx eslint .")}, "build_command", "npm run build"),
        ({CI: workflow("npm ci", "npm test", "npm run build", "npx eslint .")}, "lint_command", "npx eslint ."),
        ({CI: workflow("make test", "make test-e2e")}, "test_command", "make test"),  # the other is a part's
        ({CI: workflow("npm run test:unit")}, "test_command", "npm run test:unit"),
        ({CI: workflow("npm run test:unit", "npm run test:e2e")}, "test_command", None),
        ({CI: workflow("pytest -q", "tox")}, "test_command", None),  # neither plainly is it
        ({CI: workflow("npm test", "npx playwright test e2e")}, "test_command", "npm test"),
        ({CI: workflow("make test", "make test")}, "test_command", "make test"),
        ({CI: workflow("npm test", "npm run test")}, "test_command", "npm test"),  # two ways to spell one
        ({CI: workflow("pip install tox && tox -e py313")}, "test_command", "tox -e py313"),
        ({CI: workflow("uv run pytest -q")}, "test_command", "uv run pytest -q"),
        ({CI: workflow("pnpm install", "pnpm vitest run")}, "test_command", "pnpm vitest run"),
        ({CI: workflow("pnpm install", "yarn run eslint .")}, "lint_command", "yarn run eslint ."),
        ({CI: workflow("pnpm install", "pnpm add jest")}, "test_command", None),
        ({CI: workflow("CI=1 cargo nextest run")}, "test_command", "CI=1 cargo nextest run"),
        ({CI: workflow("pytest -n ${{ matrix.n }}")}, "test_command", None),
        (
            {CI: "jobs:\n  a:\n    steps:\n      - run: |\n          bin/setup\n          bin/rails test\n"},
            "test_command",
            "bin/rails test",
        ),
        ({CI: workflow("zig build test")}, "test_command", "zig build test"),
        ({CI: workflow("zig build test")}, "build_command", None),
        ({CI: workflow("make deploy", "echo done")}, "test_command", None),
        ({CI: workflow("make test", folder="api")}, "test_command", None),  # of a part, not of the whole
        ({CI: "{broken: ["}, "test_command", None),
        ({CI: "- a list"}, "test_command", None),
        (
            {".gitlab-ci.yml": "test:\n  script:\n    - make test\n.hidden:\n  script: make check\n"},
            "test_command",
            "make test",
        ),
        (
            {".circleci/config.yml": "jobs:\n  a:\n    steps:\n      - checkout\n      - run: {command: make test}\n"},
            "test_command",
            "make test",
        ),
        ({"Makefile": "test:\n\tpytest\n"}, "test_command", None),  # no CI line says that it is the one
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, "test_command", None),
        ({CI: workflow("make test")}, "run_command", None),
    ],
)
def test_commands(tmp_path: Path, files: Files, of: str, expected: str | None) -> None:
    assert expected == read_repository(written(tmp_path, files)).answer(of, "")


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        (workflow("make test", folder="api"), "api", "make test"),
        (workflow("make test", folder="./packages/api/"), "api", "make test"),
        (workflow("cd api && make test"), "api", "make test"),
        (workflow("make test"), "api", None),
        (workflow("make test", "make test-e2e"), "e2e", "make test-e2e"),
        (workflow("npm run test:web", "npm run test:api"), "api", "npm run test:api"),
        (workflow("make test-e2e"), "api", None),
    ],
)
def test_a_command_of_a_part_of_the_project(tmp_path: Path, text: str, subject: str, expected: str | None) -> None:
    assert expected == read_repository(written(tmp_path, {CI: text})).answer("test_command", subject)


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        ("/src/billing/ @acme/billing\n", "billing", "@acme/billing"),
        ("* @dana\n/src/billing/ @priya\n", "billing", "@priya"),
        ("/src/billing/ @priya\n* @dana\n", "billing", "@dana"),  # the last match decides
        ("* @dana\n/src/billing/ @priya\n", "src/billing", "@priya"),
        ("* @dana\n/src/billing/ @priya\n", "search", None),  # no path stands for the area
        ("* @dana\n", "search", "@dana"),
        ("* @dana\n/docs/*.md @lena\n", "everything", "@dana"),
        ("/a/billing/ @priya\n/b/billing/ @tom\n", "billing", None),  # two folders, two owners
        ("/a/billing/ @priya\n/b/billing/ @priya\n", "billing", "@priya"),
        ("billing/** @priya @tom\n", "billing", "@priya @tom"),
        ("# /src/billing/ @priya\n", "billing", None),
        ("/src/billing/\n", "billing", None),
        ("/src/data_lake/ @priya # the lake\n", "data lake", "@priya"),
        ("[Billing]\n/src/billing/ @priya\n", "billing", "@priya"),
        ("* @dana\n", "", None),
    ],
)
def test_reviewers(tmp_path: Path, text: str, subject: str, expected: str | None) -> None:
    assert expected == read_repository(written(tmp_path, {".github/CODEOWNERS": text})).answer("reviewer", subject)


MAKE = {CI: workflow("make lint"), "Makefile": ".PHONY: lint\nlint: deps\n\t@ruff check src\nall:\n\ta\n\tb\n"}
SCRIPTS = {CI: workflow("npm run lint"), "package.json": '{"scripts": {"lint": "eslint src"}}'}


@pytest.mark.parametrize(
    ("files", "of", "subject", "value", "expected"),
    [
        ({"pnpm-lock.yaml": ""}, "package_manager", "", "PNPM", True),
        ({"pnpm-lock.yaml": ""}, "package_manager", "", "pnpm 9", True),
        ({"pnpm-lock.yaml": ""}, "package_manager", "", "npm", False),
        (MAKE, "lint_command", "", "make lint", True),
        (MAKE, "lint_command", "", "ruff check src", True),  # what the target does
        (MAKE, "lint_command", "", "ruff check", False),
        (SCRIPTS, "lint_command", "", "npm run lint", True),
        (SCRIPTS, "lint_command", "", "npm lint", True),
        (SCRIPTS, "lint_command", "", "eslint src", True),
        ({".github/CODEOWNERS": "/pay/ @priya @acme/data-team"}, "reviewer", "pay", "Priya", True),
        ({".github/CODEOWNERS": "/pay/ @priya @acme/data-team"}, "reviewer", "pay", "the data team", True),
        ({".github/CODEOWNERS": "/pay/ @priya @acme/data-team"}, "reviewer", "pay", "Tom", False),
        ({".gitattributes": "src/gen/** linguist-generated=true\n"}, "do_not_edit", "", "src/gen", True),
        ({".gitattributes": "src/gen/** linguist-generated\n"}, "do_not_edit", "", "src/gen/", True),
        ({".gitattributes": "src/gen/** linguist-generated=false\n"}, "do_not_edit", "", "src/gen", False),
        ({".gitattributes": "*.png binary\n"}, "do_not_edit", "", "*.png", False),
        ({}, "deploy_target", "staging", "main", False),
    ],
)
def test_holds(tmp_path: Path, files: Files, of: str, subject: str, value: str, expected: bool) -> None:
    assert expected is read_repository(written(tmp_path, files)).holds(of, subject, value)


def test_a_folder_that_is_not_there_answers_nothing(tmp_path: Path) -> None:
    repo = read_repository(tmp_path / "gone")
    assert [None, None, None] == [repo.answer(of, "x") for of in ("package_manager", "test_command", "reviewer")]


def test_a_file_too_large_to_be_read_says_nothing(tmp_path: Path) -> None:
    written(tmp_path, {"package.json": '{"packageManager": "yarn@4"}' + " " * 1_100_000})
    assert read_repository(tmp_path).answer("package_manager", "") is None
