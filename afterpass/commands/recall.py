"""``afterpass recall``: what the next session should see, or the answer to one question."""

from __future__ import annotations

import argparse
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.context import settings_of, wants_json
from afterpass.exits import Exit
from policy.errors import AfterpassError, UsageError

if TYPE_CHECKING:
    from afterpass.recall.block import Selection
    from afterpass.recall.memory import Answer, Memory, Question
    from policy.model import Policy
    from policy.settings import Settings
    from validators.context import RepoAnswers

BY = "command"
"""Who reads back, in the log of it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which repository, for whom, and what is asked."""
    parser.add_argument(
        "--repo", help="the repository, such as github.com/acme/webapp (default: the current directory's)"
    )
    parser.add_argument("--developer", metavar="ID", help="whose preferences (default: git's e-mail)")
    parser.add_argument(
        "--task", metavar="TEXT", help="what the next session is about: only what matters for it is shown"
    )
    parser.add_argument("--type", metavar="T", help="ask one question: the value of this type of fact")
    parser.add_argument("--subject", metavar="S", help="what it is about, such as staging")
    parser.add_argument("--request", metavar="TEXT", help="the request that raises the question; what it states wins")
    parser.add_argument(
        "--repo-dir", metavar="DIR", type=Path, help="a checkout whose lock files and CI settings answer first"
    )
    parser.add_argument(
        "--on",
        metavar="DATE",
        help="the day on which it is asked, YYYY-MM-DD (default: today); what was said later is not known then",
    )
    parser.add_argument(
        "--notes",
        metavar="QUERY",
        nargs="?",
        const="",
        help="notes of past sessions about QUERY; without one, those that matter most",
    )
    parser.add_argument("--budget", metavar="TOKENS", type=int, help="the most that the block may take (default: 1500)")
    parser.add_argument(
        "--hook",
        action="store_true",
        help="answer an agent's SessionStart or prompt hook, whose payload is on standard input",
    )


def run(args: argparse.Namespace) -> Exit:
    """Answer the question, or print the block."""
    if args.hook:
        return _hook(args)
    _check(args)
    from afterpass.recall.memory import Question
    from afterpass.recall.paths import inside_checkout
    from afterpass.recall.reading import developer, read_of
    from policy.load import load_policy
    from transcripts.owner import top_of

    settings = settings_of(args)
    policy = load_policy(settings.policy)
    if args.type is not None and args.type not in policy.types:
        raise _unknown_type(args.type, policy)
    here = args.repo_dir or Path.cwd()
    who, day = developer(args.developer, settings, here), _day(args.on)
    if args.notes is not None:
        return _notes(args, settings, policy, who, day)
    text = (args.request if args.type is not None else args.task) or ""
    repo, memory = read_of(settings, args.repo, here, who, day if args.on else None)
    if args.repo_dir is not None or args.repo is None:
        text = inside_checkout(text, str(top_of(here)))
    question = Question(args.type or "", args.subject, text, repo, who, day)
    if args.type is None:
        return _block(args, settings, question, memory, policy)
    from afterpass.arrival.recording import put_on_record, record_of_answer
    from afterpass.arrival.telling import MOST_IDS, eligible_ids
    from afterpass.recall.answer import answer

    files = _files(args)
    found = answer(question, memory, policy=policy, repo=files)
    eligible = eligible_ids(question, memory, policy)[:MOST_IDS]
    record = {"type": args.type, "subject": args.subject, "eligible": eligible, **record_of_answer(found)}
    put_on_record(settings, BY, record, repo=repo, developer=who, query=text)
    if wants_json(args):
        output.write_json(found.to_json())
    else:
        _write(found)
    if files is not None and memory.facts and args.on is None:
        _ask_about(settings, repo, here, policy)
    return Exit.OK


def _ask_about(settings: Settings, repo: str, here: Path, policy: Policy) -> None:
    """Let a person decide what the files contradict; where the store is not to be had, the next pass asks."""
    from datetime import UTC

    from afterpass.context import database
    from flows.contradicted import ask_about
    from store.errors import StoreError

    try:
        with database(settings) as db:
            decisions, landed = ask_about(db, repo, here, policy, datetime.now(UTC))
    except StoreError as error:
        output.say(f"{error.what}: a later pass asks what is to become of the stored value")
        return
    for decision, kept in zip(decisions, landed.decisions if landed else (), strict=True):
        stored = decision.targets[0].value
        output.say(
            f'stored is "{stored}", the files say "{decision.value}": `afterpass review accept {kept.review_id}`'
        )


def _hook(args: argparse.Namespace) -> Exit:
    """A call that reaches this point came with options that the hook does not need."""
    import os

    from afterpass.arrival.hook import run_hook
    from policy.home import home_dir

    run_hook(home_dir(os.environ, str(args.home) if getattr(args, "home", None) else None))
    return Exit.OK


