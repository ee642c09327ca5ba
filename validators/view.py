"""One candidate as the checks see it: evidence located, sentence widened, final type, subject and value.

Every property is computed once, when a check first asks for it. A check is ``check(view: View) -> Verdict``.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from extractors.candidate import Kind
from extractors.questions import Asked, last_asked, unescaped
from policy.model import SubjectRule
from transcripts.secrets import PLACEHOLDER, find_secrets
from transcripts.session import Origin, Speaker
from validators.answers import disputed, of_ban
from validators.dates import stated_end
from validators.language.reading import assent, is_stated, read_sentence
from validators.locate import Located, Place
from validators.subjects import final_subject, mentioned_subjects
from validators.values.kinds import KINDS, ValueKind, same_value
from validators.values.manager import ecosystem_of
from validators.verdict import Evidence, KnownFact
from validators.widen import Widened, introduced_commands, widen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from extractors.candidate import Candidate
    from policy.model import FactType, Policy
    from transcripts.secrets import Span
    from transcripts.session import Session, Turn
    from validators.context import Context
    from validators.language.reading import Assent, Reading

INTRODUCED = 40  # characters of white space at most between a sentence and what it introduces
QUESTION = 400  # characters of the agent's last words in which a question is looked for
MOST_PLACES = 8  # of one quote that are compared before one is chosen
NOT_FOUND = Widened("", None, (), "", "")


class View:
    """A lazily computed reading of one well-formed candidate within its session."""

    def __init__(self, candidate: Candidate, context: Context) -> None:
        self.candidate = candidate
        self.context = context
        self.peers: Sequence[View] = ()  # the session's other candidates that stand as statements or forgets
        self.written: Sequence[View] = ()  # those of them that were written before this one

    @property
    def session(self) -> Session:
        """The session that the candidate was drawn from."""
        return self.context.session

    @property
    def policy(self) -> Policy:
        """The policy that the candidate is judged under."""
        return self.context.policy

    @property
    def is_forget(self) -> bool:
        """Whether the candidate asks to forget, not to keep."""
        return self.candidate.kind is Kind.FORGET

    # -- what it is about ------------------------------------------------------------------------------------------

    @cached_property
    def fact_type(self) -> FactType | None:
        """The allowed type that the candidate names, or None."""
        return self.policy.types.get(self.candidate.type.strip())

    @cached_property
    def kind(self) -> ValueKind | None:
        """The functions of the type's kind of value, or None without a type."""
        return KINDS[self.fact_type.value] if self.fact_type else None

    @cached_property
    def value(self) -> str:
        """The final value as it is shown and stored."""
        return self.kind.clean(self.candidate.value) if self.kind else self.candidate.value.strip()

    @cached_property
    def subject(self) -> str:
        """The final canonical subject, filled from the sentence where the candidate left it empty."""
        if not self.fact_type:
            return " ".join(self.candidate.subject.casefold().split())
        facts = self.context.known_of(self.fact_type)
        if self.fact_type.subject is SubjectRule.TOPIC and self.value:
            under = {self.fact_type.canonical_subject(fact.subject) for fact in facts if self.same(fact.value)}
            if len(under) == 1:
                return under.pop()  # the same statement, whatever its topic is called this time
        known = [self.fact_type.canonical_subject(fact.subject) for fact in facts]
        found = self._subject_from(self.sentence, self.quote, known)
        if not found and self.by_assent:
            found = self._subject_from(self.previous_agent_text, self.previous_agent_text, known)
        if not found and self.is_forget and self.fact_type.subject is not SubjectRule.NONE:
            mentioned = mentioned_subjects(self.fact_type, self.sentence, known)
            return mentioned[0] if len(mentioned) == 1 else ""
        return found

    def _subject_from(self, sentence: str, quote: str, known: list[str]) -> str:
        if not self.fact_type or (self.is_forget and not self.candidate.subject.strip()):
            return ""
        return final_subject(
            self.fact_type, self.candidate.subject, sentence=sentence, quote=quote, value=self.value, known=known
        )

    # -- where it was said -----------------------------------------------------------------------------------------

    @cached_property
    def located(self) -> Located:
        """The quote's place, or where it stands when it is no evidence.

        Where the quote stands more than once, the first place is taken whose sentence holds the value, and of those the
        first that nothing in its sentence speaks against.
        """
        places = self.context.text.locate(self.candidate.evidence, self.candidate.turn)
        if len(places) == 1 or not self.value:
            return places[0]
        holding = [place for place in places[:MOST_PLACES] if self._supports(self._widened_at(place).text)]
        plain = (place for place in holding if len(holding) == 1 or self._reads_plainly(place))
        return next(plain, None) or (holding or places)[0]

    def _reads_plainly(self, place: Located) -> bool:
        found = self._widened_at(place)
        reading = read_sentence(found.text, found.focus, self.value, self.policy)
        return not (reading.contrary or reading.negated or reading.other_owner)

    @cached_property
    def turn(self) -> Turn | None:
        """The developer turn whose typed (or chosen) words hold the quote, or None."""
        return self.located.turn

    @cached_property
    def chosen(self) -> bool:
        """Whether the quote stands in an option that the developer picked, not in typed words."""
        return self.located.place is Place.CHOSEN

    @cached_property
    def evidence(self) -> Evidence | None:
        """Where the quote stands in ``turn``, or None."""
        place = self.located
        if place.turn is None:
            return None
        return Evidence(place.turn.id, place.start, place.end, place.turn.text[place.start : place.end])

    @property
    def quote(self) -> str:
        """The quote as it stands in the turn, or empty."""
        return self.evidence.text if self.evidence else ""

    @property
    def position(self) -> tuple[int, int, int]:
        """The evidence's place in the session's order of words."""
        return self.located.at, self.located.start, self.located.end

    @cached_property
    def widened(self) -> Widened:
        """The quote widened to whole sentences, with its neighbours."""
        return self._widened_at(self.located)

    def _widened_at(self, place: Located) -> Widened:
        if place.turn is None:
            return NOT_FOUND
        origin = Origin.CHOSEN if place.place is Place.CHOSEN else Origin.TYPED
        return widen(self.context.text.turn(place.at), origin, place.start, place.end)

    @property
    def sentence(self) -> str:
        """The quote widened to the whole sentence(s) around it, verbatim; empty when there is no evidence.

        A list item brings the line that introduces its list, on a line of its own before it.
        """
        return self.widened.text

    @property
    def focus(self) -> tuple[int, int] | None:
        """The half-open span of the quote within ``sentence``."""
        return self.widened.focus

    @property
    def before(self) -> str:
        """The sentence just before ``sentence`` in the same turn, or empty."""
        return self.widened.before

    @property
    def after(self) -> str:
        """The sentence just after ``sentence`` in the same turn, or empty: it may hold a bare "just this once"."""
        return self.widened.after

    @cached_property
    def previous_agent_text(self) -> str:
        """What the agent said since the developer's turn before ``turn``; empty when it said nothing."""
        said: list[str] = []
        for turn in reversed(self.session.turns[: max(self.located.at, 0)]):
            if turn.speaker is Speaker.DEVELOPER and not turn.withdrawn:
                break
            if turn.speaker is Speaker.AGENT:
                said.append(turn.text)
        return "\n".join(reversed(said))

    @cached_property
    def stated_at(self) -> datetime | None:
        """When the developer said it: the turn's time, else the session's end."""
        said = (self.turn.time if self.turn else None) or self.session.ended or self.session.started
        return aware(said)

    @cached_property
    def session_end(self) -> datetime | None:
        """When the session ended, as far as its records say."""
        times = [turn.time for turn in self.session.turns if turn.time]
        return aware(self.session.ended or (times[-1] if times else self.session.started))

    # -- what the words say ----------------------------------------------------------------------------------------

    @cached_property
    def reading(self) -> Reading:
        """What the sentence's words say about standing, occasion, assertion and owner."""
        return read_sentence(self.sentence, self.focus, self.value, self.policy)

    @cached_property
    def stated(self) -> bool:
        """Whether the sentence states what the type is about, as against only mentioning the value."""
        if self.fact_type is None or not self.in_sentence:
            return True
        said = self.previous_agent_text[-QUESTION:]
        return is_stated(
            self.sentence,
            self.focus,
            self._forms(),
            fact_type=self.fact_type,
            subject=self.subject,
            question=said if "?" in said else "",
            policy=self.policy,
        )

    def _forms(self) -> Iterator[str]:
        """The spellings in which the sentence may hold the value."""
        yield self.value
        plain = self.kind.normalise(self.value) if self.kind else self.value
        yield from (plain, f"{plain}/")

    @cached_property
    def assent(self) -> Assent | None:
        """The developer's bare assent to what the agent said just before, or None."""
        if self.turn is None or not self.previous_agent_text:
            return None
        typed = "".join(segment.text for segment in self.turn.segments if segment.origin is Origin.TYPED)
        return assent(typed, self.policy)

    @cached_property
    def asked(self) -> Asked | None:
        """The one question that the agent's last words before the turn end with."""
        return last_asked(self.previous_agent_text)

    @cached_property
    def by_assent(self) -> bool:
        """Whether the value is the agent's and the developer only agreed to it, or picked it from options.

        A leave to edit agrees to no ban; a no to the question whether the ban is lifted does.
        """
        ban = of_ban(self)
        if ban and not ban.holds:
            return False
        if self.chosen:
            return True
        return bool(ban or self.assent) and bool(self.value) and not self.in_sentence

    @cached_property
    def value_supported(self) -> bool:
        """Whether the words around the quote hold the value: the sentence, a command that it introduces, or the
        proposal.
        """
        if not self.value:
            return False
        if self.in_sentence:
            return True
        if (
            self.fact_type
            and self.fact_type.value == "command"
            and any(self._supports(f"`{command}`") for command in introduced_commands(self))
        ):
            return True
        said = self.previous_agent_text
        return self.by_assent and (self._supports(said) or self._supports(unescaped(said)))

    @cached_property
    def in_sentence(self) -> bool:
        """Whether the sentence itself holds the value."""
        return self._supports(self.sentence)

    def _supports(self, text: str) -> bool:
        return bool(text) and self.kind is not None and self.kind.supported(self.value, text)

    @cached_property
    def until(self) -> date | None:
        """The last day of a dated rule: the day that the sentence states, else the candidate's; None for no end."""
        stated = self.reading.dated_until
        said = self.stated_at
        if stated and said:
            return stated_end(stated.text, said.date()) or self.candidate.until
        return self.candidate.until

    # -- what is already held --------------------------------------------------------------------------------------

    def in_slot(self, type_name: str, subject: str) -> bool:
        """Whether a type and subject are this candidate's slot."""
        return (
            self.fact_type is not None
            and type_name == self.fact_type.name
            and self.fact_type.canonical_subject(subject) == self.subject
        )

    def same(self, value: str) -> bool:
        """Whether a value is this candidate's, under the fold of its kind."""
        return self.kind is not None and same_value(self.kind, value, self.value)

    @cached_property
    def slot_facts(self) -> tuple[KnownFact, ...]:
        """The known facts of this candidate's slot, dated rules among them."""
        if not self.fact_type:
            return ()
        return self.context.known_in(self.fact_type, self.subject)

    @cached_property
    def rivals(self) -> tuple[KnownFact, ...]:
        """The known facts that this one is compared with: of a multi type those of the same value, and those that it
        answers a question about; beside a dated rule stands the default, so that a statement without an end has only
        those without one."""
        if self.fact_type and self.fact_type.multi:
            return tuple(f for f in self.slot_facts if self.same(f.value) or f in self.disputed)
        return self.slot_facts if self.until else tuple(f for f in self.slot_facts if f.until is None)

    @cached_property
    def disputed(self) -> tuple[KnownFact, ...]:
        """The known facts of the slot that the agent asked about, and of which the developer said no."""
        return disputed(self)

    @cached_property
    def held_same(self) -> tuple[KnownFact, ...]:
        """The known facts of the slot that hold this very value; a dated rule repeats only what lasts as long."""
        same = (f for f in self.rivals if self.same(f.value))
        return tuple(f for f in same if f.until is None or f.until == self.until)

    @cached_property
    def forget_targets(self) -> tuple[KnownFact, ...]:
        """The known facts that a forget is clearly about: one slot's, or one value of a multi type; else none."""
        if not self.fact_type or not self.is_forget:
            return ()
        facts = self.slot_facts if self.subject or self.fact_type.subject is SubjectRule.NONE else ()
        facts = facts or (() if self.subject else tuple(self.context.known_of(self.fact_type)))
        if self.value:
            facts = tuple(f for f in facts if self.same(f.value))
        slots = {(f.subject, f.value if self.fact_type.multi else "") for f in facts}
        return facts if len(slots) == 1 else ()

    def in_same_slot_as(self, other: View) -> bool:
        """Whether two candidates are about one slot."""
        return self.fact_type is other.fact_type is not None and self.subject == other.subject

    def repeats(self, other: View) -> bool:
        """Whether this candidate says what another has said."""
        by_topic = self.fact_type is other.fact_type and self.fact_type and self.fact_type.subject is SubjectRule.TOPIC
        same_slot = bool(by_topic) or self.in_same_slot_as(other)
        return same_slot and self.same(other.value) and self.until == other.until

    @cached_property
    def repo_answer(self) -> str | None:
        """What the repository's machine-read files say about the slot, or None."""
        if not self.fact_type or self.context.repo is None or self.fact_type.multi:
            return None
        return self.context.repo.answer(self.fact_type.name, self._repo_subject)

    @cached_property
    def agrees_with_repo(self) -> bool:
        """Whether the repository's files already say this value."""
        if not self.fact_type or self.context.repo is None or not self.value:
            return False
        return self.context.repo.holds(self.fact_type.name, self._repo_subject, self.value)

    @property
    def _repo_subject(self) -> str:
        """The subject to ask the files about: a manager without one is asked about in its own ecosystem."""
        if self.kind and self.kind.name == "manager" and not self.subject:
            return ecosystem_of(self.value)
        return self.subject

    @cached_property
    def credential(self) -> str | None:
        """Where a credential stands (value, quote or sentence) and of what kind it is, or None."""
        for text, where in ((self.candidate.value, "value"), (self.candidate.evidence, "quote")):
            found = find_secrets(text)
            if found or PLACEHOLDER in text:
                return f"the {where} holds a credential ({found[0].kind if found else 'redacted'})"
        if PLACEHOLDER in self.sentence:
            return "the sentence holds a credential (redacted)"
        for span in self.turn_secrets:
            if any(self._reaches(span, start, end) for start, end in self.widened.spans):
                return f"the sentence holds a credential ({span.kind})"
        return None

    def _reaches(self, span: Span, start: int, end: int) -> bool:
        """Whether a credential stands in the sentence [start, end), or follows it as what it introduces."""
        if span.start >= end and self.turn:
            return span.start - end < INTRODUCED and not self.turn.text[end : span.start].strip()
        return start < span.end and span.start < end

    @cached_property
    def turn_secrets(self) -> tuple[Span, ...]:
        """The credentials in the turn as it was said."""
        return tuple(self.context.text.turn(self.located.at).secrets) if self.turn else ()


def aware(moment: datetime | None) -> datetime | None:
    """A moment with its zone; one without is taken for UTC."""
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
