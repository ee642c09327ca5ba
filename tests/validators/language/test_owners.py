"""The forms of this repository's name, and other names that only look like it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from transcripts.session import Session
from validators.owners import names_this_repo


@pytest.mark.parametrize(
    ("expected", "repo", "name"),
    [
        (True, "github.com/acme/webapp", "webapp"),
        (True, "github.com/acme/webapp", "WebApp"),
        (True, "github.com/acme/webapp", "acme/webapp"),
        (True, "github.com/acme/webapp", "github.com/acme/webapp"),
        (True, "github.com/acme/webapp", "https://github.com/acme/webapp.git"),
        (True, "github.com/acme/webapp", "git@github.com:acme/webapp.git"),
        (True, "github.com/acme/webapp", "the webapp repo"),
        (True, "github.com/acme/webapp", "/src/shop"),
        (True, "github.com/acme/webapp", "shop"),
        (True, "github.com/northwind/orders-api", "api"),
        (True, "github.com/northwind/orders-api", "orders api"),
        (True, "github.com/northwind/orders-api", "the orders repository"),
        (True, "github.com/acme/docs-site", "docs"),
        (True, "github.com/acme/docs_site", "doc"),
        (False, "github.com/acme/webapp", "mobile"),
        (False, "github.com/acme/webapp", "acme/mobile"),
        (False, "github.com/acme/webapp", "other/webapp"),
        (False, "github.com/acme/webapp", "https://gitlab.com/other/webapp"),
        (False, "github.com/acme/webapp", "app"),
        (False, "github.com/northwind/orders-api", "inventory api"),
        (False, "github.com/northwind/orders-api", "inventory-api"),
        (False, "github.com/acme/webapp", ""),
        (False, "github.com/acme/webapp", "the repo"),
    ],
)
def test_names(expected: bool, repo: str, name: str, session_of: Callable[..., Session]) -> None:
    session = replace(session_of("hi"), repo=repo, cwd="/src/shop")
    assert expected is names_this_repo(session, name)
