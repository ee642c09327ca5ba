"""``afterpass facts``: what is believed, since when, on whose word; and a person's hands on it."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.context import age, database, days_since, parse_moment, refuse_others, repo_key, settings_of, wants_json
from afterpass.exits import Exit
from afterpass.hands import ACTIONS, act, as_of_today
from policy.errors import UsageError
from policy.load import load_policy
from policy.people import person_key

if TYPE_CHECKING:
    from store.interface import Database
    from store.records import Fact

BELONG: dict[str, tuple[str | None, ...]] = {
    "type": (None, "add"),
    "subject": (None, "add"),
    "value": ("add", "edit"),
    "until": ("add",),
    "replace": ("add",),
    "wrong": ("edit",),
    "reason": ("retire", "forget"),
}


SLOT = re.compile(r"(?P<type>\w+)(?:\s*\[(?P<subject>[^\]]*)\])?")  # as it is shown: deploy_target [staging]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which facts, or what to do to one."""
    parser.add_argument("action", nargs="?", choices=ACTIONS, help="what to do by hand; without one, list")
    parser.add_argument(
        "id", nargs="?", help="the fact's id, or a beginning of it that is unique; forget also takes a note's"
    )
    which = parser.add_argument_group("which facts")
    which.add_argument("--all", action="store_true", help="every state: superseded, wrong, retired, forgotten, …")
    which.add_argument("--as-of", metavar="DATE", help="what had been recorded and was believed on that day")
    which.add_argument("--valid-on", metavar="DATE", help="what we now know was true on that day")
    which.add_argument(
        "--history", metavar="SLOT", help="every row and event of a slot: 'deploy_target [staging]', or a fact's id"
    )
    which.add_argument(
        "--repo",
        type=repo_key,
        metavar="REPO",
        help="one repository's facts, such as github.com/acme/webapp; with add: whose it is (default: this folder's)",
    )
    which.add_argument("--developer", type=person_key, metavar="ID", help="one developer's preferences")
    which.add_argument("--type", help="one type, such as reviewer; with add: the type of the new fact")
    which.add_argument("--subject", help="one subject, such as staging; with add: what the new fact is about")
    by_hand = parser.add_argument_group("by hand")
    by_hand.add_argument("--value", help="with add and edit: the value")
    by_hand.add_argument("--until", metavar="DATE", help="with add: its last day, such as 2026-06-30")
    by_hand.add_argument("--replace", action="store_true", help="with add: supersede what the slot holds")
    by_hand.add_argument("--wrong", action="store_true", help="with edit: the old value never was true")
    by_hand.add_argument("--reason", default="", help="with retire and forget: why, for the record")


def run(args: argparse.Namespace) -> Exit:
    """List them, or act on one."""
    refuse_others(args, "afterpass facts", BELONG)
    if args.as_of and args.valid_on:
        raise UsageError("--as-of and --valid-on ask two different questions", "give one of them")
    if args.action:
        return act(args)
    if args.history:
        return _history(args)
    facts = _of_slot(_found(args), args)
    if wants_json(args):
        now = datetime.now(UTC)
        output.write_json([{**fact.to_json(), "age_days": days_since(last_word(fact), now)} for fact in facts])
    elif facts:
        _write(facts, show_state=bool(args.all or args.as_of or args.valid_on))
    elif args.as_of or args.valid_on or args.repo or args.developer or args.type or args.subject is not None:
        output.say("no fact fits; `afterpass facts` without options lists every active one")
    else:
        output.say("no facts yet: `afterpass run` reads your finished sessions")
    return Exit.OK


def _found(args: argparse.Namespace) -> list[Fact]:
    as_of = parse_moment(args.as_of, "--as-of") if args.as_of else None
    valid_on = parse_moment(args.valid_on, "--valid-on") if args.valid_on else None
    with database(settings_of(args)) as db:
        if valid_on is not None:
            return db.valid_on(valid_on, repo=args.repo, developer=args.developer)
        facts = db.facts(all=args.all, as_of=as_of, repo=args.repo, developer=args.developer)
    if as_of is not None:
        return facts
    today = [as_of_today(fact, datetime.now(UTC).date()) for fact in facts]
    return today if args.all else [fact for fact in today if fact.state.value == "active"]


