"""One candidate as the checks see it: evidence located, sentence widened, final type, subject and value.

Every property is computed once, when a check first asks for it. A check is ``check(view: View) -> Verdict``.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from validators.verdict import Evidence

if TYPE_CHECKING:
    from datetime import date, datetime

    from extractors.candidate import Candidate
    from policy.model import FactType, Policy
    from transcripts.session import Session, Turn
    from validators.context import Context
    from validators.language.reading import Assent, Reading


class View:
    """A lazily computed reading of one well-formed candidate within its session."""

    def __init__(self, candidate: Candidate, context: Context) -> None:
        self.candidate = candidate
        self.context = context

    @property
    def session(self) -> Session:
        """The session that the candidate was drawn from."""
        return self.context.session

    @property
    def policy(self) -> Policy:
        """The policy that the candidate is judged under."""
        return self.context.policy

    @cached_property
    def fact_type(self) -> FactType | None:
        """The allowed type that the candidate names, or None."""
        return self.policy.types.get(self.candidate.type.strip())

    @cached_property
    def turn(self) -> Turn | None:
        """The developer turn whose typed (or chosen) words hold the quote, or None."""
        raise NotImplementedError

    @cached_property
    def evidence(self) -> Evidence | None:
        """Where the quote stands in ``turn``, or None."""
        raise NotImplementedError

    @cached_property
    def chosen(self) -> bool:
        """Whether the quote stands in an option that the developer picked, not in typed words."""
        raise NotImplementedError

    @cached_property
    def sentence(self) -> str:
        """The quote widened to the whole sentence(s) around it, verbatim; empty when there is no evidence.

        A list item brings the line that introduces its list, on a line of its own before it.
        """
        raise NotImplementedError

    @cached_property
    def focus(self) -> tuple[int, int] | None:
        """The half-open span of the quote within ``sentence``."""
        raise NotImplementedError

    @cached_property
    def before(self) -> str:
        """The sentence just before ``sentence`` in the same turn, or empty."""
        raise NotImplementedError

    @cached_property
    def after(self) -> str:
        """The sentence just after ``sentence`` in the same turn, or empty: it may hold a bare "just this once"."""
        raise NotImplementedError

    @cached_property
    def previous_agent_text(self) -> str:
        """What the agent said since the developer's turn before ``turn``; empty when it said nothing."""
        raise NotImplementedError

    @cached_property
    def subject(self) -> str:
        """The final canonical subject, filled from the sentence where the candidate left it empty."""
        raise NotImplementedError

    @cached_property
    def value(self) -> str:
        """The final value as it is shown and stored."""
        raise NotImplementedError

    @cached_property
    def until(self) -> date | None:
        """The last day of a dated rule whose end the text states, or None."""
        raise NotImplementedError

    @cached_property
    def stated_at(self) -> datetime | None:
        """When the developer said it: the turn's time, else the session's end."""
        raise NotImplementedError

    @cached_property
    def reading(self) -> Reading:
        """What the sentence's words say about standing, occasion, assertion and owner."""
        raise NotImplementedError

    @cached_property
    def assent(self) -> Assent | None:
        """The developer's bare assent to what the agent said just before, or None."""
        raise NotImplementedError
