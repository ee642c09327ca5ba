"""One open store: the nouns' parts put together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from store.batches import BatchesOf
from store.deciding import DecidingOf
from store.history import HistoryOf
from store.landing import LandingOf
from store.log import LogOf
from store.measures import MeasuresOf
from store.notes import NotesOf
from store.readback import ReadbackOf
from store.sql import Sql
from store.upkeep import UpkeepOf
from store.verify import VerifyOf

if TYPE_CHECKING:
    from store.interface import Database


class OpenStore(
    LogOf, LandingOf, BatchesOf, HistoryOf, DecidingOf, NotesOf, ReadbackOf, MeasuresOf, UpkeepOf, VerifyOf
):
    """What :meth:`store.store.Store.connect` gives; see :class:`store.interface.Database`."""

    def __init__(self, sql: Sql, home: Path, path: Path | None) -> None:
        self.sql = sql
        self.home = home
        self.path = path


if TYPE_CHECKING:

    def _is_a_database(store: OpenStore) -> Database:
        return store
