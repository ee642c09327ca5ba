"""``afterpass install AGENT``: let an agent call the hooks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.context import wants_json
from afterpass.exits import Exit

if TYPE_CHECKING:
    from afterpass.install import Change

AGENTS = ("claude-code", "codex", "gemini-cli")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The agent, and whether only to show."""
    parser.add_argument("agent", choices=AGENTS, metavar="AGENT", help=f"whose settings: {', '.join(AGENTS)}")
    parser.add_argument("--dry-run", action="store_true", help="show the change, make none")


def run(args: argparse.Namespace) -> Exit:
    """Edit the agent's settings file; a second time changes nothing."""
    from afterpass.install import install

    return report(args, install(args.agent, dry_run=args.dry_run, home=getattr(args, "home", None)))


def report(args: argparse.Namespace, change: Change) -> Exit:
    """What was, or would be, changed."""
    if wants_json(args):
        output.write_json(change.to_json())
        return Exit.OK
    if not change.changed:
        output.write_line(f"{change.path} is as it should be already")
    elif change.dry_run:
        output.write_line(change.diff().rstrip("\n"))
    else:
        output.write_line(f"{change.path} changed" + (f", the old one is {change.backup}" if change.backup else ""))
    if change.note:
        output.say(change.note)
    return Exit.OK
