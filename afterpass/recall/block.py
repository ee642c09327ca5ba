"""What the next session is told: the facts that matter, placed, within a budget of tokens.

The steps in their order, each with its line in the trace: trigger, types, owner, validity, conflicts, relevance,
precedence, placement, budget, rendering. Conflicts are found over everything that is in force, before anything is
ranked.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from afterpass.recall.answer import GRAVITY, agrees, owned, stated
from afterpass.recall.memory import Memory, Pending, Placement, Question, Remembered, Source
from afterpass.recall.placement import asks_first, doubts, note_on, place
from afterpass.recall.relevance import FLOOR, asks_for_something, is_named, score, types_for
from afterpass.recall.render import frame, line_of, tokens_of
from afterpass.recall.rivals import claim_of, clash
from afterpass.recall.wording import fold
from policy.model import Scope, Stakes, SubjectRule

if TYPE_CHECKING:
    from datetime import date

    from policy.model import FactType, Policy
    from validators.context import RepoAnswers

DEFAULT_BUDGET = 1500
"""Tokens of the whole block, as :func:`~afterpass.recall.render.tokens_of` counts them."""
PREFERENCES_OF_ROOM = 2
"""Preferences get at most one part in so many of the room for facts while something else needs it."""

MOST_COMPARED = 50
"""Slots about one thing that a statement is compared with: no store of a person has more, and time stays linear."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One slot as it is told: its facts stay together, both sides of a conflict or neither.

    ``after`` is the default that holds again when the dated rule ``facts[0]`` has ended. ``repo`` is the value that
    the repository's own files give instead: then the facts are placed nowhere, and nothing is asked. ``source`` is
    where the value that counts comes from.
    """

    fact_type: FactType
    facts: tuple[Remembered, ...]
    placement: Placement | None
    ask_first: bool
    pending: tuple[Pending, ...] = ()
    after: Remembered | None = None
    repo: str | None = None
    note: str = ""
    score: int = 0
    source: Source = Source.MEMORY


@dataclass(frozen=True, slots=True)
class Selection:
    """What is shown, what had no room, and how every step counted."""

    repo: str
    developer: str | None
    on: date
    shown: tuple[Shown, ...] = ()
    left_out: tuple[Shown, ...] = ()
    trace: tuple[tuple[str, int], ...] = field(default=())


def select(
    question: Question,
    memory: Memory,
    *,
    policy: Policy,
    repo: RepoAnswers | None = None,
    budget: int = DEFAULT_BUDGET,
) -> Selection:
    """What to tell about ``question.request``, the task; an empty task is the start of a session: everything counts."""
    task, trace = question.request.strip(), []
    if task and not asks_for_something(task):
        return Selection(question.repo, question.developer, question.on, trace=(("trigger", 0),))
    wanted = types_for(task, policy) if task else frozenset(policy.types)
    trace += [("types", len(wanted)), ("stored", len(memory.facts))]
    mine = owned(question, memory, policy, repo)
    trace.append(("owner and validity", len(mine.facts)))
    slots = [_placed(slot, mine, policy, repo, question) for slot in _slots(mine.facts, policy)]
    trace += [("slots", len(slots)), ("in conflict", sum(1 for s in slots if s.pending or len(s.facts) > 1))]
    relevant = [_scored(slot, task, wanted) for slot in slots]
    if task:
        relevant = _of_named_subjects([slot for slot in relevant if slot.score >= FLOOR], task)
        relevant = [slot for slot in relevant if not _is_stated(slot, question)]
    trace.append(("relevant", len(relevant)))
    trace += _counted(relevant)
    relevant.sort(key=lambda slot: _rank(slot, task))
    shown, left_out = _within(relevant, budget, question)
    trace += [("budget", budget), ("shown", len(shown)), ("left out", len(left_out))]
    return Selection(question.repo, question.developer, question.on, tuple(shown), tuple(left_out), tuple(trace))


def _is_stated(slot: Shown, question: Question) -> bool:
    """Whether the request itself says what the slot would: then memory has nothing to add, and nothing to ask."""
    subject = slot.fact_type.canonical_subject(slot.facts[0].subject)
    return not slot.fact_type.multi and stated(question, slot.fact_type, subject) is not None


def _slots(facts: tuple[Remembered, ...], policy: Policy) -> list[list[Remembered]]:
    """The facts of one slot together, with statements that rival one another; in a multi type each value by itself."""
    slots: dict[tuple[str, ...], list[Remembered]] = {}
    for fact in facts:
        fact_type = policy.types[fact.type]
        key = (fact.type, fact_type.canonical_subject(fact.subject), fold(fact.value) if fact_type.multi else "")
        slots.setdefault(key, []).append(fact)
    return _with_rivals(list(slots.values()), policy)


def _with_rivals(slots: list[list[Remembered]], policy: Policy) -> list[list[Remembered]]:
    """Slots of one owner whose statements cannot all hold become one, so that both sides stand together."""
    near: dict[tuple[object, ...], list[list[Remembered]]] = {}  # by what rivals have in common: few are compared
    for slot in slots:
        here = near.setdefault(_claimed(slot, policy) or (id(slot),), [])
        near_ones = here[-MOST_COMPARED:]
        rivals = [other for other in near_ones if any(clash(slot[0].value, fact.value) for fact in other)]
        if rivals:
            here[:] = [other for other in here if other not in rivals]
        here.append([fact for part in (*rivals, slot) for fact in part])
    return [slot for group in near.values() for slot in group]


def _claimed(slot: list[Remembered], policy: Policy) -> tuple[object, ...]:
    """What a slot's lasting statement has in common with its rivals; empty where it can have none."""
    if policy.types[slot[0].type].value != "statement" or any(fact.until is not None for fact in slot):
        return ()
    claim = claim_of(slot[0].value)
    return (slot[0].owner, *claim.key) if claim else ()


