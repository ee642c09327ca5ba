"""``afterpass run [PATH …]``: the pass, now."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.context import parse_moment, settings_of, wants_json
from afterpass.exits import Exit

if TYPE_CHECKING:
    from flows.result import RunResult
    from flows.run import Progress

NAMED = 3
"""So many files are named without being asked for."""
EXTRACTOR_OPTIONS = ("extractor", "model", "base_url", "timeout", "workers")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to read, with which extractor."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="transcript files or folders; without any, every finished session that was not read yet",
    )
    add_extractor_arguments(parser)
    parser.add_argument("--dry-run", action="store_true", help="decide and show, keep nothing")
    parser.add_argument("--since", metavar="DATE", help="leave out sessions that ended before (also '2 weeks ago')")
    parser.add_argument("--retry-failed", action="store_true", help="take failed sessions up again")
    parser.add_argument("-v", "--verbose", action="store_true", help="name each file that was skipped or is damaged")
    parser.add_argument("--prefect", action="store_true", default=None, help="carry it out as Prefect flow runs")


def add_extractor_arguments(parser: argparse.ArgumentParser) -> None:
    """The extractor's options, shared with ``eval``."""
    parser.add_argument(
        "--extractor",
        choices=["cues", "ollama", "openai", "auto"],
        help="who proposes: cues (no model), a model of Ollama or of an OpenAI-compatible server, or auto (default): "
        "cues, and the model that is configured",
    )
    parser.add_argument("--model", metavar="NAME", help="the model's name at the server")
    parser.add_argument("--base-url", metavar="URL", help="the model server, such as http://127.0.0.1:8080/v1")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="the longest wait for one model call (120)")
    parser.add_argument("--workers", type=int, metavar="N", help="how many sessions at the same time (4)")


def run(args: argparse.Namespace) -> Exit:
    """Read, propose, decide, keep; then say what came of it."""
    settings = settings_of(args, *EXTRACTOR_OPTIONS, "prefect")
    since = parse_moment(args.since, "--since") if args.since else None
    from flows.run import run as run_pass

    with _progress() as progress:
        result = run_pass(
            settings,
            args.paths or None,
            dry_run=args.dry_run,
            retry_failed=args.retry_failed,
            since=since,
            progress=progress,
        )
    if wants_json(args):
        output.write_json(result.to_json())
    else:
        _write(result, verbose=args.verbose)
    return Exit.OK if result.ok else Exit.FAILED


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A bar on a terminal, nothing otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def report(stage: str, through: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=through, total=total)

        yield report


def _write(result: RunResult, *, verbose: bool) -> None:
    states = ", ".join(f"{count} {state}" for state, count in result.sessions.items() if count)
    with_model = f" with {result.model}" if result.model else ""
    nothing = "none taken, another pass has them" if result.busy else "nothing new"
    output.write_line(f"sessions    {states or nothing}  ({result.extractor}{with_model})")
    for label, count, what in (
        ("unchanged", result.unchanged, "read before and not touched since"),
        ("unfinished", result.unfinished, "still going on"),
        ("older", result.older, "ended before the bound"),
        ("waiting", len(result.waiting), "announced by a hook, no transcript yet"),
        ("busy", result.busy, "being read by another pass right now"),
        ("repeated", result.repeated, "statements that were counted before"),
    ):
        if count:
            output.write_line(f"{label:<12}{count} {what}")
    _write_files(result, verbose=verbose)
    kept = ", ".join(f"{count} {name}" for name, count in result.decisions.items())
    output.write_line(f"candidates  {kept or 'none'}" + (" (dry run: nothing was stored)" if result.dry_run else ""))
    if result.notes or result.note_problems:
        failed = f", {len(result.note_problems)} with a problem" if result.note_problems else ""
        output.write_line(f"notes       {result.notes} written{failed}")
    reasons = ", ".join(f"{count} {code}" for code, count in result.codes.items())
    if reasons:
        output.write_line(f"reasons     {reasons}")
    if result.input_tokens or result.output_tokens:
        output.write_line(f"tokens      {result.input_tokens} in, {result.output_tokens} out")
    alike: dict[tuple[str, str, str], list[str]] = {}
    for failure in result.failures:
        alike.setdefault((failure.step, failure.error, failure.next), []).append(failure.session)
    for (step, error, next_step), sessions in alike.items():
        output.say(f"{', '.join(sessions)}: {step} failed: {error} (next: {next_step})")
    for session, problem in result.note_problems if verbose else result.note_problems[:NAMED]:
        output.say(f"{session}: its note: {problem}")


def _write_files(result: RunResult, *, verbose: bool) -> None:
    """Files without a session, by reason, and files with unreadable lines; with ``verbose``, or few, one by one."""
    verbose = verbose or len(result.skips) + len(result.damaged) <= NAMED
    if result.skips:
        codes = Counter(skip.code for skip in result.skips)
        output.write_line("skipped     " + ", ".join(f"{count} {code}" for code, count in sorted(codes.items())))
        for skip in result.skips if verbose else ():
            output.write_line(f"            {skip.path}: {skip.code}: {skip.reason}")
    if result.damaged:
        lines = sum(item.lines for item in result.damaged)
        output.write_line(f"damaged     {_number(lines, 'line')} in {_number(len(result.damaged), 'file')}")
        for item in result.damaged if verbose else ():
            output.write_line(f"            {item.path}: {_number(item.lines, 'line')}, the first: {item.first}")
    if not verbose:
        output.say("each file is named by -v")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
