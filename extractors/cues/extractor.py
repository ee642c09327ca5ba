"""Proposing without a model: every typed sentence against every rule, quotes exact, nothing paraphrased."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from extractors.candidate import Candidate, Kind
from extractors.cues.answers import answers
from extractors.cues.assents import assents
from extractors.cues.building import candidate
from extractors.cues.forgets import forgets, withdrawals
from extractors.cues.matching import Hit, hits
from extractors.cues.reading import Label, Reading, label, plain, reading
from extractors.cues.rules import Rulebook, rulebook
from extractors.cues.sentences import Sentence, sentences
from extractors.interface import Extraction
from policy.model import FactType, Policy
from transcripts.session import Origin, Session, Speaker, Turn

FENCE = re.compile(r"^\s*(`{3,}|~{3,})[^\n]*\n\s*(?:\$ )?(?P<line>[^\n]+?)\s*\n\s*\1\s*$")
MOST_READ = 32_000  # characters of a turn's stretch of typed text: what is longer was pasted, whoever sent it
MOST_PROPOSED = 60  # statements of one turn: nobody states more at once


@dataclass(frozen=True, slots=True)
class _Found:
    """A labelled hit in its sentence."""

    reading: Reading
    hit: Hit
    label: Label


class CueExtractor:
    """The embedded default: patterns of the policy over the developer's typed words."""

    name = "cues"
    model: str | None = None

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        """The candidates in the order in which they stand, from the turns at and after ``first_turn``."""
        book = rulebook(policy)
        repo_words = frozenset(re.split(r"[^a-z0-9]+", session.repo.rsplit("/", 1)[-1].casefold()))
        said_last: dict[tuple[str, str], str] = {}
        candidates: list[Candidate] = []
        agent_said: list[str] = []
        for index, turn in enumerate(session.turns):
            if turn.speaker is Speaker.AGENT:
                agent_said.append(turn.text)
            if turn.speaker is not Speaker.DEVELOPER or turn.withdrawn:
                continue
            if index >= first_turn:
                said = turn.time or session.ended or session.started
                stated = list(self._turn(turn, said, repo_words, book, policy, known_slots, said_last))
                before = "\n".join(agent_said)
                agreed = assents(turn, before, said, repo_words, book, policy.types)
                answered = list(answers(turn, before, book, policy.types, known_slots))
                candidates += [
                    one for one in stated if not any(_is_said_by(answer, one, policy.types) for answer in answered)
                ]
                candidates += agreed + answered
            agent_said = []
        return Extraction(tuple(candidates))

    def _turn(
        self,
        turn: Turn,
        said: datetime | None,
        repo_words: frozenset[str],
        book: Rulebook,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]],
        said_last: dict[tuple[str, str], str],
    ) -> Iterator[Candidate]:
        proposed = 0
        reads = [
            (read, list(forgets(turn, read, book, policy.types, known_slots)))
            for read in readings(turn, said, repo_words)
        ]
        founds = [[] if forgotten else found_in(read, book, policy.types) for read, forgotten in reads]
        stated = {found.hit.type for several in founds for found in several if not found.label.doubtful}
        held = {name for name, _ in (*known_slots, *said_last)} - stated
        for (read, forgotten), several in zip(reads, founds, strict=True):
            yield from forgotten or withdrawals(turn, read, book, policy.types, held)
            for found in several:
                if (proposed := proposed + 1) > MOST_PROPOSED:
                    return
                slot = (found.hit.type, found.hit.subject)
                if found.label.doubtful:
                    yield _candidate(turn, found)
                    continue
                if found.hit.key and said_last.get(slot) == found.hit.key:
                    continue  # the same rule in other words, already proposed from this session
                said_last[slot] = found.hit.key
                yield _candidate(turn, found)


def _is_said_by(answer: Candidate, stated: Candidate, types: dict[str, FactType]) -> bool:
    """Whether an answer says what the rules found in its words, of the slot that was asked about.

    A statement that takes a stored one's place has that one's topic: under its own it would stand beside it.
    """
    if stated.evidence not in answer.evidence or stated.kind is Kind.FORGET:
        return False
    if types[answer.type].value == types[stated.type].value == "statement":
        return bool(answer.value)
    return (answer.type, answer.subject, answer.value) == (stated.type, stated.subject, stated.value)


