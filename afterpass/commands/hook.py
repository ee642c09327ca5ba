"""``afterpass hook``: the declaration for ``--help``; the work is in :mod:`afterpass.hook`."""

from __future__ import annotations

import argparse

from afterpass.exits import Exit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What an agent's hook calls it with."""
    parser.add_argument(
        "payload", nargs="?", help="the payload, where the agent gives it as an argument (Codex notify)"
    )
    parser.add_argument("--record-only", action="store_true", help="record the session, start no pass")


def run(args: argparse.Namespace) -> Exit:
    """Record; a call that reaches this point came with global options in an unusual order."""
    import os

    from afterpass.hook import run_hook
    from policy.home import home_dir

    home = home_dir(os.environ, str(args.home) if getattr(args, "home", None) else None)
    run_hook(home, args.payload, record_only=args.record_only)
    return Exit.OK
