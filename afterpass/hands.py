"""What a person does to a fact by hand: one function per action, all through the store's own transitions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.context import actor_of, database, settings_of, wants_json
from afterpass.exits import Exit
from policy.errors import AfterpassError, UsageError
from policy.settings import Settings

if TYPE_CHECKING:
    from policy.model import FactType
    from store.interface import Database
    from store.records import Fact, Review

NOTE_IDS = "d_"  # how the ids of notes begin
ACTIONS = ("add", "confirm", "edit", "retire", "restore", "forget")


def act(args: argparse.Namespace) -> Exit:
    """Carry out ``facts ACTION``; print the row as it is now."""
    settings = settings_of(args)
    if args.action != "add" and not args.id:
        raise UsageError(f"facts {args.action} needs a fact's id", "`afterpass facts` lists them")
    if args.action in {"add", "edit"} and not args.value:
        raise UsageError(f"facts {args.action} needs --value")
    if args.action == "forget":
        return _forget(args, settings)
    with database(settings) as db:
        before = db.reviews()
        fact = _add(db, args, settings) if args.action == "add" else _change(db, args, settings)
        _tell_answered(before, db)
    fact = as_of_today(fact, datetime.now(UTC).date())
    if wants_json(args):
        output.write_json(fact.to_json())
    else:
        until = f" (until {fact.valid_until.isoformat()})" if fact.valid_until else ""
        slot = output.slot(fact.type, fact.subject)
        output.write_line(f"{fact.id}  {fact.state.value}: {slot} = {fact.value!r}{until}, of {fact.owner}")
    return Exit.OK


def _tell_answered(before: Sequence[Review], db: Database) -> None:
    """Name the questions that the hand on the fact has answered: they may not have been seen before."""
    from afterpass.asked import is_wish_to_forget, kind_of

    still = {item.id for item in db.reviews()}
    for item in before:
        if item.id not in still:
            proposed = f" {item.proposed!r}" if item.proposed and not is_wish_to_forget(item) else ""
            output.say(
                f"{item.id} is answered by this, and closed: {kind_of(item)}{proposed}, {item.updated_at.date()}"
            )


def as_of_today(fact: Fact, today: date) -> Fact:
    """A dated rule whose last day has passed is expired, also while upkeep has yet to say so in the store."""
    from store.records import FactState

    over = fact.state is FactState.ACTIVE and fact.valid_until is not None and fact.valid_until < today
    return replace(fact, state=FactState.EXPIRED) if over else fact


def _change(db: Database, args: argparse.Namespace, settings: Settings) -> Fact:
    actor, now = actor_of(settings), datetime.now(UTC)
    if args.action == "confirm":
        return db.confirm_fact(args.id, actor=actor, now=now)
    if args.action == "edit":
        value = _checked(settings, db.fact(args.id).type, args.value)
        return db.edit_fact(args.id, value, actor=actor, now=now, wrong=args.wrong)
    if args.action == "retire":
        return db.retire_fact(args.id, actor=actor, now=now, reason=args.reason)
    return db.restore_fact(args.id, actor=actor, now=now)


def value_for(settings: Settings, item: Review, value: str) -> str:
    """A value that a person gives instead of the proposed one. Raises UsageError for one that cannot be kept."""
    if not value.strip():
        raise UsageError("--value is empty", "give a value, or leave --value out to take the proposed one")
    chooses = item.kind.value == "forget_unclear"  # there it only says which of the stored ones is meant
    return value if chooses else _checked(settings, item.type, value)


def _checked(settings: Settings, type_name: str, value: str) -> str:
    """A value by hand passes the same check as any other; a type that the policy no longer has takes any."""
    from policy.load import load_policy

    kind = load_policy(settings.policy).types.get(type_name)
    return value if kind is None else _valid(kind.value, value)


def _valid(kind: str, value: str) -> str:
    from transcripts.secrets import find_secrets
    from validators.values.instructions import instruction_in
    from validators.values.kinds import KINDS

    if find_secrets(value):
        raise UsageError("the value holds a credential", "keep a pointer to where it lives instead")
    cleaned = KINDS[kind].clean(value)
    problem = KINDS[kind].check(cleaned) or instruction_in(cleaned)
    if problem:
        raise UsageError(f"{value!r} cannot be kept: {problem}")
    return cleaned


def _add(db: Database, args: argparse.Namespace, settings: Settings) -> Fact:
    from policy.load import load_policy
    from policy.model import Scope
    from transcripts.owner import repo_of

    types = load_policy(settings.policy).types
    if args.type not in types:
        raise UsageError(f"facts add needs --type, one of {', '.join(types)}")
    kind, actor = types[args.type], actor_of(settings)
    value = _valid(kind.value, args.value)
    owner = (args.developer or actor) if kind.scope is Scope.DEVELOPER else (args.repo or repo_of(Path()))
    return db.add_fact(
        kind,
        owner=owner,
        subject=_subject(kind, args.subject or "", value),
        value=value,
        actor=actor,
        now=datetime.now(UTC),
        until=_day(args.until),
        replace=args.replace,
    )


def _subject(kind: FactType, given: str, value: str) -> str:
    """What the fact is about, as the checks would have it. Raises UsageError where the type needs to be told."""
    from policy.model import SubjectRule
    from validators.subjects import topic

    subject = kind.canonical_subject(given)
    if subject or kind.subject in {SubjectRule.NONE, SubjectRule.OPTIONAL}:
        return subject
    if kind.subject is SubjectRule.TOPIC:
        return topic(value)
    raise UsageError(f"a {kind.name} needs --subject: what it is about", "such as --subject staging")


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(f"--until {text!r} is not a date", "give one such as 2026-06-30") from None


def _forget(args: argparse.Namespace, settings: Settings) -> Exit:
    """Erase a fact's value everywhere, or a session's note, and take the bytes out of the file."""
    from store.store import Store

    now, is_note = datetime.now(UTC), args.id.startswith(NOTE_IDS)
    with database(settings) as db:
        if is_note:
            done = db.forget_note(args.id, now=now)
        else:
            before = db.reviews()
            done = db.forget_fact(args.id, actor=actor_of(settings), now=now, reason=args.reason)
            _tell_answered(before, db)
        past = _before(db.history(done.facts[0]).facts, done.facts) if done.facts and not is_note else []
    if not done.facts:
        raise AfterpassError(f"nothing was forgotten by {args.id}", "`afterpass facts --all` lists every row")
    Store(settings.home, url=settings.store).compact()
    if wants_json(args):
        output.write_json(
            {"forgotten": list(done.facts), "erased": dict(done.erased), "kept": [row.id for row in past]}
        )
    else:
        rows = ", ".join(f"{count} in {table}" for table, count in done.erased.items() if count)
        output.write_line(f"{', '.join(done.facts)} forgotten; erased or reworded: {rows or 'nothing else held it'}")
        for row in past:
            output.write_line(f"it followed on {row.value!r} ({row.state.value}): `afterpass facts forget {row.id}`")
    return Exit.OK


def _before(rows: Sequence[Fact], forgotten: Sequence[str]) -> list[Fact]:
    """The rows of a slot, oldest first, that the forgotten ones took the place of, and that still hold a value."""
    led_here = set(forgotten)
    for row in reversed(rows):
        if row.superseded_by in led_here:
            led_here.add(row.id)
    return [row for row in rows if row.id in led_here and row.value]
