"""``afterpass review``: the queue of what waits for a person."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.asked import (
    if_accepted,
    if_refused,
    is_wish_to_forget,
    kind_of,
    proposed_of,
    question,
    raiser,
    takes_away,
)
from afterpass.context import actor_of, ago, database, parse_coming, refuse_others, repo_key, settings_of, wants_json
from afterpass.exits import Exit
from afterpass.hands import value_for
from afterpass.quoting import in_answer, in_turn
from policy.errors import UsageError
from policy.settings import Settings

if TYPE_CHECKING:
    from store.records import Fact, Review, StoredEvidence

SNOOZE = timedelta(days=7)
ASSENTED = ("confirmation",)  # kinds whose words say nothing without the agent's


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """An action on one item, or a listing."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=["show", "accept", "reject", "snooze", "undo"],
        help="look at an item, decide it, or take the decision back",
    )
    parser.add_argument("id", nargs="?", help="the item's id, or a beginning of it that is unique")
    parser.add_argument("--value", help="with accept: this value instead of the proposed one")
    parser.add_argument("--reason", default="", help="with reject: why, for the record")
    parser.add_argument(
        "--until", metavar="DATE", help="with snooze: when it comes back, such as 2026-06-30 (default: in 7 days)"
    )
    parser.add_argument("--all", action="store_true", help="decided items too")
    parser.add_argument("--repo", type=repo_key, metavar="REPO", help="one repository's items")


def run(args: argparse.Namespace) -> Exit:
    """Decide one item, list them, or go through them one at a time on a terminal."""
    refuse_others(args, "afterpass review", {"value": ("accept",), "reason": ("reject",), "until": ("snooze",)})
    settings = settings_of(args)
    if args.action:
        if not args.id:
            raise UsageError(f"review {args.action} needs an item's id", "`afterpass review` lists them")
        item = _act(settings, args)
        if wants_json(args):
            output.write_json(item.to_json())
        elif args.action == "show":
            _show(item)
        else:
            output.write_line(_outcome(item))
        return Exit.OK
    with database(settings) as db:
        items = db.reviews(all=args.all, repo=args.repo)
    if wants_json(args):
        output.write_json([item.to_json() for item in items])
        return Exit.OK
    if not args.all:
        now = datetime.now(UTC)
        items = [item for item in items if item.snoozed_until is None or item.snoozed_until <= now]
    if not items:
        output.say("nothing waits for you")
    elif sys.stdin.isatty() and sys.stdout.isatty() and not args.all:
        _one_at_a_time(settings, items)
    else:
        _list(items)
    return Exit.OK


def _act(settings: Settings, args: argparse.Namespace) -> Review:
    if args.action == "show":
        with database(settings) as db:
            return db.review(args.id)
    if args.action == "snooze":
        now = datetime.now(UTC)
        until = parse_coming(args.until, "--until", now) if args.until else now + SNOOZE
        with database(settings) as db:
            return db.snooze(args.id, actor=actor_of(settings), now=now, until=until)
    return _decide(settings, args.action, args.id, value=args.value, reason=args.reason)


def _decide(settings: Settings, action: str, item_id: str, *, value: str | None = None, reason: str = "") -> Review:
    actor, now = actor_of(settings), datetime.now(UTC)
    with database(settings) as db:
        if action == "accept":
            value = None if value is None else value_for(settings, db.review(item_id), value)
            return db.accept(item_id, actor=actor, now=now, value=value)
        if action == "reject":
            return db.reject(item_id, actor=actor, now=now, reason=reason)
        return db.undo(item_id, actor=actor, now=now)


def _outcome(item: Review) -> str:
    slot = output.slot(item.type, item.subject)
    if item.state.value == "open" and item.snoozed_until:
        return f"{item.id} comes back on {item.snoozed_until.date()}: {slot}"
    if item.state.value == "open":
        return f"{item.id} is open again: {slot}"
    if item.state.value == "accepted" and takes_away(item) and not item.decided_value:
        return f"{item.id} accepted: {slot} was {item.current!r}, which no longer holds"
    return f"{item.id} {item.state.value}: {slot}" + (f" is {item.decided_value!r} now" if item.decided_value else "")


