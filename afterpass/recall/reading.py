"""Where reading back begins: which repository, which developer, and what the store holds for them."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

from afterpass.recall.memory import Memory, pending, remembered
from policy.errors import UsageError
from policy.people import person_key

if TYPE_CHECKING:
    from policy.settings import Settings

LOCK_SECONDS = 10
"""How long another process's hold on the store is waited for: somebody waits for this answer."""


def repository(given: str | None, directory: Path) -> str:
    """The owner key that is asked about: what was given (a key, a remote URL or a folder), else the directory's own."""
    from transcripts.owner import owner_key, repo_of

    if given is None:
        return repo_of(directory)
    given = given.strip()
    if not given:
        raise UsageError(
            "--repo is empty", "give one such as github.com/acme/webapp, or leave it out inside a repository"
        )
    if given.startswith((".", "~", "/")) and Path(given).expanduser().is_dir():
        return repo_of(Path(given))
    return owner_key(given)


def developer(given: str | None, settings: Settings, directory: Path) -> str | None:
    """Whose preferences are read: given, else configured, else git's e-mail in the directory; else nobody's."""
    from transcripts.owner import git_email

    return person_key(given) or settings.developer or person_key(git_email(directory)) or None


def read_of(
    settings: Settings, given: str | None, directory: Path, who: str | None, on: date | None = None
) -> tuple[str, Memory]:
    """The repository that is meant, and what is remembered of it: a transcript may name it just as it was given."""
    repo = repository(given, directory)
    memory = read_memory(settings, repo, who, on)
    as_given = (given or "").strip()
    if as_given not in {"", repo} and not any(fact.owner == repo for fact in memory.facts):
        exact = read_memory(settings, as_given, who, on)
        if any(fact.owner == as_given for fact in exact.facts):
            return as_given, exact
    return repo, memory


def read_memory(settings: Settings, repo: str, who: str | None, on: date | None = None) -> Memory:
    """The active facts and undecided items of a repository and a developer. Empty where no store exists yet.

    ``on`` leaves out what had not been said by the end of that day, in the local time zone.

    Raises StoreError: locked for longer than LOCK_SECONDS, damaged, or of a newer version.
    """
    from store.store import Store

    store = Store(settings.home, url=settings.store, lock_timeout=LOCK_SECONDS)
    if settings.store is None and not store.path.exists():
        return Memory()
    with store.connect() as db:
        facts = db.facts(repo=repo, developer=who)
        items = db.open_reviews(repo, who)
    memory = Memory(tuple(map(remembered, facts)), tuple(pending(item) for item in items if not item.stale))
    return memory if on is None else memory.said_by(datetime.combine(on, time.max).astimezone())
