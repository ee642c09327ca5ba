"""``afterpass serve``: keep the schedules until it is stopped."""

from __future__ import annotations

import argparse
import signal

from afterpass import output
from afterpass.context import settings_of
from afterpass.exits import Exit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing of its own: the extractor comes from the settings."""


def run(args: argparse.Namespace) -> Exit:
    """Run nightly, upkeep and weekly when they are due; Ctrl-C ends it."""
    from flows.schedules import serve

    signal.signal(signal.SIGINT, signal.default_int_handler)  # asyncio takes over no other one
    serve(settings_of(args), output.say)
    return Exit.OK
