"""One question, one answer: a pure function of the question, the facts, the undecided items and the repository.

The steps stand in the order in which they are tried: what the request states, what the repository's machine-read files
answer, what memory holds, nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from afterpass.recall.memory import Answer, Memory, Pending, Placement, Question, Remembered, Source
from afterpass.recall.paths import covers, names_no_path, paths_in, touches
from afterpass.recall.placement import asks_first, describe, doubts, holds, note_on, place
from afterpass.recall.request import stated_value
from afterpass.recall.request_targets import without_hands_off
from afterpass.recall.rivals import rivals_of
from afterpass.recall.wording import EXACT, NONE, SPOKEN, fold, names_subject, same_subject, stems, topic_fit
from policy.model import Scope, Stakes, SubjectRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.model import FactType, Policy
    from validators.context import Hint, RepoAnswers

OFF_LIMITS = re.compile(
    r"\b(?:not|n[o']t|never|don'?t|shouldn'?t|mustn'?t|can'?t|leave\b.*\balone|off[ -]limits|hands[ -]off|avoid"
    r"|protected|forbidden|allowed|careful|untouched|do-not-edit)\b",
    re.IGNORECASE,
)
SHOWN_SUBJECTS = 8
GRAVITY = (Placement.LOAD, Placement.FLAG, Placement.ASK)


def answer(question: Question, memory: Memory, *, policy: Policy, repo: RepoAnswers | None = None) -> Answer:
    """The answer to one question. Raises KeyError for a type that the policy does not have."""
    fact_type = policy.types[question.type]
    mine = owned(question, memory, policy, repo)
    subject = subject_of(question, fact_type, mine)
    value = stated(question, fact_type, subject)
    if value is not None and not _reaches_further(question, fact_type, value, mine):
        return Answer(value, Source.REQUEST, ask_first=False, note="stated in the request")
    settled = _from_repository(question, fact_type, subject, mine, repo)
    if settled is not None:
        return settled
    if fact_type.multi:
        kept = _from_many(question, fact_type, subject, mine)
        return kept if kept.value else _marked(question, fact_type, repo) or kept
    chosen = _chosen(question, fact_type, subject, mine, policy)
    if subject and fact_type.subject is SubjectRule.OPTIONAL and not (chosen and chosen.subject):
        whole = _from_repository(question, fact_type, "", mine, repo)  # neither knows the part: the whole project's
        if whole is not None:
            return whole
    if chosen is None:
        return _hinted(fact_type, subject, mine, repo) or _nothing(question, fact_type, subject, mine)
    return _from_memory(question, policy.types[chosen.type], chosen, mine, policy)


def stated(question: Question, fact_type: FactType, subject: str) -> str | None:
    """The value that the request itself states. What a model wrote as the request settles nothing of high stakes."""
    if question.by_model and fact_type.stakes is Stakes.HIGH:
        return None
    return stated_value(fact_type, subject, question.request)


def owned(question: Question, memory: Memory, policy: Policy, repo: RepoAnswers | None = None) -> Memory:
    """What belongs to the asking repository and developer, and is in force on the day; no developer, no preferences.

    What only the repository's files raised is left out where ``repo``, these files as they are now, raises it no more.
    """

    def is_mine(owner: str, type_name: str) -> bool:
        fact_type = policy.types.get(type_name)
        if fact_type is None:
            return False
        if fact_type.scope is Scope.DEVELOPER:
            return question.developer is not None and fold(owner) == fold(question.developer)
        return owner == question.repo

    return Memory(
        facts=tuple(f for f in memory.facts if is_mine(f.owner, f.type) and holds(f, question.on)),
        pending=tuple(p for p in memory.pending if is_mine(p.owner, p.type) and _is_borne_out(p, policy, repo)),
    )


def _is_borne_out(item: Pending, policy: Policy, repo: RepoAnswers | None) -> bool:
    """Whether a question may still be asked: one that the files raised only while they say so."""
    if repo is None or not item.by_files:
        return True
    subject, proposed = policy.types[item.type].canonical_subject(item.subject), item.proposed or ""
    said = repo.answer(item.type, subject)  # kept from call to call, so it is looked at before anything is read
    return said is not None and (fold(said) == fold(proposed) or repo.holds(item.type, subject, proposed))


def subject_of(question: Question, fact_type: FactType, mine: Memory) -> str:
    """The canonical subject that is asked about. Where none is given, the only known one that the request names."""
    given = fact_type.canonical_subject(question.subject or "")
    if fact_type.subject is SubjectRule.NONE:
        return ""
    if given or (question.subject is not None and fact_type.subject is SubjectRule.OPTIONAL):
        return given
    if fact_type.subject is SubjectRule.TOPIC:
        return ""  # a topic is matched with the request's words as they are
    known = {name: group[0] for group in fact_type.aliases for name in group}
    known |= {
        fact.subject: fact_type.canonical_subject(fact.subject) for fact in mine.facts if fact.type == fact_type.name
    }
    named = {canonical for name, canonical in known.items() if name and names_subject(name, question.request)}
    return named.pop() if len(named) == 1 else ""


def _reaches_further(question: Question, fact_type: FactType, value: str, mine: Memory) -> bool:
    """Whether a request that leaves one path alone would touch another stored one."""
    if fact_type.value != "path":
        return False
    rest = without_hands_off(question.request)
    return any(
        fact.type == fact_type.name and not covers(value, fact.value) and touches(rest, fact.value)
        for fact in mine.facts
    )


def _from_repository(
    question: Question, fact_type: FactType, subject: str, mine: Memory, repo: RepoAnswers | None
) -> Answer | None:
    """The repository's own answer. A stored value that it contradicts is named."""
    value = repo.answer(fact_type.name, subject) if repo is not None else None
    if repo is None or value is None or (fact_type.value == "path" and not touches(question.request, value)):
        return None
    note = "answered by the repository's own files"
    stored = [] if fact_type.multi else _slot(question, fact_type, subject, mine)
    other = [fact for fact in stored if not agrees(repo, subject, fact, value)]
    if other:
        note += f'; memory holds "{other[0].value}" ({other[0].last_seen.isoformat()}), which they contradict'
    return Answer(value, Source.REPO, ask_first=False, note=note)


