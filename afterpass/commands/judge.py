"""``afterpass judge SESSION --candidates FILE``: run the checks on given candidates; nothing is stored."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from afterpass import output
from afterpass.context import settings_of, wants_json
from afterpass.exits import Exit
from afterpass.sessions import load_session
from policy.errors import AfterpassError, UsageError
from policy.places import read_bytes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to judge, and beside what."""
    parser.add_argument("session", help="a transcript's path, or a session id of the store")
    parser.add_argument(
        "--candidates",
        type=Path,
        required=True,
        metavar="FILE",
        help='a JSON list of candidates: [{"turn": "1", "evidence": "we use pnpm", "type": "package_manager", '
        '"value": "pnpm", "kind": "standing"}]',
    )
    parser.add_argument("--known", type=Path, metavar="FILE", help="a JSON list of stored facts")
    parser.add_argument("--tombstones", type=Path, metavar="FILE", help="a JSON list of what was forgotten when")
    parser.add_argument("--refusals", type=Path, metavar="FILE", help="a JSON list of what a reviewer refused when")
    parser.add_argument("--repo-dir", type=Path, metavar="DIR", help="the repository's files")
    parser.add_argument("--policy", metavar="FILE", help="judge under this policy file")


def run(args: argparse.Namespace) -> Exit:
    """Judge and print, in input order."""
    from policy.load import load_policy
    from validators.casefile import CaseError, judge_json

    session = load_session(args.session, args)
    policy = load_policy(settings_of(args, "policy").policy)
    try:
        decisions = judge_json(
            session,
            _json_of(args.candidates, "--candidates"),
            policy=policy,
            known=_json_of(args.known, "--known"),
            tombstones=_json_of(args.tombstones, "--tombstones"),
            refusals=_json_of(args.refusals, "--refusals"),
            repo=_repository(args.repo_dir),
        )
    except CaseError as error:
        raise UsageError(str(error)) from error
    if wants_json(args):
        output.write_json(decisions)
    else:
        for decision in decisions:
            _write(decision)
    return Exit.OK


def _json_of(path: Path | None, option: str) -> object:
    if path is None:
        return None
    try:
        return json.loads(read_bytes(path))
    except FileNotFoundError:
        raise AfterpassError(f"{option} {path}: no such file", "give a file that holds a JSON list") from None
    except OSError as error:
        raise AfterpassError(
            f"{option} {path} cannot be read: {error.strerror}", f"`ls -ld {path}` shows what it is"
        ) from error
    except ValueError as error:
        raise UsageError(f"{option} {path} is not JSON: {error}") from error
    except RecursionError:
        raise UsageError(f"{option} {path} is too deeply nested", "a candidate is a flat object") from None


def _repository(folder: Path | None) -> Any:
    if folder is None:
        return None
    from validators.repository import read_repository

    if not folder.is_dir():
        raise AfterpassError(f"--repo-dir {folder}: no such folder")
    return read_repository(folder)


def _write(decision: dict[str, Any]) -> None:
    slot = output.slot(decision["type"], decision["subject"])
    output.write_line(f"{decision['disposition']}: {decision['code']}  {slot} = {decision['value']!r}")
    if decision["detail"]:
        output.write_line(f"  {decision['detail']}")
    for verdict in decision["verdicts"]:
        if verdict["outcome"] == "fail":
            output.write_line(f"  {verdict['check']}: {verdict['detail']}")
