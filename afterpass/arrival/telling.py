"""What an agent is told about a place, worked out: the memory, the question, the block, what goes on record of it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from afterpass.arrival.files import KeptFiles
from afterpass.arrival.kept import Stamp
from afterpass.arrival.memory import from_snapshots, from_store
from afterpass.arrival.told import Telling
from afterpass.recall.answer import owned
from afterpass.recall.block import select
from afterpass.recall.memory import Memory, Question
from afterpass.recall.paths import inside_checkout
from afterpass.recall.render import render, tokens_of, trace_of
from store.errors import StoreLocked
from store.snapshot import DATABASE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date
    from pathlib import Path

    from afterpass.arrival.place import Place
    from afterpass.recall.block import Selection, Shown
    from policy.model import Policy
    from policy.settings import Settings

T = TypeVar("T")
PATIENCE = 0.5
"""Seconds that a process which holds the store is waited for, where a session waits for the answer."""
MOST_IDS = 200  # of one kind that a record names; the counts are whole


class Worked(NamedTuple):
    """A selection and what it rests on: the files of ``stamps`` and the policy. ``lasts``: on nothing else.

    ``shared`` is whether the store is on a server.
    """

    selection: Selection
    eligible: tuple[str, ...]
    stamps: dict[str, Stamp]
    policy: Path | None
    lasts: bool
    shared: bool


def work_out(home: str, place: Place, request: str, on: date, *, budget: int, limit: float | None) -> Worked:
    """Select what matters for a request; an empty one is the start of a session.

    Raises TimeoutError where the store does not answer within ``limit`` seconds, StoreError, SettingsError,
    PolicyError.
    """
    from policy.load import load_policy
    from policy.settings import load_settings

    settings = load_settings(home)
    policy = load_policy(settings.policy)
    memory = from_snapshots(home, place) if settings.store is None else None
    stamps: dict[str, Stamp] = {}
    lasts = memory is not None
    if memory is None:
        memory = _ask_store(settings, place, limit)
        if memory is None:  # no store yet: nothing is known until one is made
            memory, lasts = Memory(), True
            stamps[str(settings.home / DATABASE)] = None
    files = KeptFiles(home, place.top)
    question = Question("", None, inside_checkout(request, place.top), place.repo, place.developer, on)
    selection = select(question, memory, policy=policy, repo=files, budget=budget)
    files.keep()
    eligible = eligible_ids(question, memory, policy)
    stamps |= files.stamps
    return Worked(
        selection, eligible, stamps, settings.policy, lasts and files.lasting, shared=settings.store is not None
    )


def _ask_store(settings: Settings, place: Place, limit: float | None) -> Memory | None:
    if settings.store is None and not (settings.home / DATABASE).exists():
        return None
    if limit is None:
        return from_store(settings, place, patience=60)
    try:
        return within(limit, lambda: from_store(settings, place, patience=PATIENCE))
    except StoreLocked as error:
        raise TimeoutError(error.what) from error


def within(limit: float, work: Callable[[], T]) -> T:
    """The result of ``work``, done in a thread of its own: a database call cannot be interrupted, but it can be left.

    Raises TimeoutError, and whatever ``work`` raises.
    """
    import threading

    outcome: list[T | BaseException] = []

    def attempt() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            outcome.append(error)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(limit)
    if not outcome:
        raise TimeoutError(f"the store did not answer within {limit} s")
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def telling_of(worked: Worked, shown: tuple[Shown, ...] | None = None, query: str = "") -> Telling:
    """The text and the record of a selection; ``shown`` where less of it is to be told."""
    from dataclasses import replace

    selection = worked.selection if shown is None else replace(worked.selection, shown=shown)
    text = render(selection)
    record = record_of(worked.selection, selection, worked.eligible, text)
    if query and not worked.shared:
        from transcripts.secrets import redact

        record["query"] = redact(query)
    return Telling(text, record, states_of(selection.shown))


def states_of(shown: Sequence[Shown]) -> dict[str, str]:
    """How each fact stands, by its id: whatever changes what a session should make of it changes its state.

    The placement, whether it is asked about, and a digest of what stands beside it: the other side of a conflict,
    what is undecided, the repository's own answer. No values.
    """
    return {fact.id: _state(slot) for slot in shown for fact in slot.facts if fact.id}


def _state(slot: Shown) -> str:
    beside = [fact.id for fact in slot.facts], [item.id for item in slot.pending], slot.repo
    digest = sha256(repr(beside).encode("utf-8", "replace")).hexdigest()[:12]
    return f"{slot.placement and slot.placement.value} {slot.ask_first} {digest}"


def eligible_ids(question: Question, memory: Memory, policy: Policy) -> tuple[str, ...]:
    """The facts that are in force for who asks, before anything is selected."""
    return tuple(fact.id for fact in owned(question, memory, policy).facts if fact.id)


def record_of(selected: Selection, told: Selection, eligible: Sequence[str], text: str) -> dict[str, Any]:
    """What goes on record of a selection, and of that part of it which was told in ``text``: ids, never values."""
    left_out = [fact.id for slot in told.left_out for fact in slot.facts]
    return {
        "repo": told.repo,
        "developer": told.developer,
        "on": told.on.isoformat(),
        "trace": trace_of(told, text),
        "eligible": list(eligible[:MOST_IDS]),
        "placed": {
            fact.id: slot.placement.value
            for slot in selected.shown
            if slot.placement  # what the repository's files contradict is placed nowhere
            for fact in slot.facts
            if fact.id
        },
        "shown": [fact.id for slot in told.shown for fact in slot.facts],
        "asked": [fact.id for slot in told.shown if slot.ask_first for fact in slot.facts],
        "left_out": left_out[:MOST_IDS],
        "tokens": tokens_of(text) if text else 0,
    }
