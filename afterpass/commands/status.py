"""``afterpass status``: is it working, and what waits for whom."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

from afterpass import output
from afterpass.context import database, settings_of, wants_json
from afterpass.exits import Exit

if TYPE_CHECKING:
    from store.records import LedgerRow, Pass


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """More detail on request."""
    parser.add_argument("--sessions", action="store_true", help="list every session with its state")


def run(args: argparse.Namespace) -> Exit:
    """Counts, the queue, the last pass, what failed and what to do about it."""
    settings = settings_of(args)
    with database(settings) as db:
        status = db.status()
        failures = [row.failure_json() | {"state": row.state.value} for row in db.failures()]
        sessions = db.sessions() if args.sessions else []
    inbox = settings.inbox
    waiting = len(list(inbox.glob("*.json"))) if inbox.is_dir() else 0
    document: dict[str, Any] = {**status.to_json(), "hooks_waiting": waiting, "failures": failures}
    document["home"] = str(settings.home)
    if args.sessions:
        document["list"] = [
            {
                "key": s.key,
                "state": s.state.value,
                "repo": s.repo,
                "path": s.path,
                "skip": s.skip_code,
                "reason": s.skip_reason,
            }
            for s in sessions
        ]
        document["skipped"] = dict(sorted(Counter(s.skip_code for s in sessions if s.skip_code).items()))
        document["damaged"] = _damaged(status.last_pass)
    if wants_json(args):
        output.write_json(document)
        return Exit.OK
    for label, value in _lines(document):
        output.write_line(f"{label:<18}{value}")
    for failure in failures:
        output.write_line(f"{failure['state']:<18}{failure['session']}: {failure['error']} ({failure['next']})")
    if args.sessions:
        _list(sessions, document)
    return Exit.OK


def _damaged(last: Pass | None) -> list[dict[str, Any]]:
    """The files with lines that the last pass could not read."""
    found: list[dict[str, Any]] = ((last.summary if last else None) or {}).get("damaged", [])
    return found


def _list(sessions: list[LedgerRow], document: dict[str, Any]) -> None:
    output.write_line(f"{'skipped':<18}{_counts(document['skipped'])}")
    if damaged := document["damaged"]:
        lines = sum(item["lines"] for item in damaged)
        output.write_line(f"{'damaged':<18}{lines} lines that could not be read in {len(damaged)} files (last pass)")
        for item in damaged:
            output.write_line(f"{'':<18}{item['path']}: {item['first']}")
    for session in sessions:
        why = f"{session.path}: {session.skip_code}: {session.skip_reason}" if session.skip_code else session.path
        output.write_line(f"{session.state.value:<9}{session.key}  {session.repo or ''}  {why}")


def _lines(document: dict[str, Any]) -> list[tuple[str, str]]:
    last = document["last_pass"]
    size = document["file_bytes"]
    return [
        ("home", document["home"]),
        ("sessions", _counts(document["sessions"])),
        ("facts", _counts(document["facts"])),
        ("candidates", _counts(document["candidates"])),
        (
            "waiting for you",
            f"{document['reviews_open']} (`afterpass review`)" if document["reviews_open"] else "nothing",
        ),
        ("hooks waiting", str(document["hooks_waiting"])),
        ("last pass", f"{last['started_at']}, {last['kind']}" if last else "never (`afterpass run`)"),
        ("model tokens", f"{document['tokens']['input']} in, {document['tokens']['output']} out"),
        ("store", f"{size / 1e6:.1f} MB" if size is not None else "server"),
    ]


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none"
