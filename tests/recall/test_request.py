"""What a request itself states: an instruction that names the value. Questions, doubts and mentions state nothing."""

from __future__ import annotations

import pytest

from afterpass.recall.request import stated_value
from policy.load import load_policy

MANAGER = [
    ("yarn", "", "add zod with yarn"),
    ("yarn", "", "Add zod with yarn. Which package manager do you use?"),
    ("yarn", "", "please add zod to the web package with `yarn`"),
    ("pnpm", "", "Use pnpm for this one and add zod"),
    ("pnpm", "", "Don't wait for CI, add zod with pnpm"),
    ("bun", "", "can you add zod with bun?"),
    ("bun", "", "could you use bun here?"),
    ("npm", "", "npm install zod"),
    ("npm", "", "run `npm install zod`"),
    ("npm", "", "Add zod. With npm please."),
    ("uv", "python", "install httpx via uv please"),
    ("uv", "python", "bump httpx using uv, then commit"),
    ("npm", "", "For this one use npm: add zod."),
    ("bun", "", "go with bun here and add zod"),
    ("npm", "", "Don't use pnpm here, take npm. Add zod."),
    ("bun", "", "I want this one installed with bun: add zod."),
    ("npm", "", "run npm install zod in web/"),
    (None, "", "Upgrade npm to 11"),
    (None, "", "Publish the package to npm. Which package manager do you use to build?"),
    (None, "", "Replace npm with pnpm in the Dockerfile"),
    (None, "", "Write a section: how to install it with pip"),
    (None, "", "Add zod as a dependency. Which package manager are you going to use for it?"),
    (None, "", "should I use yarn?"),
    (None, "", "can you use yarn here?"),
    (None, "", "what if we add it with yarn?"),
    (None, "", "add zod with yarn or npm"),
    (None, "", "I think we use yarn, add zod"),
    (None, "", "add zod, maybe with yarn"),
    (None, "", "don't use npm"),
    (None, "", "never add anything with npm"),
    (None, "", "npm install fails on CI"),
    (None, "", "npm install is slow, look into it"),
    (None, "", "Add the npm badge to the readme"),
    (None, "", "Add a section on installing with pip"),
    (None, "", "Fix the bug with npm workspaces"),
    (None, "", "our yarn.lock is outdated, update it"),
    (None, "", "A user reports that yarn dlx acme-cli fails with 'bin not found'. Reproduce?"),
    (None, "", "the README says to add it with yarn"),
    (None, "", "last time you did it with npm, add zod"),
    (None, "", "> add it with yarn\nwhat does he mean by that"),
    (None, "", ""),
]
COMMAND = [
    ("pytest -q", "test_command", "", "run the tests with `pytest -q`"),
    ("pytest -x", "test_command", "", "run the tests with pytest -x and then commit"),
    ("make test-api", "test_command", "", "Run `make test-api`."),
    ("make check", "test_command", "", "Use `make check` for the tests"),
    ("make test-api", "test_command", "api", "run the api tests with `make test-api`"),
    ("task image:build", "build_command", "", "build the image with `task image:build`"),
    ("tilt up search", "run_command", "", "Start it with tilt up search"),
    ("ruff check .", "lint_command", "", "lint it with `ruff check .` please"),
    ("pytest -q", "test_command", "", "Run pytest -q please"),
    ("make test-fast", "test_command", "", "Just run make test-fast this time. Which command?"),
    (None, "build_command", "", "run `make test` and push"),
    (None, "run_command", "", "run `npm run lint` and push"),
    (None, "test_command", "", "Run the tests in verbose mode"),
    (None, "test_command", "", "Run the tests with the new fixture"),
    (None, "test_command", "api", "Run the api tests on the export fix. Which command?"),
    (None, "test_command", "", "run the tests with coverage"),
    (None, "test_command", "", "run the tests with the `slow` marker"),
    (None, "test_command", "", "Run `npm run lint` and then the tests. Which command?"),
    (None, "test_command", "", "is it ok to run the tests with `pytest -q`?"),
    (None, "test_command", "", "I usually run the tests with `pytest -q`"),
    (None, "test_command", "web", "Run the api tests with `make test-api`"),
    (None, "build_command", "", "Build the runner image with the new CA bundle. Which command?"),
    (None, "run_command", "", "Start the service so that I can click through the suggestions. What do you run?"),
]
TARGET = [
    ("release-7", "staging", "deploy staging from release-7"),
    ("release-7", "production", "Deploy release-7 to prod"),
    ("main", "production", "push main to production"),
    ("main", "staging", "Deploy the hotfix to staging from main"),
    ("release/2.1", "staging", "Deploy to staging from the `release/2.1` branch, please"),
    ("v1.4.2", "production", "deploy production from tag v1.4.2"),
    ("hotfix-9", "staging", "Deploy to staging. Use the branch hotfix-9."),
    ("feature/cart", "staging", "ship it to staging using feature/cart"),
    ("main", "staging", "take staging from main this time"),
    (None, "staging", "Deploy search-api to staging. Which branch?"),
    (None, "staging", "deploy staging with feature-flags on"),
    (None, "staging", "Push the fix to main and deploy to staging."),
    (None, "staging", "The fix is on main. Deploy it to staging."),
    (None, "production", "compare production with main and deploy"),
    (None, "staging", "A staging deploy please. Which branch does it go through?"),
    (None, "production", "Version 5.15 is approved. Roll it out to production. From which branch?"),
    (None, "production", "Roll 5.15 out to production. From which branch?"),
    (None, "production", "deploy SHOP-123 to production"),
    (None, "staging", "push it to spike-otel this time and deploy staging from there"),
    (None, "staging", "deploy the feature branch to staging"),
    (None, "staging", "deploy production from main"),
    (None, "staging", "yesterday I deployed staging from release-7, do it again"),
    (None, "staging", "don't deploy staging from release-7"),
    (None, "staging", "deploy staging from release-7 or main, whatever is right"),
]
PERSON = [
    ("Sam", "ask Sam to review"),
    ("sam", "have sam review it, then merge"),
    ("@acme/infra", "Open a PR and request a review from @acme/infra"),
    ("Sam", "open the PR, assign Sam as reviewer"),
    ("Sam Vimes", "Get Sam Vimes to look at it"),
    ("Sam", "Sam reviews this one, open the PR"),
    ("Priya", "open it with Priya as reviewer"),
    ("Hugo", "Ask Hugo for the review of the schema change."),
    ("Hugo", "Open a PR for the schema change and assign Hugo."),
    ("Hugo", "Send the schema PR to Hugo for review."),
    ("Hugo", "I'd like Hugo to review this one"),
    ("Hugo", "Hugo should review this"),
    (None, "Hugo wrote it. Who should review it?"),
    (None, "Hugo's comments are addressed, who reviews?"),
    (None, "Open a PR with the change. Who reviews terraform here?"),
    (None, "ask me to review"),
    (None, "have someone review it"),
    (None, "should we ask Sam to review?"),
    (None, "don't ask Sam to review"),
    (None, "Sam reviewed the last one, open a PR"),
    (None, "maybe ask Sam to review"),
]
PATH = [
    ("db/schema.sql", "Rename it everywhere but leave db/schema.sql alone"),
    ("db/schema.sql", "Fix the query without touching db/schema.sql"),
    ("gen/", "rename the field, don't touch gen/"),
    (None, "keep db/schema.sql in sync"),
    (None, "Rename the column in db/schema.sql"),
    (None, "leave a comment in db/schema.sql"),
]
DEPLOY = "deploy staging from release-7"
MENTIONED = [
    f"explain this log:\n```\n{DEPLOY}\n```",
    f"what does this mean?\n{DEPLOY}",
    f"{DEPLOY}\nwhat does this mean?",
    f"Why does this fail?\n{DEPLOY}",
    f"summarise the following: {DEPLOY}",
    f"Sam said: {DEPLOY}",
    f"Sam said, {DEPLOY}",
    f"Sam: {DEPLOY}",
    f"{DEPLOY}, said Sam",
    f"the ticket says: {DEPLOY}",
    f'"{DEPLOY}" is in the README',
    f"`{DEPLOY}` stands in the readme",
    f"$ {DEPLOY}",
    f"2026-11-02 10:22:01 INFO {DEPLOY}",
    f"error: {DEPLOY} failed",
    f"[error] {DEPLOY}",
    f"Fix this error: {DEPLOY}",
    f"{DEPLOY} failed",
    f"{DEPLOY} is broken",
    f"{DEPLOY} was a mistake",
    f"TODO: {DEPLOY}",
    f"TODO:\n{DEPLOY}",
    f"The commit message: {DEPLOY}",
    f"undo: {DEPLOY}",
    f"{DEPLOY}, no wait, don't",
    f"{DEPLOY}. Scrap that.",
]
MEANT = [
    ("release-7", f"fix this error and then {DEPLOY}"),
    ("release-7", f"Task: {DEPLOY}"),
    ("release-7", f"please do this: {DEPLOY}"),
    ("release-7", f"- fix the typo\n- {DEPLOY}"),
    ("release-7", f"The build failed. Please {DEPLOY}"),
    ("release-7", f"{DEPLOY} because main is broken"),
    ("release-7", f"{DEPLOY} and check that it is up"),
    ("release-7", f"{DEPLOY}. The error:\n```\nboom\n```\nlooks unrelated"),
    ("release-7", f"Sorry, {DEPLOY}"),
    ("release-8", f"{DEPLOY}, no wait, from release-8"),
    ("release-8", f"{DEPLOY}. No wait, from release-8."),
    ("release-8", f"{DEPLOY}, sorry, I mean release-8"),
    ("release-8", f"{DEPLOY}, scrap that, deploy staging from release-8 please"),
]
OTHER_MENTIONS = [
    ("npm", "package_manager", "", "use yarn, no wait, use npm"),
    ("npm", "package_manager", "", "Use yarn. No wait, npm."),
    ("npm", "package_manager", "", "add zod with yarn, sorry, with npm"),
    ("yarn", "package_manager", "", "Fix this warning: unused import. Then add zod with yarn"),
    ("yarn", "package_manager", "", "Add zod with yarn. What is this error about?"),
    (None, "package_manager", "", "the mail from Sam: add zod with yarn"),
    (None, "package_manager", "", "output:\nadd zod with yarn"),
    (None, "test_command", "", "run the tests with pytest -q failed"),
    (None, "test_command", "", "run the tests with `pytest -q` failed"),
    (None, "lint_command", "", "warning: lint it with `ruff check .`"),
    (None, "reviewer", "", "ask Kim to review was bad advice"),
    ("Kim", "reviewer", "", "ask Kim to review the failed deploy"),
    ("Kim", "reviewer", "", "ask Sam to review, I mean Kim"),
    ("Sam", "reviewer", "", "Reviewer: Sam"),
    ("Sam", "reviewer", "", "Sam is reviewing this, open the PR"),
    (None, "do_not_edit", "", "Sam said: don't touch gen/"),
    ("gen/", "do_not_edit", "", "don't touch gen/, it is generated"),
    ("a table", "preference", "summaries", "Summarise this as a table"),
]
IDENTIFIER = [
    ("OPS-", "the jira key is OPS-, commit this"),
    ("OPS-12", "Commit it with the jira key OPS-12."),
    ("OPS-", "use `OPS-` as the jira key and commit"),
    (None, "Commit this, the ticket number is 4821. How does the full jira key look?"),
    (None, "is the jira key OPS-?"),
    (None, "I think the jira key is OPS-"),
]
STATEMENT = [
    ("a table", "preference", "summaries", "Summarise it as a table this time. Which format?"),
    ("three sentences", "preference", "summaries", "write the summary in three sentences"),
    (
        "the session cache is on valkey 9",
        "service_fact",
        "session cache",
        "the session cache is on valkey 9, update the doc",
    ),
    (None, "preference", "summaries", "Summarise what you did on the address form. Which format do you use for me?"),
    (None, "preference", "summaries", "give me the changelog as bullet points"),
    (None, "service_fact", "session cache", "the session cache is broken"),
    (None, "service_fact", "session cache", "Which version does the session cache run on? I need it for the docs."),
    (None, "service_fact", "session cache", "I thought the session cache is on valkey 9"),
]

