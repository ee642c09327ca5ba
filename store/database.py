"""One open store: the nouns' parts put together."""

from __future__ import annotations

from pathlib import Path

from store.ledger import LedgerOf
from store.sql import Sql


class OpenStore(LedgerOf):
    """What :meth:`store.store.Store.connect` gives; see :class:`store.interface.Database`."""

    def __init__(self, sql: Sql, path: Path) -> None:
        self.sql = sql
        self.path = path
