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

ACTIONS = {
    "verify": ("", "does every rule hold that the tables must keep?"),
    "backup": ("FILE", "a copy of the database in a new file"),
    "export": ("FOLDER", "every table as JSON Lines or Parquet, in a new folder"),
    "import": ("FOLDER", "what an export wrote, into an empty store"),
    "copy": ("FROM TO", "all rows from one store into an empty one: a home folder or a postgresql:// address each"),
    "upkeep": ("", "end dated rules, archive, erase what is due; the schedules do this by themselves"),
    "compact": ("", "write the file anew, so that nothing erased stays in it"),
}
"""Each action's places, and what it does."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, from where and to where."""
    calls = {name: f"{name} {places}".rstrip() for name, (places, _) in ACTIONS.items()}
    parser.description = "\n".join(
        ["The database.", "", *(f"  {calls[name]:<15}{what}" for name, (_, what) in ACTIONS.items())]
    )
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help="one of the above")
    parser.add_argument("places", nargs="*", metavar="PLACE", help="where to or from, as above")
    parser.add_argument("--format", choices=["jsonl", "parquet"], default="jsonl", help="with export")
    parser.add_argument("--dry-run", action="store_true", help="with upkeep: only say what is due")


def run(args: argparse.Namespace) -> Exit:
    """Verify, back up, export, import, copy, keep up or compact."""
    from store.store import Store

    _check_places(args)
    settings = settings_of(args)
    store = Store(settings.home, url=settings.store)
    if args.action == "verify":
        return _verify(args, store)
    _report(args, _done(args, store))
    return Exit.OK


def _done(args: argparse.Namespace, store: Store) -> Any:
    if args.action == "backup":
        return {"backup": str(store.backup(Path(args.places[0])))}
    if args.action == "export":
        return store.export(Path(args.places[0]), args.format)
    if args.action == "import":
        return store.import_from(Path(args.places[0]))
    if args.action == "copy":
        source, target = args.places
        return _store_at(source).copy_to(_store_at(target))
    if args.action == "upkeep":
        return store.upkeep(now=datetime.now(UTC), dry_run=args.dry_run).to_json()
    store.compact()
    return {"compacted": store.where}


def _check_places(args: argparse.Namespace) -> None:
    wanted = ACTIONS[args.action][0]
    if len(args.places) != len(wanted.split()):
        raise UsageError(
            f"store {args.action} takes {wanted or 'no place'}",
            f"`{f'afterpass store {args.action} {wanted}'.rstrip()}`",
        )


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