def _placed(
    slot: list[Remembered], mine: Memory, policy: Policy, repo: RepoAnswers | None, question: Question
) -> Shown:
    """The slot's fact in force, its default for later, what stands against it, and where that puts it."""
    dated = sorted((f for f in slot if f.until is not None), key=lambda f: f.stated, reverse=True)
    lasting = sorted((f for f in slot if f.until is None), key=lambda f: f.stated, reverse=True)
    in_force = dated[:1] or lasting
    after = lasting[0] if dated and lasting and fold(lasting[0].value) != fold(dated[0].value) else None
    first = in_force[0]
    fact_type = policy.types[first.type]
    items = doubts(first, fact_type, mine.pending, question.on)
    for other in in_force[1:]:
        found = doubts(other, policy.types[other.type], mine.pending, question.on)
        items += tuple(item for item in found if item not in items)
    placement = place(fact_type, first, items, question.on)
    if len({fold(f.value) for f in in_force}) > 1:
        placement = Placement.ASK
    note = note_on(fact_type, first, items, question.on)
    subject = fact_type.canonical_subject(first.subject)
    value = repo.answer(fact_type.name, subject) if repo is not None and not fact_type.multi else None
    if repo is not None and value is not None:
        # The repository settles it: nobody has to be asked, whatever memory makes of it.
        differs = not all(agrees(repo, subject, fact, value) for fact in in_force)
        note = "; ".join(filter(None, [f'the repository\'s own files say "{value}"' if differs else "", note]))
        return Shown(
            fact_type,
            tuple(in_force),
            None if differs else Placement.LOAD,
            ask_first=False,
            pending=items,
            after=after,
            repo=value if differs else None,
            note=note,
            source=Source.REPO,
        )
    return Shown(fact_type, tuple(in_force), placement, asks_first(fact_type, placement), items, after, None, note)


def _scored(slot: Shown, task: str, wanted: frozenset[str]) -> Shown:
    return replace(slot, score=max(score(slot.fact_type, fact, task, wanted) for fact in slot.facts))


def _of_named_subjects(slots: list[Shown], task: str) -> list[Shown]:
    """Where the task names a subject of a type, that type's other subjects are not what it is about."""

    def names(slot: Shown) -> bool:
        return slot.fact_type.subject is not SubjectRule.TOPIC and any(
            is_named(slot.fact_type, fact, task) for fact in slot.facts
        )

    named = {slot.fact_type.name for slot in slots if names(slot)}
    return [s for s in slots if s.fact_type.name not in named or not s.facts[0].subject or names(s)]


def _counted(slots: list[Shown]) -> list[tuple[str, int]]:
    """How many slots are placed where, how many the repository settles against memory, how many are asked about."""
    placed = [(f"placed {one.value}", sum(1 for slot in slots if slot.placement is one)) for one in GRAVITY]
    precedence = ("repository first", sum(1 for slot in slots if slot.repo is not None))
    return [precedence, *placed, ("asked first", sum(1 for slot in slots if slot.ask_first))]


def _rank(slot: Shown, task: str) -> tuple[int, int, int, str, str]:
    """What a task asks about high stakes, preferences, the rest; without a task preferences come first.

    Then by relevance; of equals what has to be asked about, then by name: a stable order.
    """
    first = slot.facts[0]
    if _is_preference(slot):
        step = 1 if task else 0
    elif slot.ask_first and slot.fact_type.stakes is Stakes.HIGH:
        step = 0 if task else 1
    else:
        step = 2
    gravity = GRAVITY.index(slot.placement or Placement.LOAD)
    return step, -slot.score, -gravity, first.type, f"{first.subject}\0{first.value}"


def _is_preference(slot: Shown) -> bool:
    return slot.fact_type.scope is Scope.DEVELOPER


def _within(slots: list[Shown], budget: int, question: Question) -> tuple[list[Shown], list[Shown]]:
    """As many slots as fit, whole or not at all; a smaller one may still fit after a larger one did not.

    Preferences take at most their share of the room, and more only of what everything else leaves free.
    """
    left = budget - tokens_of(frame(question.repo, question.on))
    costs = {id(slot): tokens_of(line_of(slot, question.on) + "\n") for slot in slots}
    shown, left_out = [], []
    for slot in _beyond_share_last(slots, costs, left // PREFERENCES_OF_ROOM):
        if costs[id(slot)] <= left:
            left -= costs[id(slot)]
            shown.append(slot)
        else:
            left_out.append(slot)
    return shown, left_out


def _beyond_share_last(slots: list[Shown], costs: dict[int, int], share: int) -> list[Shown]:
    """The slots in their order, but preferences that go beyond their share behind all others."""
    kept, last = [], []
    for slot in slots:
        if _is_preference(slot):
            if costs[id(slot)] > share:
                last.append(slot)
                continue
            share -= costs[id(slot)]
        kept.append(slot)
    return kept + last