def agrees(repo: RepoAnswers, subject: str, fact: Remembered, value: str) -> bool:
    """Whether the files, whose answer is ``value``, say what the fact holds, in other words too: ``@sam`` is Sam."""
    return fold(fact.value) == fold(value) or repo.holds(fact.type, subject, fact.value)


def _hinted(fact_type: FactType, subject: str, mine: Memory, repo: RepoAnswers | None) -> Answer | None:
    """What weaker files of the repository say, where memory has nothing that could be meant, not even undecided."""
    of_type = [fact.subject for fact in mine.facts if fact.type == fact_type.name]
    if fact_type.subject is SubjectRule.REQUIRED:  # what is stored of another environment says nothing of this one
        of_type = [stored for stored in of_type if same_subject(fact_type, subject, stored)]
    if repo is None or of_type or any(_is_about(item, fact_type, subject) for item in mine.pending):
        return None
    return _told(repo.hint(fact_type, subject))


def _marked(question: Question, fact_type: FactType, repo: RepoAnswers | None) -> Answer | None:
    """The mark that the repository puts on a file which the request would change."""
    if repo is None or fact_type.name != "do_not_edit":
        return None
    said = without_hands_off(" ".join(filter(None, [question.subject, question.request])))
    marks = (repo.mark_on(path) for path in paths_in(said) if touches(said, path))
    return _told(next(filter(None, marks), None))


def _told(hint: Hint | None) -> Answer | None:
    return hint and Answer(hint.value, Source.REPO, ask_first=False, note=f"nothing is stored; {hint.file} says so")


