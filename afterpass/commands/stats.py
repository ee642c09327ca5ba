"""``afterpass stats``: what came of reading back, type by type."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from afterpass import output
from afterpass.context import database, parse_moment, settings_of, wants_json
from afterpass.exits import Exit

if TYPE_CHECKING:
    from store.measures import Measures, TypeMeasures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Since when, and of which repository."""
    parser.add_argument("--since", metavar="DATE", help="count from then on: a date, or words such as '2 weeks ago'")
    parser.add_argument("--repo", help="of one repository, such as github.com/acme/webapp")


def run(args: argparse.Namespace) -> Exit:
    """Take in what was read back since, and print the measures."""
    since = parse_moment(args.since, "--since") if args.since else None
    with database(settings_of(args)) as db:
        db.take_recalls(now=datetime.now(UTC))
        found = db.measures(since=since, repo=args.repo)
    if wants_json(args):
        output.write_json(found.to_json())
        return Exit.OK
    if not found.recalls:
        output.say("nothing was read back yet: `afterpass install` lets an agent's sessions ask")
        if not found.total.missed:
            return Exit.OK  # without a recall, what an agent had to ask for is all that there is to count
    for label, value in _lines(found):
        output.write_line(f"{label:<18}{value}")
    output.write_line()
    columns = ["type", "told", "used", "loaded", "stale", "asked", "confirmed", "changed", "missed"]
    output.write_table("", columns, [_row(name, counts) for name, counts in found.types.items()])
    return Exit.OK


def _lines(found: Measures) -> list[tuple[str, str]]:
    told = found.to_json()
    return [
        *((f"recalls ({row['caller']})", _calls(row)) for row in found.recalls),
        ("used", _share(told, "use_rate", "used", "followed", "tellings of a fact whose session was read")),
        ("stale", _share(told, "stale_load_rate", "stale", "loaded", "facts loaded without a question")),
        ("confirmed", _share(told, "confirmation_rate", "confirmed", "answered", "answers to a question")),
        ("changed", _share(told, "change_rate", "changed", "answered", "answers to a question")),
        ("missed", _share(told, "missing_memory_rate", "missed", "sessions", "sessions, where an agent had to ask")),
    ]


def _calls(row: Any) -> str:
    speed = "" if row["ms_p50"] is None else f", p50 {row['ms_p50']} ms, p95 {row['ms_p95']} ms"
    return f"{row['times']}, {row['silent']} with nothing to tell, {row['tokens']} tokens{speed}"


def _share(told: dict[str, Any], rate: str, part: str, whole: str, of_what: str) -> str:
    share = "" if told[rate] is None else f" ({told[rate]:.0%})"
    return f"{told[part]} of {told[whole]}{share} {of_what}"


def _row(name: str, counts: TypeMeasures) -> list[str]:
    used = f"{counts.used} of {counts.followed}"
    rest = (counts.loaded, counts.stale, counts.asked, counts.confirmed, counts.changed, counts.missed)
    return [name, str(counts.told), used, *map(str, rest)]
