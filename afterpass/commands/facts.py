"""``afterpass facts``: what is believed, since when, on whose word."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from afterpass import output
from afterpass.context import age, database, parse_moment, settings_of, wants_json
from afterpass.exits import Exit

if TYPE_CHECKING:
    from store.records import Fact


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which facts."""
    parser.add_argument("--all", action="store_true", help="every state: superseded, wrong, retired, forgotten, …")
    parser.add_argument("--as-of", metavar="DATE", help="what was believed on that day")
    parser.add_argument("--repo", help="one repository's facts, such as github.com/acme/webapp")
    parser.add_argument("--developer", metavar="ID", help="one developer's preferences")


def run(args: argparse.Namespace) -> Exit:
    """List them."""
    as_of = parse_moment(args.as_of, "--as-of") if args.as_of else None
    with database(settings_of(args)) as db:
        facts = db.facts(all=args.all, as_of=as_of, repo=args.repo, developer=args.developer)
    if wants_json(args):
        now = datetime.now(UTC)
        output.write_json([{**fact.to_json(), "age_days": (now - last_word(fact)).days} for fact in facts])
    elif facts:
        _write(facts, show_state=args.all or as_of is not None)
    else:
        output.say("no facts yet: `afterpass run` reads your finished sessions")
    return Exit.OK


def last_word(fact: Fact) -> datetime:
    """When a person last stood by it: the later of last stated and last confirmed."""
    return max(fact.stated_at, fact.confirmed_at or fact.stated_at)


def _write(facts: list[Fact], *, show_state: bool) -> None:
    columns = ["id", "repository or developer", "type", "subject", "value", "said", "times", "by", "evidence"]
    if show_state:
        columns.insert(5, "state")
    rows = []
    for fact in facts:
        until = f" (until {fact.valid_until.isoformat()})" if fact.valid_until else ""
        said = f"{fact.stated_at.date().isoformat()}, {age(last_word(fact))}"
        said += ", confirmed" if fact.confirmed_at else ""
        quote = fact.evidence.text if fact.evidence else ""
        row = [fact.id, fact.owner, fact.type, fact.subject, fact.value + until, said, str(fact.times_stated)]
        row += [fact.developer or "", quote]
        if show_state:
            successor = f" by {fact.superseded_by}" if fact.superseded_by else ""
            row.insert(5, fact.state.value + successor)
        rows.append(row)
    output.write_table("", columns, rows)
