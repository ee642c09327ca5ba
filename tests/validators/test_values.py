"""Each kind of value: what it may look like, when two are one, and where a text holds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.values.kinds import KINDS, same_value

SUPPORTED = [
    ("path", "src/legacy", "never touch src/legacy-billing", False),
    ("path", "src/legacy", "never touch src/legacy.", True),
    ("path", "src/legacy/", "never touch `src/legacy`, ok", True),
    ("path", "src/legacy/**", "never touch anything in src/legacy", True),
    ("path", "src/legacy", "never touch src/legacy/core", False),
    ("path", "src/legacy", "never touch ./src/legacy/", True),
    ("path", "legacy", "never touch src/legacy", False),
    ("path", "src/", "never touch src/[id]/page.tsx", False),
    ("path", "src/[id]/page.tsx", "never touch src/[id]/page.tsx.", True),
    ("path", "app/", "never touch app/(auth)/layout.tsx", False),
    ("path", "web/", "never touch web/{a,b}/x", False),
    ("path", "page.tsx", "never touch src/[id]/page.tsx", False),
    ("path", "src/legacy/", "nobody touches that (src/legacy/) please", True),
    ("ref", "hotfix", "deploys from the branch hotfix#3", False),
    ("ref", "hotfix", "deploys from the branch (hotfix)", True),
    ("path", "*.lock", "never touch *.lock files", True),
    ("path", "legacy/soap", "don’t ever touch “legacy/soap” please", True),
    ("identifier", "FIELD-", "our ticket prefix is always FLD, so FLD-12", False),
    ("identifier", "FLD", "our ticket prefix is always FLD, so FLD-12", True),
    ("identifier", "FLD", "tickets like FLD-12", True),
    ("identifier", "SHOP-", "like SHOP-3977", True),
    ("identifier", "SHOP", "like SHOPPING-3977", False),
    ("manager", "pnpm", "from now on we use ｐｎｐｍ here", True),
    ("manager", "pnpm", "以后这个仓库一律用pnpm，不要用npm", True),
    ("manager", "npm", "we use pnpm", False),
    ("manager", "npm", "we use npm-run-all", False),
    ("manager", "yarn", "we use yarn.", True),
    ("manager", "maven", "we use mvn here", True),
    ("ref", "main", "deploys from feature/main", False),
    ("ref", "main", "deploys from main.", True),
    ("ref", "main", "deploys from *main*", True),
    ("ref", "main", "deploys from _main_ now", True),
    ("ref", "v*", "tags v* go to prod", True),
    ("ref", "preview", "moved to preview-3", False),
    ("command", "cargo test", "run `cargo test --workspace`", False),
    ("command", "cargo test", "run cargo test --workspace", False),
    ("command", "cargo test", "run cargo test, always", True),
    ("command", "make lint", "run `make lint && make test`", True),
    ("command", "go test ./... -race", "tests always run with `go test ./... -race`, no", True),
    ("command", "pytest -k 'not slow'", 'run `pytest -k "not slow"`', True),
    ("command", "go test --race", "run go test —race always", True),
    ("command", "npm test", "tests: npm test.", True),
    ("command", "npm test", "tests: npm test:unit", False),
    ("person", "Priya", "Priya's reviews", True),
    ("person", "dba-team", "go to @dba-team, always", True),
    ("person", "data team", "go to the data team", True),
    (
        "statement",
        "state lives in zustand stores",
        "we decided against redux, state lives in zustand stores. And",
        True,
    ),
    ("statement", "always use tabs", "we *always* use `tabs`", True),
    ("manager", "pnpm", "use pnpm—always", True),
]
VALID = [
    ("manager", "pnpm", True),
    ("manager", "PNPM 9", True),
    ("manager", "pnpm for all", False),
    ("manager", "the usual", False),
    ("command", "pytest", True),
    ("command", "the usual test script", False),
    ("command", "make sure the tests pass before you push", False),
    ("command", "CI=1 npm test -- --run", True),
    ("command", "./gradlew check", True),
    ("command", "make lint && make test", True),
    ("command", "docker compose run --rm web pytest -q", True),
    ("command", "run the tests twice", False),
    ("command", "feel free to reach out", False),
    ("command", "keep-alive serve", True),
    ("command", "npm run test:unit", True),
    ("command", 'python -m pytest -k "not the slow"', True),
    ("command", "just check", True),
    ("command", "run", True),
    ("ref", "main", True),
    ("ref", "v*", True),
    ("ref", "v[0-9]*.*", True),
    ("ref", "whatever branch the person", False),
    ("ref", "box.acme.dev:8080", True),
    ("ref", "a..b", False),
    ("ref", "https://staging.acme.dev", True),
    ("ref", "the branch main", True),
    ("ref", "it", False),
    ("ref", "sales demo box", False),
    ("person", "Priya", True),
    ("person", "@acme/platform", True),
    ("person", "the data team", True),
    ("person", "whoever is on call", False),
    ("person", "me", False),
    ("person", "Dr. Lee", True),
    ("person", "Jean-Luc O'Neil", True),
    ("person", "佐藤さん", True),
    ("person", "Priya and Tom", True),
    ("person", "the one who wrote it", False),
    ("person", "run the tests", False),
    ("path", "src/a b", False),
    ("path", "../x", False),
    ("path", "src/../../x", False),
    ("path", "src/**", True),
    ("path", "*", False),
    ("path", "https://x.y/z", False),
    ("path", "Makefile", True),
    ("path", ".env", True),
    ("path", "db/schema.sql", True),
    ("identifier", "SHOP-", True),
    ("identifier", "always use the SHOP prefix", False),
    ("identifier", "ACME-<number>", True),
    ("statement", "a. b is here. c", False),
    ("statement", "wrap the error, don't swallow it", True),
    ("statement", "pin to v1.2.3, see https://x.y", True),
    ("statement", "x" * 99 + " " + "x" * 100, True),
    ("statement", "x" * 100 + " " + "x" * 100, False),
    ("statement", "token", False),
    ("statement", "用中文回答", True),
    ("statement", "…", False),
    ("command", "npm test \\\n  --watch=false", True),
    ("command", "npm test\nrm -r x", False),
    ("command", "", False),
    ("ref", "", False),
    ("person", "", False),
    ("path", "", False),
    ("identifier", "-", False),
    ("manager", "", False),
    ("path", "x" * 201, False),
    ("ref", "release.lock", False),
    ("ref", "-x", False),
    ("ref", "feature//x", False),
    ("ref", "my^branch", False),
    ("ref", "a@{1}", False),
    ("ref", "HEAD~1", False),
    ("ref", "release/*", True),
    ("ref", "预发", True),
]


@pytest.mark.parametrize(("kind", "value", "valid"), VALID)
def test_check(kind: str, value: str, valid: bool) -> None:
    found = KINDS[kind]
    assert valid is (found.check(found.clean(value)) is None)


@pytest.mark.parametrize(("kind", "value", "text", "supported"), SUPPORTED)
def test_supported(kind: str, value: str, text: str, supported: bool) -> None:
    assert supported is KINDS[kind].supported(value, text)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("manager", "`PNPM`", "pnpm"),
        ("manager", " “Yarn”. ", "yarn"),
        ("command", "`make test`", "make test"),
        ("command", "$ make test", "make test"),
        ("command", "make test.", "make test"),
        ("command", "biome ci .", "biome ci ."),
        ("command", "go test ./...", "go test ./..."),
        ("command", "npm test \\\n  --watch=false", "npm test --watch=false"),
        ("ref", "the branch main", "main"),
        ("ref", "'release/gold'.", "release/gold"),
        ("ref", "v*", "v*"),
        ("person", "the data team", "data team"),
        ("person", "@priya,", "@priya"),
        ("path", "`./src/legacy/`", "src/legacy/"),
        ("path", ".env", ".env"),
        ("path", "src/legacy.", "src/legacy"),
        ("identifier", "SHOP-", "SHOP-"),
        ("identifier", "“FLD”.", "FLD"),
        ("statement", "wrap  the\nerror", "wrap the error"),
    ],
)
def test_clean(kind: str, value: str, expected: str) -> None:
    assert expected == KINDS[kind].clean(value)


@pytest.mark.parametrize(
    ("kind", "one", "other", "same"),
    [
        ("manager", "PNPM", "pnpm", True),
        ("manager", "mvn", "maven", True),
        ("manager", "pnpm 9", "pnpm@9", True),
        ("manager", "npm", "pnpm", False),
        ("command", "make  test", "make test", True),
        ("command", "pytest -k 'x'", 'pytest -k "x"', True),
        ("command", "mvn -T 4", "mvn -t 4", False),
        ("ref", "Main", "main", True),
        ("ref", "refs/heads/main", "main", True),
        ("ref", "main", "main-2", False),
        ("person", "Priya", "@priya", True),
        ("person", "the data team", "Data", True),
        ("person", "Priya", "Tom", False),
        ("path", "src/legacy/", "src/legacy", True),
        ("path", "src/legacy/**", "./src/legacy", True),
        ("path", "src/Legacy", "src/legacy", False),
        ("path", "src/legacy", "src/legacy/core", False),
        ("identifier", "SHOP-", "shop-", False),
        ("statement", "Wrap the error.", "wrap  the error", True),
    ],
)
def test_same_value(kind: str, one: str, other: str, same: bool) -> None:
    assert same is same_value(KINDS[kind], one, other)


@given(st.sampled_from(sorted(KINDS)), st.text(max_size=40))
def test_nothing_that_is_proposed_breaks_a_kind(kind: str, value: str) -> None:
    found = KINDS[kind]
    cleaned = found.clean(value)
    found.check(cleaned)
    assert same_value(found, cleaned, cleaned)
    assert isinstance(found.supported(cleaned, f"we use {cleaned} here"), bool)
