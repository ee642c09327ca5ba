"""``afterpass replay``: what would today's rules make of the candidates in the log?"""

from __future__ import annotations

import argparse

from afterpass import output
from afterpass.context import database, settings_of, wants_json
from afterpass.exits import Exit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Other rules than the configured ones, to try them."""
    parser.add_argument("--policy", metavar="FILE", help="judge under this policy file (default: the one in force)")


def run(args: argparse.Namespace) -> Exit:
    """Judge again, print what would change, change nothing."""
    from afterpass.replay import replay
    from policy.load import load_policy

    settings = settings_of(args, "policy")
    policy = load_policy(settings.policy)
    with database(settings) as db:
        result = replay(db, policy)
    if wants_json(args):
        changes = [change.to_json() for change in result.changes]
        output.write_json({"judged": result.judged, "changes": changes, "unreadable": list(result.unreadable)})
        return Exit.OK
    if result.changes:
        columns = ("candidate", "session", "slot", "value", "was", "would be", "why")
        rows = [
            (
                c.candidate,
                c.session,
                output.slot(c.type, c.subject),
                c.value,
                "/".join(c.before),
                "/".join(c.after),
                c.detail,
            )
            for c in result.changes
        ]
        output.write_table("", columns, rows)
    output.say(f"{result.judged} candidates judged again, {len(result.changes)} would fare differently")
    for key in result.unreadable:
        output.say(f"{key}: neither its transcript nor its kept turns are there any more")
    return Exit.OK
