"""Which stored paths a request would touch: by its paths, else by the name of the folder or file."""

from __future__ import annotations

import pytest

from afterpass.recall.paths import covers, inside_checkout, paths_in, touches
from afterpass.recall.request import stated_value
from afterpass.recall.request_targets import without_hands_off
from policy.load import load_policy


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


TOUCHED = r"""
@legacy/foo.js rename x
edit src/../legacy/foo.js
edit ./src/ui/../../legacy/foo.js
edit legacy\foo.js
edit C:\work\webapp\legacy\foo.js
edit /home/dana/src/webapp/legacy/foo.js
edit ~/webapp/legacy/foo.js
look at legacy/foo.js, then get rid of the unused function
look at legacy/foo.js. Get rid of the unused function.
open legacy/foo.js and comment out line 3
check legacy/foo.js and simplify it
explain legacy/foo.js and inline the helper
read legacy/foo.js to simplify it
what does legacy/foo.js do and can you simplify it?
run prettier on the whole repository
run the formatter across the codebase
prettier --write .
format all files
delete everything
rename x everywhere
change everything except src/
Please don't edit anything except legacy/foo.js
don't touch anything but legacy/foo.js
update src/a.js and the legacy folder
update src/a.js and the `legacy` directory
rename foo in every module
"""
SPARED = r"""
look at legacy/foo.js and tell me what it does
@legacy/foo.js what does this do?
compare legacy/a.js and src/b.js
explain the lexer and parser in legacy/foo.js
read legacy/foo.js to understand the flow
Explain legacy/foo.js. Thanks!
is legacy/foo.js used? Then fix src/a.ts
edit legacy/../src/foo.js
edit @types/node.d.ts
everything is green, add zod
explain everything
run prettier on everything in src/
run prettier on the whole repository except legacy/
edit everything but the legacy folder
update src/a.js and leave the legacy folder alone
update src/a.js and everything else but the legacy folder
describe the legacy folder, then edit src/a.js
update src/a.js, the legacy folders are gone
rename foo in every module under src/
"""
LINES = [
    *[(True, line) for line in TOUCHED.strip().splitlines()],
    *[(False, line) for line in SPARED.strip().splitlines()],
]


@pytest.mark.parametrize(("expected", "request_text"), LINES)
def test_ways_to_reach_a_folder(expected: bool, request_text: str) -> None:
    assert expected == touches(without_hands_off(request_text), "legacy/")


def test_what_is_excepted_from_a_ban_is_not_the_ban() -> None:
    do_not_edit = load_policy().types["do_not_edit"]
    assert stated_value(do_not_edit, "", "Please don't edit anything except legacy/foo.js") is None
    assert "legacy/" == stated_value(do_not_edit, "", "don't edit legacy/ except for typos")


def test_full_paths_into_the_checkout_are_read_from_its_top() -> None:
    told = "edit /co/web/db/x.sql and `/co/web/a`, /co/website/b, old/co/web/c"
    assert "edit db/x.sql and `a`, /co/website/b, old/co/web/c" == inside_checkout(told, "/co/web")
    assert told == inside_checkout(told, "")


@pytest.mark.parametrize("said", ["a/../", "everything except ", "look at a/b and ", "don't edit x ", "every file "])
def test_long_hostile_requests_are_searched(said: str) -> None:
    touches(without_hands_off(said * 1500), "legacy/")
