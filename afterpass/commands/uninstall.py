"""``afterpass uninstall AGENT``: take the hooks out of an agent's settings again."""

from __future__ import annotations

import argparse

from afterpass.commands import install
from afterpass.exits import Exit

add_arguments = install.add_arguments


def run(args: argparse.Namespace) -> Exit:
    """Edit the agent's settings file; everything else in it stays."""
    from afterpass.install import uninstall

    return install.report(args, uninstall(args.agent, dry_run=args.dry_run))
