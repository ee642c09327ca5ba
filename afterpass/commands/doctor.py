"""``afterpass doctor``: a diagnosis with remedies."""

from __future__ import annotations

import argparse

from afterpass import output
from afterpass.context import wants_json
from afterpass.doctor import Health, examine
from afterpass.exits import Exit
from policy.settings import usable_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing of its own."""


def run(args: argparse.Namespace) -> Exit:
    """Print every finding, also where the settings cannot all be used; 1 when one of them stops the pass."""
    findings = list(examine(*usable_settings(getattr(args, "home", None))))
    if wants_json(args):
        output.write_json(
            [{"what": f.what, "health": f.health.value, "detail": f.detail, "remedy": f.remedy} for f in findings]
        )
    else:
        for finding in findings:
            output.write_line(f"{finding.health.value:<5} {finding.what}: {finding.detail}")
            if finding.remedy:
                output.write_line(f"      → {finding.remedy}")
    return Exit.FAILED if any(f.health is Health.FAIL for f in findings) else Exit.OK