def _of_slot(facts: list[Fact], args: argparse.Namespace) -> list[Fact]:
    """Those of the type and about the subject that were asked for. Raises UsageError for a type that nothing has."""
    if args.type:
        types = {*load_policy(settings_of(args).policy).types, *(fact.type for fact in facts)}
        if args.type not in types:
            raise UsageError(f"--type {args.type!r} is not a type of fact", f"known types: {', '.join(sorted(types))}")
        facts = [fact for fact in facts if fact.type == args.type]
    if args.subject is not None:
        facts = [fact for fact in facts if fact.subject.casefold() == args.subject.strip().casefold()]
    return facts


def last_word(fact: Fact) -> datetime:
    """When a person last stood by it: the later of last stated and last confirmed."""
    return max(fact.stated_at, fact.confirmed_at or fact.stated_at)


def _write(facts: list[Fact], *, show_state: bool) -> None:
    """One table an owner: the slot, its value, when and by whom it was said, and the words."""
    columns = ["id", "what", "value", *(["state"] if show_state else []), "said", "in the words"]
    for owner in dict.fromkeys(fact.owner for fact in facts):
        output.write_table(owner, columns, [_row(fact, show_state) for fact in facts if fact.owner == owner])


def _row(fact: Fact, show_state: bool) -> list[str]:
    until = f" (until {fact.valid_until.isoformat()})" if fact.valid_until else ""
    row = [fact.id, output.slot(fact.type, fact.subject), fact.value + until]
    if show_state:
        row.append(fact.state.value + (f" by {fact.superseded_by}" if fact.superseded_by else ""))
    return [*row, _said(fact), fact.evidence.text if fact.evidence else ""]


def _said(fact: Fact) -> str:
    """``2026-06-10 (5 mo), 2 times, dana@acme.example, confirmed 2026-08-01``; a statement confirms nothing twice."""
    parts = [f"{fact.stated_at.date().isoformat()} ({age(fact.stated_at)})"]
    if fact.times_stated > 1:
        parts.append(f"{fact.times_stated} times")
    if fact.developer and fact.developer != fact.owner:
        parts.append(fact.developer)
    if fact.confirmed_at and fact.confirmed_at > fact.stated_at:
        parts.append(f"confirmed {fact.confirmed_at.date().isoformat()}")
    return ", ".join(parts)


def _in_slot(db: Database, args: argparse.Namespace, fact_type: str, subject: str) -> str:
    """The id of a fact of the slot, whatever its state. Raises UsageError where none or several owners have one."""
    rows = db.facts(all=True, repo=args.repo, developer=args.developer)
    found = {fact.owner: fact.id for fact in rows if (fact.type, fact.subject) == (fact_type, subject)}
    if len(found) == 1:
        return found.popitem()[1]
    slot = output.slot(fact_type, subject)
    if found:
        raise UsageError(
            f"several have a slot {slot}: {', '.join(sorted(found))}", "say which with --repo or --developer"
        )
    raise UsageError(f"there never was a fact in the slot {slot}", "`afterpass facts --all` lists every slot")


def _history(args: argparse.Namespace) -> Exit:
    with database(settings_of(args)) as db:
        slot = SLOT.fullmatch(args.history.strip())
        if slot and slot["type"] in load_policy(settings_of(args).policy).types:
            history = db.history(_in_slot(db, args, slot["type"], slot["subject"] or ""))
        else:
            history = db.history(args.history)
    if wants_json(args):
        output.write_json(history.to_json())
        return Exit.OK
    output.write_line(f"{history.owner}  {history.type} [{history.subject}]")
    _write(list(history.facts), show_state=True)
    for event in history.events:
        change = f"{event.from_state or ''} → {event.to_state}" if event.to_state else ""
        line = (event.happened_at.isoformat(timespec="seconds"), event.actor, event.action, event.fact_id or "", change)
        output.write_line("  ".join(part for part in (*line, event.reason) if part))
    return Exit.OK
