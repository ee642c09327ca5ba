"""Which stored paths a request would touch: by its paths, else by the name of the folder or file."""

from __future__ import annotations

import pytest

from afterpass.recall.paths import covers, paths_in, touches


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (["db/schema.sql"], "edit `db/schema.sql`, please."),
        (["src/a-b/**/*.ts", "schema.sql"], "./src/a-b/**/*.ts and schema.sql"),
        ([".env.local", "Makefile", "gen/"], "look at .env.local, the Makefile, and gen/"),
        ([], "e.g. version 1.2.3 and/or v2.0"),
        ([], "bump react to 18.3"),
    ],
)
def test_paths_in(expected: list[str], text: str) -> None:
    assert expected == paths_in(text)


@pytest.mark.parametrize(
    ("expected", "pattern", "path"),
    [
        (True, "db/schema.sql", "db/schema.sql"),
        (True, "db/schema.sql", "schema.sql"),
        (True, "db/schema.sql", "services/a/db/schema.sql"),
        (True, "db/schema.sql", "DB/Schema.sql"),
        (True, "src/generated/**", "src/generated/a/b.ts"),
        (True, "src/generated/**", "generated/b.ts"),
        (True, "src/generated/**", "src"),
        (True, "src/generated/", "src/generated/b.ts"),
        (True, "db/migrations", "migrations/0042.sql"),
        (True, "*.pb.go", "rpc/foo.pb.go"),
        (True, "**/*.snap", "a/b.snap"),
        (True, "gen/*.{ts,js}", "gen/a.js"),
        (False, "db/schema.sql", "other/schema.sql"),
        (False, "README.md", "docs/README.md"),
        (False, "src/generated/**", "src/app.ts"),
        (False, "packages/app/src", "src/foo.ts"),
        (False, "gen/*.ts", "gen/x/a.ts"),
        (False, "vendor", "vendors/a.js"),
    ],
)
def test_covers(expected: bool, pattern: str, path: str) -> None:
    assert expected == covers(pattern, path)


@pytest.mark.parametrize(
    ("expected", "request_text", "pattern"),
    [
        (True, "Rename the column in db/schema.sql", "db/schema.sql"),
        (True, "Can you show me db/schema.sql and rename the column?", "db/schema.sql"),
        (True, "Fix the typo in the generated client", "src/generated/**"),
        (True, "Add a column to the schema file", "db/schema.sql"),
        (True, "bump the vendored lodash", "vendor/"),
        (True, "clean up legacy billing", "packages/legacy-billing/**"),
        (True, "Update the schema of the orders table", "db/schema.sql"),
        (True, "Regenerate the API client", "openapi/client.gen.ts"),
        (True, "May you change the changelog by hand?", "CHANGELOG.md"),
        (False, "The client complains about the price", "openapi/client.gen.ts"),
        (False, "Explain db/schema.sql", "db/schema.sql"),
        (False, "What does db/schema.sql say about orders?", "db/schema.sql"),
        (False, "Fix src/a.ts. What does gen/b.ts do?", "gen/**"),
        (False, "Fix the typo in src/checkout/form.tsx", "src/generated/**"),
        (False, "Add zod schema validation to the checkout", "db/schema.sql"),
    ],
)
def test_touches(expected: bool, request_text: str, pattern: str) -> None:
    assert expected == touches(request_text, pattern)
