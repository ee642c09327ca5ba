"""What every candidate of one session is judged against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from policy.model import Policy
from transcripts.session import Session
from validators.verdict import KnownFact, Refusal, Tombstone


class RepoAnswers(Protocol):
    """What the repository's machine-read files say."""

    def answer(self, type_name: str, subject: str) -> str | None:
        """The value that the files give for a slot, or None where they give none or more than one."""


@dataclass(frozen=True, slots=True)
class Context:
    """The given data of one judgement. Nothing in it is looked up: the checks stay pure."""

    session: Session
    policy: Policy
    known: Sequence[KnownFact] = ()
    tombstones: Sequence[Tombstone] = ()
    refusals: Sequence[Refusal] = ()
    repo: RepoAnswers | None = None