def _check(args: argparse.Namespace) -> None:
    if args.notes is not None and not (args.type is args.task is None):
        raise UsageError("--notes asks for past sessions, --type and --task for facts", "give one of them")
    if args.type is None and (args.subject is not None or args.request is not None):
        raise UsageError(
            "--subject and --request belong to a question",
            "name its type (--type deploy_target), or give the text with --task",
        )
    if args.type is not None and args.task is not None:
        raise UsageError("--task asks for the block, --type for one answer", "give one of them")
    if args.repo_dir is not None and not args.repo_dir.is_dir():
        raise AfterpassError(f"--repo-dir {args.repo_dir}: no such folder")
    if args.budget is not None and args.budget < 1:
        raise UsageError(f"--budget {args.budget} is not a positive number of tokens")


def _unknown_type(name: str, policy: Policy) -> UsageError:
    from difflib import get_close_matches

    near = get_close_matches(name, policy.types, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}?" if near else "known types: " + ", ".join(policy.types)
    return UsageError(f"--type {name!r} is not a type of fact", hint)


def _day(given: str | None) -> date:
    if given is None:
        return datetime.now().astimezone().date()
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise UsageError(f"--on {given!r} is not a date", "give it as YYYY-MM-DD, such as 2026-06-10") from None


def _files(args: argparse.Namespace) -> RepoAnswers | None:
    """The repository's own files: of the folder that was given, else of the current one where that is what is asked."""
    if args.repo_dir is None and args.repo is not None:
        return None
    from transcripts.owner import top_of
    from validators.repository import read_repository

    return read_repository(args.repo_dir or top_of(Path.cwd()))


def _notes(args: argparse.Namespace, settings: Settings, policy: Policy, who: str | None, day: date) -> Exit:
    from dataclasses import replace

    from afterpass.arrival.recording import put_on_record, record_of_notes
    from afterpass.recall.past import look, notes_of
    from afterpass.recall.reading import repository

    repo = repository(args.repo, args.repo_dir or Path.cwd())
    notes = notes_of(settings, repo, who, day if args.on else None)
    if args.budget is not None:
        policy = replace(policy, notes=replace(policy.notes, tokens=args.budget))
    told, problem = look(settings, policy, args.notes, notes, repo=repo, who=who, on=day)
    put_on_record(settings, BY, record_of_notes(told), repo=repo, developer=who, query=args.notes)
    if problem:
        output.say(f"{problem}: the notes' words were searched instead")
    elif told.without_vector:
        output.say(f"{told.without_vector} of {told.read} notes have no vector by {settings.embedding_model}: by words")
    if wants_json(args):
        output.write_json(told.to_json())
    elif told.text:
        output.write_line(told.text)
    else:
        about = f" about {args.notes!r}" if told.read else ""
        output.say(f"there is no note of a session in {repo}{about} ({told.read} were read, {told.found} found)")
    return Exit.OK


def _block(args: argparse.Namespace, settings: Settings, question: Question, memory: Memory, policy: Policy) -> Exit:
    from afterpass.arrival.recording import put_on_record
    from afterpass.arrival.telling import eligible_ids, record_of
    from afterpass.recall.block import DEFAULT_BUDGET, select
    from afterpass.recall.render import render, selection_json

    selection = select(question, memory, policy=policy, repo=_files(args), budget=args.budget or DEFAULT_BUDGET)
    text = render(selection)
    record = record_of(selection, selection, eligible_ids(question, memory, policy), text)
    put_on_record(settings, BY, record, repo=question.repo, developer=question.developer, query=question.request)
    if wants_json(args):
        output.write_json(selection_json(selection, text))
    elif text:
        output.write_line(text)
    else:
        output.say(_why_empty(selection, args.budget or DEFAULT_BUDGET))
    return Exit.OK


def _why_empty(selection: Selection, budget: int) -> str:
    from afterpass.recall.render import frame, line_of, tokens_of

    if not selection.left_out:
        return f"nothing is stored for {selection.repo} that matters here"
    line = min(tokens_of(line_of(slot, selection.on) + "\n") for slot in selection.left_out)
    need = tokens_of(frame(selection.repo, selection.on)) + line
    count = "1 fact matters" if len(selection.left_out) == 1 else f"{len(selection.left_out)} facts matter"
    return f"{count} here and none fits: --budget {budget} is too small, the least is {need}"


def _write(found: Answer) -> None:
    """The value first, then what a person should know about it."""
    how = {"request": "the request says so", "repo": "the repository's own files", "memory": "memory"}
    output.write_line(found.value if found.value is not None else "(nothing settles it)")
    if found.value is not None:
        output.write_line(f"  from {how[found.source.value]}")
    if found.fact:
        output.write_line(f"  fact {found.fact}, {found.age_days} days old, placed {found.placement}")
    if found.ask_first:
        output.write_line("  ask before acting")
    if found.note:
        output.write_line(f"  {found.note}")
