"""``python -m benchmarks [NAME …] [FOLDER …]``: measure, print the table, exit 1 when a limit does not hold.

A FOLDER holds a folder of transcripts for each format: they are read in place of the written ones.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from benchmarks.measure import Result

NAMES = ("processes", "recalling", "reading", "agents", "judging", "checks", "passes", "discovery", "storing", "memory")


def main(arguments: list[str]) -> int:
    """Run the named benchmarks, or all; where folders are given, read these."""
    folders = [Path(argument) for argument in arguments if Path(argument).is_dir()]
    names = [argument for argument in arguments if not Path(argument).is_dir()]
    results: list[Result] = []
    sys.stdout.write("| what | against | at most | measured | ours | |\n| --- | --- | --- | --- | --- | --- |\n")
    for name in names or (("reading",) if folders else NAMES):
        for result in importlib.import_module(f"benchmarks.{name}").results(*folders):
            results.append(result)
            mark = "" if result.holds else " **over**"
            row = (
                result.name,
                result.against,
                f"{result.limit:g} ×",
                f"{result.ratio:.2f} ×{mark}",
                f"{result.ours * 1e3:.2f} {result.unit}",
                result.note,
            )
            sys.stdout.write("| " + " | ".join(row) + " |\n")
            sys.stdout.flush()
    return 0 if all(result.holds for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
