"""``afterpass eval``: measure. Lifecycle cases, sessions with gold, single judgements, the extractor's scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass import output
from afterpass.cli import home_given
from afterpass.commands.run import add_extractor_arguments
from afterpass.context import database, settings_of, wants_json
from afterpass.exits import Exit
from policy.errors import UsageError

if TYPE_CHECKING:
    from afterpass.evaluation.lifecycle_cases import LifecycleCase
    from extractors.interface import Extractor
    from policy.model import Policy
    from policy.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to measure, on which file, with which extractor."""
    parts = parser.add_subparsers(dest="what", metavar="WHAT", title="what is measured", required=True)
    lifecycle = parts.add_parser("lifecycle", help="a fact's life over several sessions, then a question")
    lifecycle.add_argument("file", type=Path, metavar="FILE", help="lifecycle cases, one JSON object per line")
    lifecycle.add_argument("--live", action="store_true", help="let the extractor propose (else the gold is proposed)")
    lifecycle.add_argument("--tempting", action="store_true", help="propose the tempting wrong values beside the gold")
    lifecycle.add_argument("--arm", action="append", default=[], metavar="NAME", help="only this arm (may be repeated)")
    sessions = parts.add_parser("sessions", help="write precision and recall on sessions with gold")
    sessions.add_argument("folder", type=Path, metavar="DIR", help="the sessions, in any readable format")
    sessions.add_argument("--gold", type=Path, metavar="FILE", required=True, help="the rules that each session states")
    sessions.add_argument("--limit", type=int, metavar="N", help="about so many sessions, whole repositories at a time")
    cases = parts.add_parser("cases", help="single judgements against what they should be")
    cases.add_argument("file", type=Path, metavar="FILE", help="judge cases, one JSON object per line")
    importance = parts.add_parser("importance", help="the extractor's scores against a person's labels")
    importance.add_argument("file", type=Path, metavar="FILE", help="labels, one JSON object per line")
    importance.add_argument(
        "--ask", type=int, default=0, metavar="N", help="first label up to N stored candidates, into FILE"
    )
    for part in (lifecycle, sessions):
        add_extractor_arguments(part)
        part.add_argument("--record", type=Path, metavar="FILE", help="keep the model's replies; a rerun goes on")
        part.add_argument("--replay", type=Path, metavar="FILE", help="take the model's replies from FILE, ask none")
    for part in (lifecycle, sessions, cases, importance):
        part.add_argument("--html", type=Path, metavar="FILE", help="write the report as a page of its own")
        part.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="one JSON document")
        part.add_argument("--home", type=home_given, default=argparse.SUPPRESS, metavar="DIR", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> Exit:
    """Measure and report. Exits 0 whatever the numbers are: judging them is the reader's."""
    measure: dict[str, Callable[[argparse.Namespace, Policy], dict[str, Any]]] = {
        "lifecycle": _lifecycle,
        "sessions": _sessions,
        "cases": _cases,
        "importance": _importance,
    }
    from policy.load import load_policy

    policy = load_policy(settings_of(args).policy)
    report = measure[args.what](args, policy)
    if args.html is not None:
        from afterpass.evaluation.page import write_page

        write_page(args.html, args.what, report)
    if wants_json(args):
        output.write_json(report)
    else:
        from afterpass.evaluation.tables import tables

        for title, columns, rows in tables(args.what, report):
            output.write_table(title, columns, rows)
    return Exit.OK


def _lifecycle(args: argparse.Namespace, policy: Policy) -> dict[str, Any]:
    from afterpass.evaluation.gold_extractor import GoldExtractor
    from afterpass.evaluation.lifecycle import check_arms, evaluate, to_json
    from afterpass.evaluation.lifecycle_cases import read_cases

    if args.live and args.tempting:
        raise UsageError("--tempting goes with the gold, --live with an extractor", "give one of them")
    arms = check_arms(args.arm)
    cases = read_cases(args.file)
    live = _extractor(args) if args.live or args.replay else None

    def extractor_for(case: LifecycleCase) -> Extractor:
        return live or GoldExtractor(case, tempted=args.tempting)

    report = evaluate(cases, extractor_for, policy, arms=arms, progress=_progress(len(cases)))
    return {**to_json(report), "extractor": _name(args, extractor_for(cases[0])), "file": str(args.file)}


def _sessions(args: argparse.Namespace, policy: Policy) -> dict[str, Any]:
    from afterpass.evaluation.sessions import evaluate_sessions, read_gold

    if args.limit is not None and args.limit < 1:
        raise UsageError(f"--limit {args.limit} is not a positive number of sessions")
    gold = read_gold(args.gold)
    extractor = _extractor(args)
    total = min(args.limit or len(gold), len(gold))
    report = evaluate_sessions(args.folder, gold, extractor, policy, limit=args.limit, progress=_progress(total))
    return {**report.to_json(), "extractor": _name(args, extractor)}


def _cases(args: argparse.Namespace, policy: Policy) -> dict[str, Any]:
    from afterpass.evaluation.judged import evaluate_cases, to_json

    return to_json(evaluate_cases(args.file, policy))


def _importance(args: argparse.Namespace, policy: Policy) -> dict[str, Any]:
    from afterpass.evaluation.importance import ask, evaluate_importance, read_labels, scored

    if args.ask < 0:
        raise UsageError(f"--ask {args.ask} is not a number of candidates")
    with database(settings_of(args)) as db:
        rows = db.replayable()
    if args.ask:
        ask(rows, args.file, args.ask, say=output.say, answer=_answer)
    return evaluate_importance(read_labels(args.file, scored(rows)), policy)


def _answer(question: str) -> str:
    """One line from standard input; its end leaves the rest for another time."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline() or "q"


def _extractor(args: argparse.Namespace) -> Extractor:
    """The one that proposes: what options and settings name, its model's replies kept or taken from a file."""
    from afterpass.evaluation.recording import Player, Recorder
    from extractors.registry import build
    from extractors.union import UnionExtractor

    settings: Settings = settings_of(args, "extractor", "model", "base_url", "timeout", "workers")
    if args.replay is not None:
        if args.record is not None:
            raise UsageError("--record and --replay exclude each other", "record first, then replay")
        if settings.extractor == "cues":
            raise UsageError("--extractor cues asks no model", "leave out --replay")
        player = Player(args.replay)
        return UnionExtractor(build("cues"), player) if settings.extractor == "auto" else player
    extractor = build(
        settings.extractor,
        model=settings.model,
        base_url=settings.base_url,
        timeout=settings.timeout,
        api_key=settings.api_key,
    )
    if args.record is None:
        return extractor
    if isinstance(extractor, UnionExtractor):
        return UnionExtractor(extractor.exact, Recorder(extractor.other, args.record))
    if extractor.model is None:
        raise UsageError(f"{extractor.name} asks no model: there is nothing to record", "give --model and --base-url")
    return Recorder(extractor, args.record)


def _name(args: argparse.Namespace, extractor: Extractor) -> dict[str, Any]:
    return {"name": extractor.name, "model": extractor.model, "replayed": args.replay is not None}


def _progress(total: int) -> Callable[[int, str], None]:
    """A line that is written over on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _done, _name: None
    return lambda done, name: output.say(f"\x1b[A\x1b[2K{done + 1}/{total} {name}" if done else f"1/{total} {name}")
