"""A store on a PostgreSQL server, shared by a team. The team is part of the address, never of any input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from store.dialects import POSTGRES
from store.errors import StoreError, StoreUnreachable

OPTIONS = "-c TimeZone=UTC -c default_transaction_isolation=serializable"
CONNECT_SECONDS = 10


def split_url(url: str) -> tuple[str, str]:
    """The address without the team, and the team: ``postgresql://host/db?team=core``. No team is the empty one."""
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise StoreUnreachable(
            f"a store's address begins with postgresql://, not {parts.scheme or url[:20]!r}", "check AFTERPASS_STORE"
        )
    query = parse_qsl(parts.query, keep_blank_values=True)
    team = next((value for name, value in query if name == "team"), "")
    rest = urlencode([(name, value) for name, value in query if name != "team"])
    return urlunsplit(parts._replace(query=rest)), team


def shown(url: str) -> str:
    """The address without its password, for messages."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":…@", 1)))


@contextmanager
def connection(url: str) -> Iterator[Any]:
    """One connection, closed afterwards. Raises StoreUnreachable."""
    psycopg = _psycopg()
    address, _ = split_url(url)
    given = dict(parse_qsl(urlsplit(address).query)).get("options", "")
    try:
        opened = psycopg.connect(
            address,
            autocommit=True,
            row_factory=psycopg.rows.dict_row,
            connect_timeout=CONNECT_SECONDS,
            options=f"{OPTIONS} {given}".strip(),
        )
    except psycopg.Error as error:
        raise POSTGRES.named(error) or StoreError(f"{shown(address)}: {error}", "check AFTERPASS_STORE") from error
    with opened:
        yield opened


def vacuum(opened: Any) -> None:
    """Write every table anew, so that no erased row stays in the server's files."""
    for row in opened.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall():
        opened.execute(f'VACUUM FULL "{row["tablename"]}"')


def _psycopg() -> Any:
    try:
        import psycopg
        import psycopg.rows
    except ImportError as error:
        raise StoreUnreachable(
            "a shared store needs psycopg", "install it: pip install 'afterpass[postgres]'"
        ) from error
    return psycopg
