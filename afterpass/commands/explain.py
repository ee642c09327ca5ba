"""``afterpass explain SESSION``: one session, candidate by candidate, every verdict, the evidence in its place."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from afterpass import output
from afterpass.context import database, settings_of, wants_json
from afterpass.exits import Exit
from afterpass.quoting import in_turn
from afterpass.sessions import recorded
from policy.errors import AfterpassError

if TYPE_CHECKING:
    from store.records import CandidateRow, LedgerRow

FACT = re.compile(r"f_\w{4,8}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The session, and how much of it."""
    parser.add_argument(
        "session",
        help="a session as `afterpass status --sessions` and `afterpass rejected` show it, or a beginning of its name "
        "that is unique; or the transcript's path",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="every check, also those that held")


def run(args: argparse.Namespace) -> Exit:
    """Print the ledger's line and every candidate."""
    with database(settings_of(args)) as db:
        row = recorded(db, args.session)
        if row is None:
            if FACT.fullmatch(args.session):
                raise AfterpassError(f"{args.session!r} names a fact", f"`afterpass facts --history {args.session}`")
            raise AfterpassError(
                f"no session {args.session!r} in the store",
                "`afterpass run PATH` reads it; `afterpass status --sessions` lists what was read",
            )
        candidates = db.candidates(row.key)
        note = db.note_of(row.key)
    if wants_json(args):
        told = note.to_json() if note else None
        output.write_json({"session": _ledger(row), "note": told, "candidates": [c.to_json() for c in candidates]})
        return Exit.OK
    output.write_line(f"{row.key}  {row.repo or ''}  {row.state.value}  {row.path}")
    if row.skip_code:
        output.write_line(f"skipped, {row.skip_code}: {row.skip_reason}")
    if row.error:
        output.write_line(f"failed at {row.error_step}: {row.error} ({row.failure_json()['next']})")
    if note:
        output.write_line(f"note {note.id}, {note.outcome}, importance {note.importance}: {note.text}")
    if row.note_problem:
        output.write_line(f"note: {row.note_problem}")
    if not candidates:
        output.write_line("no candidate was proposed")
    for candidate in candidates:
        _write(candidate, verbose=args.verbose)
    return Exit.OK


def _ledger(row: LedgerRow) -> dict[str, Any]:
    return {
        "key": row.key,
        "session": row.native_id,
        "agent": row.agent,
        "repo": row.repo,
        "developer": row.developer,
        "path": row.path,
        "state": row.state.value,
        "attempts": row.attempts,
        "skip": {"code": row.skip_code, "reason": row.skip_reason} if row.skip_code else None,
        "failure": row.failure_json() if row.error else None,
        "note_problem": row.note_problem,
        "usage": {"input": row.input_tokens, "output": row.output_tokens, "seconds": row.seconds, "model": row.model},
    }


def _write(row: CandidateRow, *, verbose: bool) -> None:
    output.write_line()
    output.write_line(f"{row.id}  {row.disposition}: {row.code}  {row.detail}".rstrip())
    output.write_line(f"  {row.type} [{row.subject}] = {row.value!r}  ({row.kind}, by {row.extractor})")
    output.write_line(f"  {_in_place(row)}")
    for verdict in row.verdicts:
        if verbose or verdict["outcome"] == "fail":
            mark = {"pass": "ok  ", "fail": "FAIL"}.get(verdict["outcome"], "n/a ")
            output.write_line(f"    {mark} {verdict['check']}  {verdict.get('detail', '')}".rstrip())
    held = sum(verdict["outcome"] != "fail" for verdict in row.verdicts)
    if held and not verbose:
        output.write_line(f"    {held} of {len(row.verdicts)} checks had nothing against it (-v names them)")


def _in_place(row: CandidateRow) -> str:
    """The quote between marks, with what stands around it in its turn."""
    evidence = row.evidence
    if evidence is None or evidence.turn_text is None:
        return f"quoted, not located: {row.quote!r}"
    return f"turn {evidence.turn}: {in_turn(evidence)}"
