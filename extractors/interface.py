"""What every extractor is: something that proposes candidates for a session and says what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from extractors.candidate import Candidate, Malformed

if TYPE_CHECKING:
    from policy.model import Policy
    from transcripts.session import Session


class ReplyFormat(StrEnum):
    """How the shape of a reply was asked for, strictest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Call:
    """One answered question to a model.

    ``tokens_in`` and ``tokens_out`` are the server's own counts, None where it gives none. ``seconds`` is wall time
    with all retries, ``attempts`` the number of requests sent, ``raw_reply`` the reply with credentials redacted.
    """

    model: str
    prompt_version: str
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    attempts: int
    format: ReplyFormat
    raw_reply: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything that one extractor proposed for one session, usable or not, and the model calls it took."""

    candidates: tuple[Candidate | Malformed, ...]
    calls: tuple[Call, ...] = ()


class Extractor(Protocol):
    """Proposes generously; nothing of what it says is believed before the checks have seen it."""

    @property
    def name(self) -> str:
        """Who proposes: ``cues``, ``ollama``, ``openai``, or a union such as ``cues+ollama``."""

    @property
    def model(self) -> str | None:
        """The model's name as the server knows it, None where no model is asked."""

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        """The candidates of ``session``.

        ``known_slots`` are (type, subject) pairs that already hold a fact; their values are not shown to anybody.
        ``first_turn`` is an index into ``session.turns``: what stands before it is context and is never quoted.
        Raises :class:`~extractors.errors.Transient` or :class:`~extractors.errors.Terminal`; an empty result always
        means that the session was read and holds nothing.
        """
