"""Two extractors as one: both propose, and what both propose is judged once."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from extractors.candidate import Candidate, Malformed
from extractors.interface import Extraction, Extractor

if TYPE_CHECKING:
    from policy.model import FactType, Policy
    from transcripts.session import Session

log = logging.getLogger(__name__)


class UnionExtractor:
    """``exact`` quotes and reads values by code, ``model`` finds what no pattern does. Where both mean the same, the
    exact one stands. An error of the model is the union's error: its part of the session is never silently missing.
    """

    def __init__(self, exact: Extractor, model: Extractor) -> None:
        self.exact = exact
        self.other = model
        self.name = f"{exact.name}+{model.name}"
        self.model = model.model

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        """The candidates of both, without the model's doubles."""
        exact = self.exact.propose(session, policy=policy, known_slots=known_slots, first_turn=first_turn)
        other = self.other.propose(session, policy=policy, known_slots=known_slots, first_turn=first_turn)
        known = [one for one in exact.candidates if isinstance(one, Candidate)]
        added: list[Candidate | Malformed] = []
        for one in other.candidates:
            double = isinstance(one, Candidate) and next((k for k in known if same(k, one, policy)), None)
            if double:
                log.debug("session %s: %s of %s is %s's too", session.id, double.type, self.other.name, self.exact.name)
            else:
                added.append(one)
        return Extraction((*exact.candidates, *added), (*exact.calls, *other.calls))


def same(one: Candidate, other: Candidate, policy: Policy) -> bool:
    """Whether both propose the same from the same words: overlapping quotes of one turn, one slot, one value.

    A subject that only one of them names does not tell them apart, and neither does the wording of a statement.
    """
    if one.turn != other.turn or not _overlap(one.evidence, other.evidence):
        return False
    a, b = policy.types.get(one.type), policy.types.get(other.type)
    if a is None or b is None or (one.kind == "forget") != (other.kind == "forget"):
        return False
    if a.value == "statement" and b.value == "statement":
        return one.kind == "forget" or _overlap(one.value, other.value)
    if one.type != other.type:
        return False
    subjects = {_subject(one, a), _subject(other, b)} - {""}
    values = {_fold(value).removesuffix("/") for value in (one.value, other.value)}  # "vendor" and "vendor/" are one
    return len(subjects) < 2 and (one.kind == "forget" or len(values) == 1)


def _subject(candidate: Candidate, kind: FactType) -> str:
    return kind.canonical_subject(_fold(candidate.subject))


def _overlap(one: str, other: str) -> bool:
    a, b = _fold(one), _fold(other)
    if not a or not b:
        return False
    if a in b or b in a:
        return True
    words_a, words_b = a.split(), b.split()
    shared = len(set(words_a) & set(words_b))
    return shared * 10 >= 7 * min(len(set(words_a)), len(set(words_b)))


def _fold(text: str) -> str:
    return " ".join(re.sub(r"[`*\"'“”‘’]", "", text).casefold().split()).strip(" .,;:!?")
