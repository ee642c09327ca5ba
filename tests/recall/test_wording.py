"""Two wordings of one thing are one; a different thing is never taken for it."""

from __future__ import annotations

import pytest

from afterpass.recall.wording import EXACT, NAMED, NARROWED, NONE, SPOKEN, names_subject, same_subject, topic_fit
from policy.load import load_policy

TYPES = load_policy().types


@pytest.mark.parametrize(
    ("expected", "type_name", "one", "other"),
    [
        (True, "deploy_target", "prod", "production"),
        (True, "deploy_target", "the staging environment", "stage"),
        (True, "test_command", "api", "the api tests"),
        (True, "reviewer", "terraform changes", "Terraform"),
        (True, "service_fact", "session cache", "the session cache"),
        (True, "service_fact", "payment service", "payments"),
        (True, "service_fact", "ledger db", "ledger database"),
        (True, "identifier", "jira key", "jira prefix"),
        (False, "deploy_target", "staging", "production"),
        (False, "test_command", "api", "web"),
        (False, "test_command", "api", ""),
        (False, "service_fact", "session cache", "session store"),
        (False, "service_fact", "search service", "search cluster"),
        (False, "identifier", "jira key", "stripe key"),
        (False, "reviewer", "payments", "payouts"),
    ],
)
def test_same_subject(expected: bool, type_name: str, one: str, other: str) -> None:
    assert expected == same_subject(TYPES[type_name], one, other)
    assert expected == same_subject(TYPES[type_name], other, one)


@pytest.mark.parametrize(
    ("expected", "asked", "request_text", "subject", "value"),
    [
        (EXACT, "summaries", "", "summaries", "one short paragraph"),
        (EXACT, "commit messages", "", "Commit message", "in the imperative"),
        (NARROWED, "titles", "", "pr titles", "start with the ticket"),
        (NARROWED, "pr titles", "", "titles", "start with the ticket"),
        (SPOKEN, "summaries", "", "format", "my summaries as bullet points"),
        (SPOKEN, "date library", "", "luxon", "luxon is our date library"),
        (NAMED, "date format", "which date format in the api responses?", "api format", "ISO 8601"),
        (NAMED, "", "how do you write commit messages here?", "commit messages", "imperative"),
        (NONE, "commit messages", "", "error messages", "end without a full stop"),
        (NONE, "date library", "which date library do we use?", "dates", "dates are stored in UTC"),
        (NONE, "api responses", "how long do api responses take?", "api", "versioned in the path"),
        (NONE, "summaries", "", "", "anything"),
    ],
)
def test_topic_fit(expected: int, asked: str, request_text: str, subject: str, value: str) -> None:
    assert expected == topic_fit(TYPES["code_style"], asked, request_text, subject, value)


@pytest.mark.parametrize(
    ("expected", "subject", "text"),
    [
        (True, "api", "Run the API tests"),
        (True, "session cache", "where does the session cache live?"),
        (False, "session cache", "the cache of the session"),
        (False, "api", "the capital of France"),
        (False, "", "anything"),
    ],
)
def test_names_subject(expected: bool, subject: str, text: str) -> None:
    assert expected == names_subject(subject, text)
