"""What every candidate of one session is judged against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from policy.model import FactType, Policy
from transcripts.session import Session
from validators.locate import SessionText
from validators.verdict import KnownFact, Refusal, Tombstone


class Hint(NamedTuple):
    """What a file of the repository makes likely, where nothing firmer answers."""

    value: str
    file: str


class RepoAnswers(Protocol):
    """What the repository's machine-read files say."""

    def answer(self, type_name: str, subject: str) -> str | None:
        """The value that the files give for a slot, or None where they give none or more than one."""

    def holds(self, type_name: str, subject: str, value: str) -> bool:
        """Whether the files already say this value of a slot that keeps several."""

    def hint(self, fact_type: FactType, subject: str) -> Hint | None:
        """What weaker files agree on for a slot that nothing else answers; ``subject`` is canonical."""

    def mark_on(self, path: str) -> Hint | None:
        """What marks a file of the checkout as generated or vendored: a pattern, or the file's own first lines."""


@dataclass(frozen=True, slots=True)
class Context:
    """The given data of one judgement. Nothing in it is looked up: the checks stay pure."""

    session: Session
    policy: Policy
    known: Sequence[KnownFact] = ()
    tombstones: Sequence[Tombstone] = ()
    refusals: Sequence[Refusal] = ()
    repo: RepoAnswers | None = None
    text: SessionText = field(init=False)
    _by_type: dict[str, list[KnownFact]] = field(init=False, default_factory=dict)
    _by_slot: dict[tuple[str, str], tuple[KnownFact, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", SessionText(self.session))
        for fact in self.known:
            self._by_type.setdefault(fact.type, []).append(fact)

    def known_of(self, fact_type: FactType) -> Sequence[KnownFact]:
        """The known facts of one type."""
        return self._by_type.get(fact_type.name, ())

    def known_in(self, fact_type: FactType, subject: str) -> tuple[KnownFact, ...]:
        """The known facts of one slot, dated rules among them; ``subject`` is canonical."""
        slot = (fact_type.name, subject)
        if slot not in self._by_slot:
            facts = self.known_of(fact_type)
            self._by_slot[slot] = tuple(f for f in facts if fact_type.canonical_subject(f.subject) == subject)
        return self._by_slot[slot]
