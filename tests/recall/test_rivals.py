"""Statements that cannot both hold, and statements that merely share words: worked out by hand."""

from __future__ import annotations

import pytest

from afterpass.recall.rivals import clash

RIVALS = [
    ("always use single quotes", "from now on we use double quotes everywhere"),
    ("we indent with tabs", "we use two spaces for indentation"),
    ("we use tabs", "we use two spaces for indentation"),
    ("we use 2 spaces for indentation", "we use 4 spaces for indentation"),
    ("we decided to use REST for the public api", "we decided to use GraphQL for the public api"),
    ("the redis cache lives in eu-west-1", "the cache lives in us-east-1 now"),
    ("the search service runs on port 9200", "the search service runs on port 9300 now"),
    ("the session cache runs redis 7", "the session cache runs redis 8"),
    ("we write commit messages in the imperative mood", "we write commit messages in the past tense"),
    ("we use luxon for dates", "dates use date-fns, it is smaller"),
    ("run the tests with pytest", "tests use vitest"),
    ("never use default exports", "from now on we use default exports everywhere"),
    ("always use default exports", "always use named exports"),
    ("imports are absolute", "imports are relative"),
    ("the queue is hosted on fly", "the queue is hosted on heroku"),
]
BOTH_HOLD = [
    ("tests use pytest", "tests live in tests/"),
    ("tests use pytest", "tests use fixtures"),
    ("tests are named after behaviour", "tests are small"),
    ("the session cache runs redis 7", "the session cache runs on port 6379"),
    ("the search service runs on port 9200", "the search service runs on kubernetes"),
    ("the search service runs on port 9200", "the mail service runs on port 9300"),
    ("the session cache lives in eu-west-1", "the page cache lives in us-east-1"),
    ("use single quotes in python", "use single quotes in typescript"),
    ("use single quotes", "use double quotes in jsx"),
    ("use small functions", "use pure functions"),
    ("use pytest", "use ruff"),
    ("we use luxon for dates", "we use zod for validation"),
    ("we use REST for the public api", "we use GraphQL for the internal api"),
    ("always use single quotes", "we use single quotes everywhere"),
    ("the session cache runs redis", "the session cache runs redis 7"),
    ("search runs on port 9200 in staging", "search runs on port 9300 in production"),
    ("use tabs if the file has tabs", "we use two spaces for indentation"),
    ("never use default exports", "never use named exports"),
    ("never use tabs", "we use two spaces for indentation"),
    ("the api needs redis", "the api needs node 22"),
    ("statement number 3 about topic 3", "statement number 4 about topic 4"),
]


@pytest.mark.parametrize(("one", "other"), RIVALS)
def test_different_values_of_the_same_thing_are_rivals(one: str, other: str) -> None:
    assert clash(one, other)
    assert clash(other, one)


@pytest.mark.parametrize(("one", "other"), BOTH_HOLD)
def test_statements_that_share_words_both_hold(one: str, other: str) -> None:
    assert not clash(one, other)
    assert not clash(other, one)
