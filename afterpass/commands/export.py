"""``afterpass export``: a managed block in the repository's instruction files."""

from __future__ import annotations

import argparse
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.context import settings_of, wants_json
from afterpass.exits import Exit
from policy.errors import AfterpassError, UsageError

if TYPE_CHECKING:
    from afterpass.arrival.export import Exported


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where, and whether only to show."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="files of the repository (default: AGENTS.md, CLAUDE.md and GEMINI.md where they are, else AGENTS.md)",
    )
    parser.add_argument(
        "--repo-dir", metavar="DIR", type=Path, default=Path(), help="the checkout (default: the current one)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the change, make none")
    parser.add_argument("--remove", action="store_true", help="take the block out again")


def run(args: argparse.Namespace) -> Exit:
    """Write the block where it is not as it should be; a second time changes nothing."""
    from afterpass.arrival.export import Exported, chosen_files, kept_from, put_into
    from afterpass.arrival.place import place_of

    settings = settings_of(args)
    if not args.repo_dir.is_dir():
        raise AfterpassError(f"--repo-dir {args.repo_dir}: no such folder")
    place = place_of(str(args.repo_dir), str(settings.home), os.environ)
    block = Exported("", 0, 0) if args.remove else _block(args, place.repo, place.top)
    paths = chosen_files(args.repo_dir if args.files else Path(place.top), args.files)
    for path in paths:
        if reason := kept_from(path, Path(place.top)):
            raise UsageError(f"{path} is {reason}", "name Markdown files of the repository, such as AGENTS.md")
    written = [put_into(path, block.text, dry_run=args.dry_run) for path in paths]
    if wants_json(args):
        names = {"repo": place.repo, "facts": block.facts, "left_out": block.left_out, "dry_run": args.dry_run}
        files = [{"path": str(one.path), "changed": one.changed, "diff": one.diff()} for one in written]
        output.write_json({**names, "files": files})
        return Exit.OK
    for one in written:
        if args.dry_run and one.changed:
            output.write_line(one.diff().rstrip("\n"))
        else:
            output.write_line(f"{one.path} " + ("changed" if one.changed else "is as it should be already"))
    if not block.facts and not args.remove:
        output.say(f"nothing is known of {place.repo} that can be told without a question")
    return Exit.OK


def _block(args: argparse.Namespace, repo: str, top: str) -> Exported:
    from afterpass.arrival.export import block_for
    from afterpass.arrival.memory import remembered_at
    from policy.load import load_policy
    from validators.repository import read_repository

    settings = settings_of(args)
    return block_for(
        repo,
        remembered_at(settings, repo, None),
        policy=load_policy(settings.policy),
        files=read_repository(Path(top)),
        on=datetime.now().astimezone().date(),
    )