def _chosen(question: Question, fact_type: FactType, subject: str, mine: Memory, policy: Policy) -> Remembered | None:
    """The fact that answers: of the type itself, else of a neighbouring statement type that says the topic's words."""
    found = _slot(question, fact_type, subject, mine)
    if not found and fact_type.value == "statement":
        for other in policy.types.values():
            if other.value == "statement" and other.scope is fact_type.scope and other is not fact_type and subject:
                found += _topics(question, other, subject, mine, floor=SPOKEN)
    return found[0] if found else None


def _slot(question: Question, fact_type: FactType, subject: str, mine: Memory) -> list[Remembered]:
    """The facts of the asked slot, the one in force first: a dated rule before its default, then the newest.

    The exact subject, then another wording of it, then the empty subject; never a different named one.
    """
    if fact_type.subject is SubjectRule.TOPIC:
        return _topics(question, fact_type, subject, mine)
    of_type = [fact for fact in mine.facts if fact.type == fact_type.name]
    matches: tuple[Callable[[str], bool], ...] = (
        lambda stored: stored == subject,
        lambda stored: bool(subject and stored) and same_subject(fact_type, subject, stored),
        lambda stored: not stored,
    )
    for matching in matches:
        found = [fact for fact in of_type if matching(fact_type.canonical_subject(fact.subject))]
        if len({fact_type.canonical_subject(fact.subject) for fact in found}) == 1:
            return _in_force_first(found)
        if found:
            return []  # two subjects that could both be meant: neither is
    if fact_type.value == "statement":  # "ledger" whose statement says "the ledger database" is that database
        return [
            fact for fact in _topics(question, fact_type, subject, mine, floor=SPOKEN) if _is_short_for(fact, subject)
        ]
    return []


def _is_short_for(fact: Remembered, subject: str) -> bool:
    return set(stems(fact.subject)) <= set(stems(subject))


def _topics(question: Question, fact_type: FactType, subject: str, mine: Memory, floor: int = 0) -> list[Remembered]:
    """Statements that fit the topic, the best fit first, then the one in force."""
    fits = [
        (topic_fit(fact_type, subject, question.request, fact.subject, fact.value), fact)
        for fact in mine.facts
        if fact.type == fact_type.name
    ]
    best = max((fit for fit, _ in fits), default=NONE)
    if best <= NONE or best < floor:
        return []
    return _in_force_first([fact for fit, fact in fits if fit == best])


def _in_force_first(facts: list[Remembered]) -> list[Remembered]:
    return sorted(facts, key=lambda fact: (fact.until is not None, fact.stated), reverse=True)


def _from_memory(question: Question, fact_type: FactType, fact: Remembered, mine: Memory, policy: Policy) -> Answer:
    items = doubts(fact, fact_type, mine.pending, question.on)
    placement = place(fact_type, fact, items, question.on)
    note = note_on(fact_type, fact, items, question.on)
    rivals = _rivals(fact_type, fact, mine, policy)
    if rivals:
        placement = Placement.ASK
        count = {2: "two"}.get(len(rivals) + 1, str(len(rivals) + 1))
        note = "; ".join(filter(None, [note, f"{count} values are stored: " + _quoted([fact, *rivals])]))
    if fact_type.name != question.type:
        note = "; ".join(filter(None, [note, f"stored as {fact_type.name}"]))
    return Answer(
        fact.value,
        Source.MEMORY,
        ask_first=asks_first(fact_type, placement),
        placement=placement,
        fact=fact.id,
        age_days=fact.age(question.on),
        note=note,
        facts=tuple(one.id for one in (fact, *rivals) if one.id),
    )


def _rivals(fact_type: FactType, fact: Remembered, mine: Memory, policy: Policy) -> list[Remembered]:
    """Other values of the very same slot, and statements that cannot hold together with it: all sides are shown."""
    same_slot = [
        other
        for other in mine.facts
        if other is not fact
        and other.type == fact.type
        and fact_type.canonical_subject(other.subject) == fact_type.canonical_subject(fact.subject)
        and (other.until is None) == (fact.until is None)
        and fold(other.value) != fold(fact.value)
        and (fact.until is None or other.stated == fact.stated)
    ]
    if fact_type.value != "statement":
        return same_slot
    said = [other for other in mine.facts if other not in same_slot and _is_statement(other, policy)]
    return same_slot + rivals_of(fact, said)


