"""A SESSION argument: a transcript's path, or a session of the store."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from policy.errors import AfterpassError
from transcripts.session import Session, Skipped

if TYPE_CHECKING:
    from store.interface import Database
    from store.records import LedgerRow


def load_session(name: str, args: argparse.Namespace) -> Session:
    """The session behind a path or a name in the store, also one that a pass would skip. Raises AfterpassError."""
    from transcripts.registry import read_all, read_transcript

    path, session = _place_of(name, args)
    read = read_transcript(path) if session is None else next(read_all(path, only=session), None)
    if read is None:
        raise AfterpassError(f"{path} no longer holds {name}", f"`afterpass explain {name}` shows what was kept of it")
    if isinstance(read, Skipped) and read.session is not None:
        return read.session
    if isinstance(read, Skipped):
        raise AfterpassError(
            f"{read.path} holds no session, {read.code}: {read.reason}",
            "docs/transcripts.md says what is read of which agent",
        )
    return read


def recorded(db: Database, name: str) -> LedgerRow | None:
    """The session of the store with this key, id, path, candidate, or beginning of one; None where there is none.

    Raises AmbiguousId for a beginning that fits several.
    """
    row = db.ledger(name)
    if row is None and name:
        row = db.ledger(str(Path(name).expanduser().resolve()))
    if row is not None or not name:
        return row
    found = [row for row in db.sessions() if row.key.startswith(name) or (row.native_id or "").startswith(name)]
    if not found and name.startswith("c_"):
        keys = {candidate.session_key for candidate in db.rejected() if candidate.id.startswith(name)}
        found = [row for row in db.sessions() if row.key in keys]
    if len(found) > 1:
        from store.errors import AmbiguousId

        shown = ", ".join(row.key for row in found[:5]) + (", …" if len(found) > 5 else "")
        raise AmbiguousId(f"{name!r} begins the names of {len(found)} sessions", f"give more of it: {shown}")
    return found[0] if found else None


def _place_of(name: str, args: argparse.Namespace) -> tuple[Path, str | None]:
    """The transcript, and for a session of the store its own id: a file may hold several."""
    path = Path(name).expanduser()
    if path.exists():
        return path, None
    from afterpass.context import settings_of

    settings = settings_of(args)
    if settings.store is None and not (settings.home / "afterpass.duckdb").exists():
        raise AfterpassError(f"{name}: no such file, and nothing is in the store", "give a transcript's path")
    from afterpass.context import database

    with database(settings) as db:
        row = recorded(db, name)
    if row is None:
        raise AfterpassError(
            f"{name}: neither a file nor a session of the store", "`afterpass status --sessions` lists these"
        )
    stored = Path(row.path)
    if not stored.exists():
        raise AfterpassError(
            f"the transcript {stored} is gone", f"`afterpass explain {name}` shows what was kept of it"
        )
    return stored, row.native_id
