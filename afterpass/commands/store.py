"""``afterpass store``: is it sound, and how does it get elsewhere."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass import output
from afterpass.context import settings_of, wants_json
from afterpass.exits import Exit
from policy.errors import UsageError

if TYPE_CHECKING:
    from store.store import Store

ACTIONS = ("verify", "backup", "export", "import", "copy", "upkeep", "compact")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, from where and to where."""
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("places", nargs="*", metavar="PLACE", help="the file, folder, home or postgresql:// address")
    parser.add_argument("--format", choices=["jsonl", "parquet"], default="jsonl", help="with export")
    parser.add_argument("--dry-run", action="store_true", help="with upkeep: only say what is due")


def run(args: argparse.Namespace) -> Exit:
    """Verify, back up, export, import, copy, keep up or compact."""
    from store.store import Store

    settings = settings_of(args)
    store = Store(settings.home, url=settings.store)
    if args.action == "verify":
        return _verify(args, store)
    _report(args, _done(args, store))
    return Exit.OK


def _done(args: argparse.Namespace, store: Store) -> Any:
    if args.action == "backup":
        return {"backup": str(store.backup(Path(_place(args, 1)[0])))}
    if args.action == "export":
        return store.export(Path(_place(args, 1)[0]), args.format)
    if args.action == "import":
        return store.import_from(Path(_place(args, 1)[0]))
    if args.action == "copy":
        source, target = _place(args, 2)
        return _store_at(source).copy_to(_store_at(target))
    if args.action == "upkeep":
        return store.upkeep(now=datetime.now(UTC), dry_run=args.dry_run).to_json()
    store.compact()
    return {"compacted": store.where}


def _place(args: argparse.Namespace, count: int) -> list[str]:
    if len(args.places) != count:
        raise UsageError(f"store {args.action} takes {count} place{'s' if count > 1 else ''}")
    return list(args.places)


def _store_at(place: str) -> Store:
    """A home folder, or a server's address."""
    from store.store import Store

    if place.startswith(("postgresql://", "postgres://")):
        return Store(Path(), url=place)
    return Store(Path(place))


def _verify(args: argparse.Namespace, store: Store) -> Exit:
    with store.connect() as db:
        problems = db.verify()
    if wants_json(args):
        output.write_json([problem.to_json() for problem in problems])
    elif problems:
        for problem in problems:
            output.write_line(f"{problem.id}: {problem.says} ({problem.rule})")
    else:
        output.write_line(f"{store.where}: every rule holds")
    return Exit.FAILED if problems else Exit.OK


def _report(args: argparse.Namespace, done: Any) -> None:
    if wants_json(args):
        output.write_json(done)
        return
    for name, what in done.items():
        shown = ", ".join(f"{key} {value}" for key, value in what.items()) if isinstance(what, dict) else what
        output.write_line(f"{name}: {shown}")
