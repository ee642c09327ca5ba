"""The nouns of a policy: fact types with their gates and trust windows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from policy.lexicon import Lexicon, Marks


class Scope(StrEnum):
    """Whose facts a type holds."""

    REPO = "repo"
    DEVELOPER = "developer"


class Stakes(StrEnum):
    """How much a wrong value costs. High stakes are asked about before they are acted on."""

    LOW = "low"
    HIGH = "high"


class PastTrust(StrEnum):
    """What reading back does with a fact whose trust window has run out."""

    LOAD = "load"
    FLAG = "flag"
    ASK = "ask"


class SubjectRule(StrEnum):
    """How a type's subject is found."""

    OPTIONAL = "optional"  # may be empty: the whole repository
    REQUIRED = "required"  # quarantined while nobody says which one
    NONE = "none"  # always empty
    TOPIC = "topic"  # made by code from the statement's own words when missing


@dataclass(frozen=True, slots=True)
class FactType:
    """One allowed type of fact.

    ``value`` names the value check of the type: ``manager``, ``command``, ``ref`` (branch, tag pattern, host or
    environment), ``person``, ``path``, ``identifier`` or ``statement``. ``trust_days`` is None where trust never
    runs out.
    """

    name: str
    scope: Scope
    subject: SubjectRule
    value: str
    multi: bool
    stakes: Stakes
    gate: int
    trust_days: int | None
    past_trust: PastTrust
    aliases: tuple[tuple[str, ...], ...] = ()  # groups of subject names that mean the same, the first one is canonical
    describes: str = ""  # one line for the extractor's prompt and the docs

    def canonical_subject(self, subject: str) -> str:
        """The subject under its canonical name, so that ``prod`` and ``production`` are one slot."""
        folded = " ".join(subject.casefold().split())
        for group in self.aliases:
            if folded in group:
                return group[0]
        return folded


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of work: regular expressions for the words that ask for it, and the fact types that it needs.

    ``examples`` are tasks of this kind, ``traps`` are not.
    """

    words: tuple[str, ...]
    types: tuple[str, ...]
    examples: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()

    def fits(self, task: str) -> bool:
        """Whether a task is of this kind, by its words."""
        return re.search(rf"\b(?:{'|'.join(self.words)})", task, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class NoteRanking:
    """How notes of past sessions are found and ranked.

    At most ``candidates`` are found: those with at least ``least_share`` of the best one's relevance, by their vectors
    also with at least ``least_similarity`` (cosine) to the query. They are ranked by the sum of relevance (a share of
    the best one's), recency (halved every ``half_life_days``) and importance (0 to 1), each with its weight. ``keep``
    of them are told, in at most ``tokens``.
    """

    candidates: int
    keep: int
    tokens: int
    least_share: float
    least_similarity: float
    relevance: float
    recency: float
    importance: float
    half_life_days: float


@dataclass(frozen=True, slots=True)
class Policy:
    """A loaded policy, made of ``files``.

    ``folders`` hold the lexicons and cue patterns, which are read on first use: the shipped folder, then the team's.
    """

    types: dict[str, FactType]
    tasks: dict[str, TaskKind]
    notes: NoteRanking
    files: tuple[Path, ...]
    folders: tuple[Path, ...] = (Path(__file__).parent,)

    @property
    def version(self) -> str:
        """A hash of its content, which is stored with every decision made under it; taken once, on first use."""
        from policy.files import content_hash  # what only judges needs no hash

        return content_hash(self.files)

    @property
    def cues(self) -> dict[str, Any]:
        """The cue extractor's patterns, as they stand in ``cues.toml``. Raises :class:`~policy.files.PolicyError`."""
        from policy.files import read_cues  # read on first use: most commands need no cues

        return read_cues(self.folders)

    @property
    def languages(self) -> dict[str, Marks]:
        """The languages that have a lexicon, and how each is recognised."""
        from policy.lexicon import read_marks  # read on first use

        return read_marks(self.folders)

    def lexicon(self, language: str) -> Lexicon:
        """The language's words and phrases. Raises :class:`~policy.files.PolicyError`."""
        from policy.lexicon import read_lexicon  # read on first use

        return read_lexicon(self.folders, language)
