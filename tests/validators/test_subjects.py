"""Which slot a sentence is about."""

from __future__ import annotations

import pytest

from policy.load import load_policy
from validators.subjects import final_subject, topic

TYPES = load_policy().types


def subject(of: str, sentence: str, *, given: str = "", value: str = "", known: tuple[str, ...] = ()) -> str:
    return final_subject(TYPES[of], given, sentence=sentence, quote=sentence, value=value, known=known)


@pytest.mark.parametrize(
    ("of", "given", "expected"),
    [
        ("deploy_target", "Prod", "production"),
        ("deploy_target", "`staging`", "staging"),
        ("package_manager", "JS", "javascript"),
        ("reviewer", " Billing ", "billing"),
        ("do_not_edit", "anything", ""),
        ("package_manager", "", ""),
        ("code_style", "Naming", "naming"),
    ],
)
def test_a_given_subject_is_taken_under_its_canonical_name(of: str, given: str, expected: str) -> None:
    assert expected == subject(of, "whatever", given=given)


@pytest.mark.parametrize(
    ("of", "given", "known", "expected"),
    [
        ("reviewer", "the billing service", ("billing",), "billing"),
        ("reviewer", "migration", ("migrations", "search"), "migrations"),
        ("test_command", "tests for api", ("api", "web"), "api"),
        ("service_fact", "Ledger Database", ("ledger database",), "ledger database"),
        ("reviewer", "billing ui", ("billing",), "billing ui"),
        ("reviewer", "service", ("billing service", "search service"), "service"),
        ("reviewer", "api", ("the api", "api package"), "api"),  # two could be meant: it stays what it is
    ],
)
def test_a_given_subject_that_plainly_means_a_known_one_finds_it(
    of: str, given: str, known: tuple[str, ...], expected: str
) -> None:
    assert expected == subject(of, "whatever", given=given, known=known)


@pytest.mark.parametrize(
    ("sentence", "value", "expected"),
    [
        ("reviews for billing always go to Priya", "Priya", "billing"),
        ("billing reviews go to Priya", "Priya", "billing"),
        ("Priya reviews billing", "Priya", "billing"),
        ("anything in src/pay needs a look from Priya", "Priya", "src/pay"),
        ("for the importer, ask Kenji", "Kenji", "importer"),
        ("who reviews auth? it's Noor", "Noor", "auth"),
        ("changes to the search index go to Malik", "Malik", "search index"),
        ("the reviewer for docs is Lena", "Lena", "docs"),
        ("always ask Noor about auth changes", "Noor", "auth"),
        ("docs: reviews always go to Lena", "Lena", "docs"),
        ("auth reviews? always Noor", "Noor", "auth"),
        ("reviews on search are always Malik's", "Malik", "search"),
        ("Mia owns the design system", "Mia", "design system"),
        ("from now on ask Noor for reviews", "Noor", ""),
        ("ping Tom for reviews, always", "Tom", ""),
        ("it always goes to Tom", "Tom", ""),
        ("all reviews go to Priya", "Priya", ""),
        ("reviews for billing and search go to Priya", "Priya", ""),
    ],
)
def test_the_area_of_a_reviewer_is_read_from_the_sentence(sentence: str, value: str, expected: str) -> None:
    assert expected == subject("reviewer", sentence, value=value)


@pytest.mark.parametrize(
    ("sentence", "value", "expected"),
    [
        ("staging moved to preview", "preview", "staging"),
        ("prod always deploys from main", "main", "production"),
        ("we deploy staging from dev-2", "dev-2", "staging"),
        ("qa deploys from the branch qa-main", "qa-main", "qa"),
        ("uat is always sales-box", "sales-box", "uat"),
        ("always push live from release/x", "release/x", "production"),
        ("it is always main", "main", ""),
        ("deploys always go to the branch gold", "gold", ""),
        ("staging and production always deploy from apogee", "apogee", ""),
        ("the fixtures live in test/x, staging goes to y", "y", "staging"),
        ("the tag job deploys staging from rc", "rc", "staging"),
    ],
)
def test_the_environment_of_a_target_is_read_from_the_sentence(sentence: str, value: str, expected: str) -> None:
    assert expected == subject("deploy_target", sentence, value=value)


@pytest.mark.parametrize(
    ("of", "sentence", "value", "expected"),
    [
        ("identifier", "our ticket prefix is always FLD", "FLD", "ticket prefix"),
        ("identifier", "the jira key is SHOP-", "SHOP-", "jira key"),
        ("service_fact", "the session cache runs redis 6.2", "the session cache runs redis 6.2", "session cache"),
        ("service_fact", "it runs on redis", "it runs on redis", ""),
    ],
)
def test_other_required_subjects_are_read_from_the_sentence(of: str, sentence: str, value: str, expected: str) -> None:
    assert expected == subject(of, sentence, value=value)


@pytest.mark.parametrize(
    ("sentence", "value", "expected"),
    [
        ("in the api package we use uv", "uv", "api"),
        ("tests in the web app run with `vitest`", "vitest", "web"),
        ("we use uv", "uv", ""),
        ("in the docs package we use npm, everywhere else pnpm", "npm", "docs"),
        ("in the docs package we use npm, everywhere else pnpm", "pnpm", ""),
        ("in the whole repo we use uv", "uv", ""),
        ("in the same package we use uv", "uv", ""),
    ],
)
def test_a_part_of_the_project_is_a_subject_where_it_is_named_as_one(sentence: str, value: str, expected: str) -> None:
    assert expected == subject("package_manager", sentence, value=value)


def test_a_part_counts_also_where_the_quote_leaves_it_out() -> None:
    """A quote of the command alone makes no rule of it for the whole project."""
    said = "in the web package we run tests with `pnpm test:web`"
    quote, value = "run tests with `pnpm test:web`", "pnpm test:web"
    assert "web" == final_subject(TYPES["test_command"], "", sentence=said, quote=quote, value=value)


def test_a_known_subject_that_the_sentence_names_is_taken() -> None:
    assert "importer" == subject(
        "reviewer", "Kenji has the last word on the importer", value="Kenji", known=("importer", "auth")
    )
    assert "" == subject("reviewer", "Kenji knows auth and the importer", value="Kenji", known=("importer", "auth"))


def test_a_statement_without_a_topic_gets_one_from_its_own_words() -> None:
    assert "errors wrapped swallowed" == topic("errors are always wrapped, never swallowed")
    assert topic("Errors are wrapped.") == topic("errors are *wrapped*")
    assert "summaries" == subject("preference", "x", value="summaries as one short paragraph", known=("summaries",))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("For the uploader, tests are always run with `deno test`", "uploader"),
        ("btw, in the worker, run `deno test` first", "worker"),
        ("for the record, tests run with `deno test`", ""),
        ("for the whole project, tests run with `deno test`", ""),
        ("in the end, we run `deno test`", ""),
        ("for the uploader, ask sam; tests run with `deno test`", ""),
    ],
)
def test_the_part_that_a_sentence_begins_with_is_what_its_command_is_for(sentence: str, expected: str) -> None:
    assert expected == subject("test_command", sentence, value="deno test")
