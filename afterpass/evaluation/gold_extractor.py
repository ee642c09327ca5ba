"""An extractor that knows the gold: it proposes what a case says is true, quoted from the words that say it.

Nothing is recorded by hand: the evidence is found in the developer's turns by code, so that every check runs for real.
On request it also proposes what tempts: every wrong value of the case wherever a session shows it, labelled as a
standing rule of the asked slot, the way a careless extractor would.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from afterpass.recall.wording import fold, stems
from extractors.candidate import Candidate, Kind
from extractors.interface import Extraction
from transcripts.session import Origin, Speaker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from afterpass.evaluation.lifecycle_cases import Gold, LifecycleCase
    from policy.model import Policy
    from transcripts.session import Session, Turn

SENTENCE = re.compile(r"[^\n.!?]*(?:[.!?](?!\s|$)[^\n.!?]*)*[.!?]?")
FORGETTING = re.compile(
    r"\b(?:forget|drop|scrap|no longer|obsolete|any ?more|remove|delete|discard|ignore|retire|gone|dead|stop|void)\b",
    re.IGNORECASE,
)
CORRECTING = re.compile(
    r"\b(?:wrong|mistake|actually|never (?:was|were)|correct|misread|in fact|since day one|not)\b", re.IGNORECASE
)
KINDS = {"correction": Kind.CORRECTION, "forget": Kind.FORGET}


class GoldExtractor:
    """Proposes the gold of one case; with ``tempted`` also what tempts."""

    model = None

    def __init__(self, case: LifecycleCase, *, tempted: bool = False) -> None:
        self.case = case
        self.name = "gold+tempting" if tempted else "gold"
        self.tempted = tempted
        self.gold = {session.id: session.gold for session in case.sessions}

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        """The session's gold, each with the sentence that states it. Gold that nobody said is not proposed."""
        found = [(gold, evidence_of(gold, session)) for gold in self.gold.get(session.id, ())]
        candidates = [
            Candidate(
                evidence=evidence[1],
                type=gold.type,
                kind=KINDS.get(gold.kind, Kind.STANDING),
                value=gold.value if gold.kind != "forget" or _holds(gold.value, evidence[1]) else "",
                subject=gold.subject,
                turn=evidence[0],
                until=gold.until,
                extractor="gold",
            )
            for gold, evidence in found
            if evidence is not None
        ]
        if self.tempted:
            used = {(evidence[0], fold(evidence[1])) for _, evidence in found if evidence is not None}
            candidates += self._tempting(session, used)
        return Extraction(tuple(candidates))

    def _tempting(self, session: Session, used: set[tuple[str, str]]) -> Iterator[Candidate]:
        """Every wrong value that the session shows, but for the sentences that state the gold."""
        ask = self.case.ask
        for turn in session.turns:
            for sentence in sentences(turn.text):
                for value in self.case.tempting:
                    if _holds(value, sentence) and not any(
                        turn.id == where and (fold(quote) in fold(sentence) or fold(sentence) in quote)
                        for where, quote in used
                    ):
                        yield Candidate(
                            evidence=sentence,
                            type=ask.type,
                            kind=Kind.STANDING,
                            value=value,
                            subject=ask.subject,
                            turn=turn.id,
                            extractor="tempting",
                        )


def evidence_of(gold: Gold, session: Session) -> tuple[str, str] | None:
    """``(turn id, quote)`` of the developer's words that state a gold fact, or None where nobody said it.

    The sentence that holds the value; for a forget or a correction without one, the sentence that says so about the
    subject. A value that only the agent named is quoted from the developer's answer to it.
    """
    best: tuple[int, str, str] | None = None
    for turn in session.developer_turns():
        for sentence in sentences(typed_text(turn)):
            points = _points(gold, sentence)
            if points and (best is None or points > best[0]):
                best = points, turn.id, sentence
    if best is not None:
        return best[1], best[2]
    return _assent(gold, session) if gold.value else None


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text; a full stop inside a name ends none."""
    return [piece for match in SENTENCE.finditer(text) if (piece := match.group(0).strip())]


def typed_text(turn: Turn) -> str:
    """What the developer typed in a turn; other segments leave a line break."""
    return "".join(part.text if part.origin is Origin.TYPED else "\n" for part in turn.segments)


def _points(gold: Gold, sentence: str) -> int:
    """How well a sentence states a gold fact; 0 where it does not."""
    about = len(set(stems(gold.subject)) & set(stems(sentence)))
    if gold.kind == "forget" and not _holds(gold.value, sentence):
        words = about + len(set(stems(gold.type.replace("_", " "))) & set(stems(sentence)))
        return 1 + words if FORGETTING.search(sentence) and words else 0
    if gold.value:
        if not _holds(gold.value, sentence):
            return 0
        points = 10 + 2 * about - (3 if sentence.endswith("?") else 0)
        return points + (5 if gold.kind == "correction" and CORRECTING.search(sentence) else 0)
    return 1 + about if gold.kind == "correction" and about and CORRECTING.search(sentence) else 0


def _holds(value: str, sentence: str) -> bool:
    """Whether a sentence holds a value as words of its own."""
    wanted, said = _bare(value), _bare(sentence)
    if not wanted:
        return False
    return (
        bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w|[-/.:]\w)", said))
        if wanted[-1:].isalnum()
        else wanted in said
    )


def _bare(text: str) -> str:
    return fold(text).replace("`", "").replace("“", '"').replace("”", '"').replace("’", "'")


def _assent(gold: Gold, session: Session) -> tuple[str, str] | None:
    """The developer's short answer to an agent turn that holds the value."""
    for before, turn in zip(session.turns, session.turns[1:], strict=False):
        is_answer = turn.speaker is Speaker.DEVELOPER and before.speaker is Speaker.AGENT and not turn.withdrawn
        if is_answer and _holds(gold.value, before.text):
            said = sentences(typed_text(turn))
            if said and len(said[0].split()) <= 12:
                return turn.id, said[0]
    return None
