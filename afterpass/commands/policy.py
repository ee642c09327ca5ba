"""``afterpass policy``: the fact types in force, and what the store's own history suggests for their trust windows."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from afterpass import output
from afterpass.context import database, settings_of, wants_json
from afterpass.exits import Exit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Show or suggest."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=["show", "suggest"],
        default="show",
        help="the types in force (default), or trust windows measured on this store",
    )


def run(args: argparse.Namespace) -> Exit:
    """Print the types, or measured change rates beside them."""
    from policy.load import load_policy

    settings = settings_of(args)
    types = load_policy(settings.policy).types
    shown: list[dict[str, object]]
    if args.action == "show":
        shown = [
            {
                "type": t.name,
                "scope": t.scope,
                "stakes": t.stakes,
                "trust_days": t.trust_days,
                "past_trust": t.past_trust,
            }
            for t in types.values()
        ]
    else:
        with database(settings) as db:
            rates = db.change_rates(now=datetime.now(UTC))
        shown = [
            {
                "type": rate.type,
                "slots": rate.slots,
                "changes": rate.changes,
                "median_days_held": rate.median_days_held,
                "trust_days": types[rate.type].trust_days if rate.type in types else None,
                "suggested_trust_days": rate.suggested_trust_days,
            }
            for rate in rates
        ]
    if wants_json(args):
        output.write_json(shown)
    elif shown:
        rows = [["" if value is None else str(value) for value in row.values()] for row in shown]
        output.write_table("", list(shown[0]), rows)
    else:
        output.say("no fact has changed yet: there is nothing to measure")
    return Exit.OK