CASES = [
    *[(value, "package_manager", subject, request) for value, subject, request in MANAGER],
    *COMMAND,
    *[(value, "deploy_target", subject, request) for value, subject, request in TARGET],
    *[(value, "reviewer", "terraform", request) for value, request in PERSON],
    *[(value, "do_not_edit", "", request) for value, request in PATH],
    *[(value, "identifier", "jira key", request) for value, request in IDENTIFIER],
    *STATEMENT,
    *[(None, "deploy_target", "staging", request) for request in MENTIONED],
    *[(value, "deploy_target", "staging", request) for value, request in MEANT],
    *OTHER_MENTIONS,
]


@pytest.mark.parametrize(("expected", "type_name", "subject", "request_text"), CASES)
def test_what_a_request_states(expected: str | None, type_name: str, subject: str, request_text: str) -> None:
    assert expected == stated_value(load_policy().types[type_name], subject, request_text)


@pytest.mark.parametrize(
    "said", ["deploy the add use with run ask ", "pr review assign Sam ", "i want with yarn ", "a/b-c.d "]
)
def test_long_hostile_requests_are_answered(said: str) -> None:
    """One sentence of more than a hundred thousand characters states nothing, and neither do many short ones hang."""
    for fact_type in load_policy().types.values():
        assert stated_value(fact_type, "jira key", said * 6000) is None
        stated_value(fact_type, "jira key", (said * 40 + ".\n") * 20)
