"""What weaker files of a repository make likely, and where they leave it open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policy.load import load_policy
from validators.context import Hint
from validators.repository import read_repository

Files = dict[str, str]
TYPES = load_policy().types
DEPLOY = ".github/workflows/deploy.yml"


def package(**scripts: str) -> str:
    return json.dumps({"scripts": scripts})


def written(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


PNPM = {"pnpm-lock.yaml": "", "package.json": package(test="vitest", lint="eslint .", build="tsc", dev="vite")}


@pytest.mark.parametrize(
    ("files", "of", "expected"),
    [
        (PNPM, "test_command", ("pnpm test", "package.json")),
        (PNPM, "lint_command", ("pnpm run lint", "package.json")),
        (PNPM, "build_command", ("pnpm run build", "package.json")),
        (PNPM, "run_command", ("pnpm run dev", "package.json")),
        ({"yarn.lock": "", "package.json": package(start="node .")}, "run_command", ("yarn run start", "package.json")),
        ({"bun.lock": "", "package.json": package(test="bun test")}, "test_command", ("bun run test", "package.json")),
        ({"package.json": package(test="vitest")}, "test_command", None),  # run by which manager?
        ({"yarn.lock": "", "package.json": package(dev="vite", start="node .")}, "run_command", None),  # two
        ({"yarn.lock": "", "package.json": package(unit="vitest")}, "test_command", None),
        (
            {"yarn.lock": "", "package.json": package(test='echo "Error: no test specified" && exit 1')},
            "test_command",
            None,
        ),
        ({"yarn.lock": "", "package.json": '{"scripts": ["test"]}'}, "test_command", None),
        ({"yarn.lock": "", "package.json": '{"scripts": {"test": 3}}'}, "test_command", None),
        ({"Makefile": "test: deps\n\tpytest\n"}, "test_command", ("make test", "Makefile")),
        ({"Makefile": "lint:\n\truff check\nbuild:\n\tgo build\n"}, "lint_command", ("make lint", "Makefile")),
        ({"Makefile": "test := unit\n"}, "test_command", None),  # a variable
        ({"Makefile": "retest:\n\tpytest\n"}, "test_command", None),
        ({"justfile": "test:\n  cargo test\n"}, "test_command", ("just test", "justfile")),
        ({"justfile": "@lint:\n  ruff check\n"}, "lint_command", ("just lint", "justfile")),
        ({"justfile": "test name:\n  pytest {{name}}\n"}, "test_command", None),  # cannot be called without a name
        ({"justfile": "test := 'x'\n"}, "test_command", None),
        ({"tox.ini": "[tox]\nenvlist = py311\n[testenv]\ncommands = pytest\n"}, "test_command", ("tox", "tox.ini")),
        ({"tox.ini": "[flake8]\nmax-line-length = 99\n"}, "test_command", None),  # another program's settings
        ({"noxfile.py": "@nox.session\ndef tests(session): ...\n"}, "test_command", ("nox", "noxfile.py")),
        ({"noxfile.py": "@nox.session\ndef lint(session): ...\n"}, "test_command", None),
        # Several files: the same command in two dresses is one, two commands are none.
        (
            {"Makefile": "test:\n\ttox\n", "tox.ini": "[testenv]\ncommands = pytest\n"},
            "test_command",
            ("make test", "Makefile"),
        ),
        ({"Makefile": "test:\n\tpytest\n", "tox.ini": "[testenv]\ncommands = pytest\n"}, "test_command", None),
        ({**PNPM, "Makefile": "test:\n\tgo test ./...\n"}, "test_command", None),
        ({**PNPM, "Makefile": "test:\n\tpnpm test\n"}, "test_command", ("make test", "Makefile")),
        ({"README.md": "Run the tests with `make test`."}, "test_command", None),
        (PNPM, "decision", None),
        ({}, "test_command", None),
    ],
)
def test_commands(tmp_path: Path, files: Files, of: str, expected: tuple[str, str] | None) -> None:
    repo = read_repository(written(tmp_path, files))
    assert expected == repo.hint(TYPES[of], "")


def test_a_part_of_the_project_has_no_hint(tmp_path: Path) -> None:
    assert read_repository(written(tmp_path, PNPM)).hint(TYPES["test_command"], "frontend") is None


def deploys(on: str, job: str = "  ship:\n    environment: staging\n", name: str = "Deploy") -> str:
    return f"name: {name}\non:\n{on}\njobs:\n{job}"


PUSH = "  push:\n    branches: [preview]"


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        (deploys(PUSH), "staging", "preview"),
        (deploys(PUSH), "production", None),
        (deploys(PUSH), "", None),
        (deploys(PUSH, "  ship:\n    environment:\n      name: prod\n"), "production", "preview"),  # an alias
        (deploys(PUSH, "  deploy_staging:\n    steps: []\n"), "staging", "preview"),
        (deploys(PUSH, "  ship:\n    name: Deploy (Staging)\n", "Ship"), "staging", "preview"),
        (deploys("  push:\n    branches: preview"), "staging", "preview"),
        (deploys(PUSH + "\n  workflow_dispatch:"), "staging", "preview"),
        # Whatever lets another ref in, or keeps this one out, leaves it open.
        (deploys("  push:\n    branches: [preview, main]"), "staging", None),
        (deploys("  push:\n    branches: ['release/**']"), "staging", None),
        (deploys("  push:\n    branches: ['!main']"), "staging", None),
        (deploys(PUSH + "\n    tags: ['v*']"), "staging", None),
        (deploys(PUSH + "\n  pull_request:"), "staging", None),
        (deploys("  push:"), "staging", None),
        ("name: Deploy\non: [push]\njobs:\n  ship:\n    environment: staging\n", "staging", None),
        (deploys(PUSH, "  ship:\n    environment: staging\n    if: github.actor == 'sam'\n"), "staging", None),
        (deploys(PUSH, "  ship:\n    environment: ${{ inputs.where }}\n"), "staging", None),
        (deploys(PUSH, "  deploy-staging:\n    environment: production\n"), "staging", None),
        (deploys(PUSH, "- a list"), "staging", None),
        ("{broken: [", "staging", None),
    ],
)
def test_deploy_branches(tmp_path: Path, text: str, subject: str, expected: str | None) -> None:
    repo = read_repository(written(tmp_path, {DEPLOY: text}))
    assert (Hint(expected, DEPLOY) if expected else None) == repo.hint(TYPES["deploy_target"], subject)


def test_a_workflow_that_does_not_say_deploy_names_no_target(tmp_path: Path) -> None:
    files = {".github/workflows/ci.yml": deploys(PUSH, name="Checks")}
    assert read_repository(written(tmp_path, files)).hint(TYPES["deploy_target"], "staging") is None


def test_two_workflows_that_differ_name_no_target(tmp_path: Path) -> None:
    files = {DEPLOY: deploys(PUSH), ".github/workflows/deploy2.yml": deploys("  push:\n    branches: [main]")}
    assert read_repository(written(tmp_path, files)).hint(TYPES["deploy_target"], "staging") is None


@pytest.mark.parametrize(
    ("attributes", "path", "expected"),
    [
        ("gen/** linguist-generated", "gen/api/client.ts", "gen/**"),
        ("gen/** linguist-generated=true", "gen/client.ts", "gen/**"),
        ("vendor/** linguist-vendored", "vendor/lib.js", "vendor/**"),
        ("*.pb.go text linguist-generated=true", "rpc/ledger.pb.go", "*.pb.go"),
        ("/schema.sql linguist-generated", "schema.sql", "/schema.sql"),
        ("/schema.sql linguist-generated", "db/schema.sql", None),
        ("gen/** linguist-generated", "src/client.ts", None),
        ("gen linguist-generated", "gen/client.ts", None),  # git's attributes do not reach into a folder
        ("gen/** -linguist-generated", "gen/client.ts", None),
        ("gen/** linguist-generated=false", "gen/client.ts", None),
        ("gen/** linguist-generated\ngen/hand.ts -linguist-generated", "gen/hand.ts", None),  # the last one decides
        ("gen/** linguist-generated\ngen/hand.ts -linguist-generated", "gen/client.ts", "gen/**"),
        ("gen/** linguist-documentation", "gen/client.ts", None),
        ("# gen/** linguist-generated", "gen/client.ts", None),
        ("gen/**", "gen/client.ts", None),
        ("", "gen/client.ts", None),
    ],
)
def test_attributes_mark_a_file(tmp_path: Path, attributes: str, path: str, expected: str | None) -> None:
    repo = read_repository(written(tmp_path, {".gitattributes": attributes}))
    assert (Hint(expected, ".gitattributes") if expected else None) == repo.mark_on(path)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("// Code generated by protoc-gen-go. DO NOT EDIT.\npackage rpc\n", True),
        ("# @generated by the schema tool\n", True),
        ("/*\n * @generated\n */\n", True),
        ("<!-- @generated -->\n", True),
        ("// Code generated by hand.\n", False),
        ("// This is not @generated, edit at will\n", False),
        ("// mail to x@generated.example\n", False),
        ('MARK = "@generated"\n', False),  # a program that speaks of the mark
        ("\n" * 40 + "// @generated\n", False),  # not at the head
        ("package rpc\n", False),
    ],
)
def test_the_head_of_a_file_marks_it(tmp_path: Path, text: str, marked: bool) -> None:
    repo = read_repository(written(tmp_path, {"rpc/ledger.go": text}))
    assert (Hint("rpc/ledger.go", "rpc/ledger.go") if marked else None) == repo.mark_on("rpc/ledger.go")


@pytest.mark.parametrize("path", ["../outside.go", "rpc", "gone.go", "a\0b"])
def test_only_files_of_the_checkout_are_looked_into(tmp_path: Path, path: str) -> None:
    written(tmp_path, {"outside.go": "// @generated\n", "repo/rpc/x.go": "// @generated\n"})
    assert read_repository(tmp_path / "repo").mark_on(path) is None
