"""What every command needs first: the settings, the store, who is acting, and dates as people write them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from policy.errors import UsageError
from policy.people import person_key
from policy.settings import Settings, load_settings

if TYPE_CHECKING:
    from store.interface import Database


def wants_json(args: argparse.Namespace) -> bool:
    """Whether ``--json`` was given, before or after the sub-command."""
    return bool(getattr(args, "json", False))


def settings_of(args: argparse.Namespace, *names: str) -> Settings:
    """The settings in force; ``names`` are the options of this command that override them."""
    options = {name: getattr(args, name, None) for name in names}
    return load_settings(getattr(args, "home", None), options=options)


@contextmanager
def database(settings: Settings) -> Iterator[Database]:
    """The open store of these settings, made on first use."""
    from store.store import Store

    with Store(settings.home, url=settings.store, lock_timeout=settings.lock_timeout).connect() as db:
        yield db


def actor_of(settings: Settings) -> str:
    """Who decides: the configured developer, else git's e-mail, else the login name."""
    import getpass

    from transcripts.owner import git_email

    return settings.developer or person_key(git_email()) or getpass.getuser()


def parse_moment(text: str, option: str) -> datetime:
    """An ISO date or time, or words such as ``2 weeks ago``, as an aware time. Raises UsageError."""
    return _moment(text, option, "past", "2 weeks ago")


def parse_coming(text: str, option: str, now: datetime) -> datetime:
    """The same for a time that has to lie ahead, such as ``in 3 days`` or ``friday``. Raises UsageError."""
    moment = _moment(text, option, "future", "in 3 days")
    if moment <= now:
        raise UsageError(f"{option} {text!r} does not lie ahead", "give a coming day, such as 'in 3 days'")
    return moment


def _moment(text: str, option: str, side: str, example: str) -> datetime:
    """Words that could mean a day before or after today mean the one on this ``side``."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        import dateparser

        found = dateparser.parse(text, settings={"RETURN_AS_TIMEZONE_AWARE": True, "PREFER_DATES_FROM": side})
        if found is None:
            raise UsageError(
                f"{option} {text!r} is not a date", f"give one such as 2026-06-10 or {example!r}"
            ) from None
        return found
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def repo_key(given: str) -> str:
    """What ``--repo`` was given as the store names it: an address or a checkout becomes a key, a key stays as it is."""
    from afterpass.recall.reading import repository

    return repository(given, Path())


def refuse_others(args: argparse.Namespace, command: str, belong: Mapping[str, tuple[str | None, ...]]) -> None:
    """Raises UsageError for an option of another action than the one that was asked for: it would do nothing.

    ``belong`` gives for each such option the actions that take it, None for the command without an action.
    """
    for option, actions in belong.items():
        if getattr(args, option) and args.action not in actions:
            whose = " and ".join(f"`{command} {action}`" if action else f"`{command}`" for action in actions)
            raise UsageError(f"--{option} belongs to {whose}", f"`{command} --help` says what each takes")


def age(moment: datetime | None, now: datetime | None = None) -> str:
    """A day's distance from today (UTC) in the largest unit that says enough: ``3 d``, ``5 mo``, ``2 y``."""
    if moment is None:
        return ""
    days = days_since(moment, now or datetime.now(UTC))
    if days < 1:
        return "today"
    if days < 60:
        return f"{days} d"
    return f"{days // 30} mo" if days < 730 else f"{days // 365} y"


def ago(moment: datetime | None) -> str:
    """The same in a sentence: ``today``, ``3 d ago``."""
    distance = age(moment)
    return f"{distance} ago" if distance not in {"", "today"} else distance


def days_since(moment: datetime, now: datetime) -> int:
    """Midnights (UTC) between two times, as recall counts the age of a fact."""
    return max((now.astimezone(UTC).date() - moment.astimezone(UTC).date()).days, 0)
