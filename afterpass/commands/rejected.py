"""``afterpass rejected``: the candidates that were not kept, and the reason for each."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass import output, refusals
from afterpass.context import database, parse_moment, repo_key, settings_of, wants_json
from afterpass.exits import Exit
from policy.errors import AfterpassError, UsageError
from validators.verdict import Code

if TYPE_CHECKING:
    from store.records import CandidateRow


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which ones, and in what form."""
    parser.add_argument("--since", metavar="DATE", help="judged on or after this date (or '2 weeks ago')")
    parser.add_argument(
        "--code",
        choices=[code.value for code in Code],
        metavar="CODE",
        help="one reason code, such as not_asserted (docs/reasons.md lists them)",
    )
    parser.add_argument("--repo", type=repo_key, metavar="REPO", help="one repository")
    parser.add_argument("--session", help="one session: its id or its transcript's path")
    parser.add_argument(
        "--format", choices=["table", "json", "csv", "parquet"], default="table", help="the form (default: table)"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write json, csv or parquet there")


def run(args: argparse.Namespace) -> Exit:
    """List or export them."""
    since = parse_moment(args.since, "--since") if args.since else None
    if args.format == "parquet" and not args.output and sys.stdout.isatty():
        raise UsageError("parquet is not for a terminal", "give --output FILE or redirect the output")
    with database(settings_of(args)) as db:
        rows = db.rejected(since=since, code=args.code, repo=args.repo, session=args.session)
    if args.output:
        with refusals.at(args.output):
            _export(rows, "json" if wants_json(args) else args.format, args.output)
    elif wants_json(args) or args.format == "json":
        output.write_json([row.to_json() for row in rows])
    elif args.format == "table":
        _write(rows, narrowed=bool(since or args.code or args.repo or args.session))
    else:
        with refusals.at("standard output"):
            _export(rows, args.format, None)
    return Exit.OK


def _write(rows: list[CandidateRow], *, narrowed: bool) -> None:
    if not rows:
        output.say(
            "no refusal fits; `afterpass rejected` without options lists every one"
            if narrowed
            else "nothing was refused"
        )
        return
    columns = ("id", "session", "code", "what", "value", "in the words", "why")
    cells = [
        (
            r.id,
            r.session,
            r.code,
            output.slot(r.type, r.subject),
            _short(r.value),
            _short(r.quote),
            _short(r.detail),
        )
        for r in rows
    ]
    output.write_table("", columns, cells)


def _short(text: str, limit: int = 90) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _export(rows: list[CandidateRow], form: str, target: Path | None) -> None:
    """CSV or Parquet through pandas: one row a candidate, the nested parts as JSON text; JSON as it is."""
    import json

    if form == "table":
        raise UsageError("--output takes no table", "give --format json, csv or parquet")
    if target is not None and not target.parent.is_dir():
        raise AfterpassError(f"{target.parent}: no such folder", f"mkdir -p {target.parent}")
    if target is not None and target.is_dir():
        raise AfterpassError(f"{target} is a folder", "give a file's name")
    if form == "json" and target is not None:
        target.write_text(
            json.dumps([row.to_json() for row in rows], ensure_ascii=False, default=str), encoding="utf-8"
        )
        return

    import pandas as pd

    flat: list[dict[str, Any]] = []
    for row in rows:
        shape = row.to_json()
        nested = {k: json.dumps(v, ensure_ascii=False) for k, v in shape.items() if isinstance(v, (dict, list))}
        flat.append({**shape, **nested})
    frame = pd.DataFrame(flat)
    if form == "csv":
        frame.to_csv(target or sys.stdout, index=False)
    else:
        frame.to_parquet(target or sys.stdout.buffer, index=False)
