"""What can go wrong in the store, each with the next thing to try."""

# ruff: noqa: N818 - these name what happened, and callers read `except StaleReview` as a sentence

from __future__ import annotations

from policy.errors import AfterpassError


class StoreError(AfterpassError):
    """The base of the store's failures."""


class StoreLocked(StoreError):
    """Another process held the database for longer than the bounded wait."""


class StoreTooNew(StoreError):
    """The database was written by a newer version, whose schema this one does not know."""


class StoreDamaged(StoreError):
    """The file is not a database of ours, or its content cannot be read."""


class StoreUnwritable(StoreError):
    """The home folder or the database cannot be written: rights, a full disk, a read-only file system."""


class StoreUnreachable(StoreError):
    """The server of a shared store does not answer, or the address is not one."""


class NotFound(StoreError):
    """No fact, review item or session has this id."""


class AmbiguousId(StoreError):
    """The beginning of an id that was given fits several."""


class StaleDecision(StoreError):
    """A slot changed between reading the known facts and landing. Read them again, judge again, land again."""


class LeaseLost(StoreError):
    """The session was claimed by another worker after this one's lease ran out; nothing of this landing was kept."""


class Conflict(StoreError):
    """A row no longer has the state that a change expected; nothing was changed."""


class AlreadyDecided(StoreError):
    """The review item was accepted, refused or expired before."""


class NotDecided(StoreError):
    """There is no decision to undo."""


class StaleReview(StoreError):
    """The fact that a review item was made against has changed since; the item is shown, never applied."""


class SlotChanged(StoreError):
    """An undo is refused, because its slot has changed since the decision."""


class ValueNeeded(StoreError):
    """Accepting needs to be told which value is meant."""