def _is_statement(fact: Remembered, policy: Policy) -> bool:
    return policy.types[fact.type].value == "statement"


def _from_many(question: Question, fact_type: FactType, subject: str, mine: Memory) -> Answer:
    """A type with several values: all that hold, joined. Of paths only those that the request would touch."""
    rows = [
        fact
        for fact in mine.facts
        if fact.type == fact_type.name and fact_type.canonical_subject(fact.subject) in {subject, ""}
    ]
    if fact_type.value == "path":
        said = " ".join(filter(None, [question.subject, question.request]))
        touched = [fact for fact in rows if touches(without_hands_off(said), fact.value)]
        if rows and not touched and said.strip() and not _asks_for_all(said):
            return Answer(None, Source.NONE, ask_first=False, note="no stored path is touched")
        rows = touched or rows
    if not rows:
        return _nothing(question, fact_type, subject, mine)
    return _joined(question, fact_type, sorted(rows, key=lambda fact: (fact.value.count("/"), fact.value)), mine)


def _asks_for_all(request: str) -> bool:
    """Whether a request asks which paths there are, naming none itself: "what must I leave alone?"."""
    return "?" in request and names_no_path(request) and bool(OFF_LIMITS.search(request))


def _joined(question: Question, fact_type: FactType, rows: list[Remembered], mine: Memory) -> Answer:
    items = {id(row): doubts(row, fact_type, mine.pending, question.on) for row in rows}
    placement = max((place(fact_type, row, items[id(row)], question.on) for row in rows), key=GRAVITY.index)
    notes = [note_on(fact_type, row, items[id(row)], question.on) for row in rows]
    shown = [f"{row.value}: {note}" if len(rows) > 1 else note for row, note in zip(rows, notes, strict=True) if note]
    return Answer(
        ", ".join(row.value for row in rows),
        Source.MEMORY,
        ask_first=asks_first(fact_type, placement),
        placement=placement,
        fact=rows[0].id,
        age_days=max(row.age(question.on) for row in rows),
        note="; ".join(shown),
        facts=tuple(row.id for row in rows if row.id),
    )


def _nothing(question: Question, fact_type: FactType, subject: str, mine: Memory) -> Answer:
    """Nothing settles it: ask. What is proposed and undecided is named in the note, it is no answer."""
    goes_ahead = fact_type.value == "path" and fact_type.multi
    open_items = [item for item in mine.pending if _is_about(item, fact_type, subject)]
    notes = [describe(item, None) for item in open_items if item.proposed]
    if fact_type.scope is Scope.DEVELOPER and question.developer is None:
        notes.append("no developer is known, so no preference is read")
    if not notes:
        notes.append(_what_is_stored(fact_type, subject, mine))
    return Answer(None, Source.NONE, ask_first=not goes_ahead, note="; ".join(notes))


def _what_is_stored(fact_type: FactType, subject: str, mine: Memory) -> str:
    """That nothing answers, and which subjects of the type there are to choose from."""
    stored = sorted({fact.subject for fact in mine.facts if fact.type == fact_type.name and fact.subject})
    if not stored:
        return "nothing is stored"
    more = f" and {len(stored) - SHOWN_SUBJECTS} more" if len(stored) > SHOWN_SUBJECTS else ""
    about = f"nothing is stored about {subject}" if subject else "no subject is named"
    return f"{about}; {fact_type.name} is stored for: {', '.join(stored[:SHOWN_SUBJECTS])}{more}"


def _is_about(item: Pending, fact_type: FactType, subject: str) -> bool:
    if item.type != fact_type.name:
        return False
    if fact_type.subject is SubjectRule.TOPIC and subject:
        return topic_fit(fact_type, subject, "", item.subject, item.proposed or "") == EXACT
    return fact_type.canonical_subject(item.subject) == subject


def _quoted(facts: list[Remembered]) -> str:
    return " and ".join(f'"{fact.value}" ({fact.last_seen.isoformat()})' for fact in facts)
