"""What is remembered for a place: from the snapshots, or from the store where one is missing."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from afterpass.recall.memory import Memory, Pending, Remembered
from store.snapshot import DATABASE, Owner, path_of, read_snapshot

if TYPE_CHECKING:
    from afterpass.arrival.place import Place
    from policy.settings import Settings


def owners_of(place: Place) -> list[Owner]:
    """Whose snapshots a place reads: the repository's, and the developer's where one is known."""
    return [("repo", place.repo), *([("developer", place.developer)] if place.developer else [])]


def snapshot_files(home: str, place: Place) -> list[str]:
    """The snapshots' files."""
    return [path_of(home, owner) for owner in owners_of(place)]


def from_snapshots(home: str, place: Place) -> Memory | None:
    """The memory, or None where a snapshot is missing."""
    facts: list[Remembered] = []
    pending: list[Pending] = []
    for owner in owners_of(place):
        found = read_snapshot(home, owner)
        if found is None:
            return None
        facts += [_fact(owner[1], row) for row in found["facts"]]
        pending += [_pending(owner[1], row) for row in found["reviews"]]
    return Memory(tuple(facts), tuple(pending))


def remembered_at(settings: Settings, repo: str, developer: str | None) -> Memory:
    """The memory of a repository and a developer for whoever has the time. Empty where no store exists yet.

    Raises StoreError.
    """
    from afterpass.arrival.place import Place
    from afterpass.recall.reading import LOCK_SECONDS

    place = Place("", repo, developer)
    if settings.store is None:
        found = from_snapshots(str(settings.home), place)
        if found is not None or not (settings.home / DATABASE).exists():
            return found or Memory()
    return from_store(settings, place, LOCK_SECONDS)


def from_store(settings: Settings, place: Place, patience: float) -> Memory:
    """The memory as the store holds it; the snapshots that were missing are written by the way.

    ``patience`` is how many seconds another process's hold on the store is waited for. Raises StoreError.
    """
    from afterpass.recall.memory import pending, remembered
    from store.store import Store

    with Store(settings.home, url=settings.store, lock_timeout=patience).connect() as db:
        facts = db.facts(repo=place.repo, developer=place.developer)
        items = db.open_reviews(place.repo, place.developer)
        db.sql.snapshots.want(owners_of(place))
    return Memory(tuple(map(remembered, facts)), tuple(pending(item) for item in items if not item.stale))


def _fact(owner: str, row: list[Any]) -> Remembered:
    fact_id, type_name, subject, value, stated, confirmed, until, times, said_by = row
    return Remembered(
        owner,
        type_name,
        subject,
        value,
        datetime.fromisoformat(stated),
        _moment(confirmed),
        _day(until),
        fact_id,
        times,
        said_by,
    )


def _pending(owner: str, row: list[Any]) -> Pending:
    item_id, kind, type_name, subject, current, proposed, until, stated, by_files = row
    return Pending(kind, owner, type_name, subject, current, proposed, _day(until), _moment(stated), item_id, by_files)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