def _list(items: list[Review]) -> None:
    """One table an owner."""
    columns = ("id", "kind", "what", "stored", "proposed", "said", "in the words", "accepting")
    for owner in dict.fromkeys(item.owner for item in items):
        output.write_table(owner, columns, [_row(item) for item in items if item.owner == owner])
    output.say(
        "rejecting one leaves what is stored as it is; `afterpass review show ID` shows the words in their place"
    )


def _row(item: Review) -> tuple[str, ...]:
    said = item.proposals[0].stated_at.date().isoformat() if item.proposals else ""
    said = ", ".join(filter(None, [said, raiser(item)]))
    kind = kind_of(item) + (" (stale)" if item.stale else "")
    kind += "" if item.state.value == "open" else f", {item.state.value}"
    quote = item.evidence.text if item.evidence else ""
    earlier = [proposed_of(item, p.value) for p in item.proposals if (p.value or "") != (item.proposed or "")]
    proposed = proposed_of(item, item.proposed)
    proposed += f" (before: {', '.join(dict.fromkeys(earlier))})" if earlier else ""
    accepting = if_accepted(item) if item.state.value == "open" else ""
    return (item.id, kind, output.slot(item.type, item.subject), item.current or "", proposed, said, quote, accepting)


def _one_at_a_time(settings: Settings, items: list[Review]) -> None:
    """Show, ask, decide; ``q`` leaves the rest as it is."""
    from policy.errors import AfterpassError

    actions: dict[str, Callable[[Review], str]] = {
        "a": lambda item: _outcome(_decide(settings, "accept", item.id)),
        "r": lambda item: _outcome(_decide(settings, "reject", item.id)),
        "e": lambda item: _edited(settings, item),
        "s": _stays,
    }
    for number, item in enumerate(items, 1):
        output.write_line(f"\n{number}/{len(items)}")
        _show(item)
        choice = ""
        while choice not in {*actions, "q"}:
            choice = _asked("[a]ccept  [r]eject  [e]dit and accept  [s]kip  [q]uit: ", "q").lower()[:1]
        if choice == "q":
            return
        try:
            output.write_line(actions[choice](item))
        except AfterpassError as error:
            output.say(str(error))


def _asked(prompt: str, at_end: str) -> str:
    """What is typed; at the end of the input (Ctrl-D) what that stands for."""
    try:
        return input(prompt).strip()
    except EOFError:
        output.write_line()
        return at_end


def _edited(settings: Settings, item: Review) -> str:
    """Accept another value; who types none has not decided."""
    value = _asked("value: ", "")
    return _outcome(_decide(settings, "accept", item.id, value=value)) if value else _stays(item)


def _stays(item: Review) -> str:
    return f"{item.id} stays"


def _show(item: Review) -> None:
    """Both sides of the question, each with its age and its words where they were said."""
    output.write_line(f"{item.id}  {kind_of(item)}  {item.owner}  {output.slot(item.type, item.subject)}")
    output.write_line(question(item))
    output.write_line(f"  stored:   {_stored(item.base)}")
    for proposal in item.proposals:
        plain = proposal.value and not is_wish_to_forget(item)
        value = repr(proposal.value) if plain else proposed_of(item, proposal.value)
        output.write_line(f"  proposed: {value}, {ago(proposal.stated_at)}{_words(proposal.evidence)}")
        agent = in_answer(proposal.evidence, proposal.value) if proposal.evidence and item.kind in ASSENTED else ""
        if agent:
            output.write_line(f"            to the agent's: {agent}")
    if item.state.value == "open":
        output.write_line(f"  accept:   {if_accepted(item)}")
        output.write_line(f"  reject:   {if_refused(item)}")
    elif item.decided_at:
        why = f": {item.reason}" if item.reason else ""
        output.write_line(f"  {item.state.value} {ago(item.decided_at)} by {item.decided_by}{why}")
    if item.detail:
        output.write_line(f"  {item.detail}")


def _stored(fact: Fact | None) -> str:
    if fact is None:
        return "nothing"
    return f"{fact.value!r}, {ago(fact.stated_at)}, said {fact.times_stated}x{_words(fact.evidence)}"


def _words(evidence: StoredEvidence | None) -> str:
    return f"\n            {in_turn(evidence)}" if evidence else ""