def readings(turn: Turn, said: datetime | None, repo_words: frozenset[str]) -> Iterator[Reading]:
    """The typed sentences of ``turn``. One that introduces a fenced command is read with the command at its end."""
    for number, segment in enumerate(turn.segments):
        if segment.origin not in {Origin.TYPED, Origin.CHOSEN}:
            continue
        text = plain(segment.text)
        cut = readable(text)
        following = turn.segments[number + 1].text if number + 1 < len(turn.segments) else ""
        for place, sentence in enumerate(cut):
            original = Sentence(sentence.start, segment.text[sentence.start : sentence.end])
            read = sentence.text
            if place == len(cut) - 1 and read.endswith(":") and (fence := FENCE.match(following)):
                read = f"{read[:-1]}  `{fence['line']}`"
            around = (cut[place - 1].text if place else "", *(later.text for later in cut[place + 1 : place + 4]))
            yield reading(original, read, said, repo_words, around)


def readable(text: str) -> list[Sentence]:
    """The sentences of typed text. Of a text that is longer than anybody types, only those at its start and its end."""
    if len(text) <= MOST_READ:
        return sentences(text)
    half, behind = MOST_READ // 2, len(text) - MOST_READ // 2
    opening, closing = sentences(text[:half]), sentences(text[behind:])
    whole = [Sentence(behind + one.start, one.text) for one in closing[1:]]  # the first may lack its beginning
    return [*opening[:-1], *whole]


def found_in(read: Reading, book: Rulebook, types: dict[str, FactType]) -> list[_Found]:
    """What the rules find in one sentence: each statement once, under the type that says most about it."""
    found: list[_Found] = []
    closed = {name for name, gate in book.gates.items() if not gate.search(read.text)}
    for rule in book.rules:
        if rule.type in closed or (rule.type not in types and rule.type != "any_command"):
            continue
        for hit in hits(rule, read, book, types):
            meant = label(
                read, hit.start, hit.end, hit.value_at, rule.kind, negatable=rule.negatable, guards=book.guards
            )
            found.append(_Found(read, hit, meant))
    kept: list[_Found] = []
    for one in sorted(found, key=lambda one: one.label.doubtful):  # what is surely stated goes before what is not
        rivals = [other for other in kept if _same_words(one, other)]
        if not any(_says_as_much(other, one, types) for other in rivals):
            kept = [other for other in kept if other not in rivals or not _says_as_much(one, other, types)] + [one]
    return sorted(kept, key=lambda one: (one.hit.start, one.hit.value_at))


def _same_words(one: _Found, other: _Found) -> bool:
    return one.hit.start < other.hit.end and other.hit.start < one.hit.end


def _says_as_much(one: _Found, other: _Found, types: dict[str, FactType]) -> bool:
    """Whether ``other`` adds nothing to ``one``, which stands in the same words."""
    a, b = one.hit, other.hit
    if types[a.type].value != "statement" and types[b.type].value == "statement":
        return True
    if types[a.type].value == "statement" and types[b.type].value != "statement":
        return False
    if types[a.type].value == "statement":
        return not b.key or (a.key, a.subject) == (b.key, b.subject)
    if a.value_at != b.value_at or a.value != b.value:
        return False
    return a.type != b.type or a.subject == b.subject or not b.subject


def _candidate(turn: Turn, found: _Found) -> Candidate:
    hit, meant, said = found.hit, found.label, found.reading.sentence.text
    value = said[hit.value_at : hit.value_at + len(hit.value)] if hit.verbatim else hit.value
    return candidate(
        turn,
        said[hit.start : hit.end].strip(),
        (hit.type, hit.subject, value),
        kind=meant.kind,
        about=meant.about,
        until=meant.until,
        importance=hit.rule.importance,
        cue=f"{hit.rule.type}.{hit.rule.name}",
    )
