"""What a pass came to, in the shape that ``afterpass run --json`` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store.records import Applied, Landed, SessionState
from validators.verdict import Decision

if TYPE_CHECKING:
    from extractors.interface import Call
    from flows.noting import Noted


@dataclass(frozen=True, slots=True)
class Failure:
    """One session that is left pending or failed: where it failed, why, and what to run next."""

    session: str
    path: str
    step: str
    error: str
    next: str

    def to_json(self) -> dict[str, str]:
        """The shape of one entry of ``failures``."""
        return {
            "session": self.session,
            "path": self.path,
            "step": self.step,
            "error": self.error,
            "next": self.next,
        }


@dataclass(frozen=True, slots=True)
class Skip:
    """One file that holds no session for us, with the reason."""

    path: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Damage:
    """Lines of a transcript that could not be read; they cost the session nothing else. ``first`` names one and why."""

    path: str
    lines: int
    first: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """The counts of one pass.

    ``sessions`` counts by state what was taken. Not taken were: ``unchanged`` files that are on record already,
    ``unfinished`` sessions that still go on, ``older`` ones that ended before the bound, ``waiting`` ones that a hook
    announced and that have no transcript yet, ``busy`` ones that another pass has. ``repeated`` decisions rest on
    statements that were counted before. ``notes`` is how many sessions got one, ``note_problems`` pairs a session
    with what went wrong with its note. ``seconds`` is wall time.
    """

    sessions: dict[str, int]
    decisions: dict[str, int]
    codes: dict[str, int]
    failures: tuple[Failure, ...] = ()
    skips: tuple[Skip, ...] = ()
    damaged: tuple[Damage, ...] = ()
    unchanged: int = 0
    unfinished: int = 0
    older: int = 0
    waiting: tuple[str, ...] = ()
    busy: int = 0
    repeated: int = 0
    notes: int = 0
    note_problems: tuple[tuple[str, str], ...] = ()
    extractor: str = ""
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    dry_run: bool = False

    @property
    def ok(self) -> bool:
        """Whether every session taken is done or skipped."""
        return not self.sessions[SessionState.PENDING] and not self.sessions[SessionState.FAILED]

    def to_json(self) -> dict[str, Any]:
        """One JSON object; the first four keys are relied on elsewhere."""
        return {
            "sessions": dict(self.sessions),
            "decisions": dict(self.decisions),
            "codes": dict(self.codes),
            "failures": [failure.to_json() for failure in self.failures],
            "skipped": [{"path": skip.path, "code": skip.code, "reason": skip.reason} for skip in self.skips],
            "damaged": [{"path": item.path, "lines": item.lines, "first": item.first} for item in self.damaged],
            "unchanged": self.unchanged,
            "unfinished": self.unfinished,
            "older": self.older,
            "waiting": list(self.waiting),
            "busy": self.busy,
            "repeated": self.repeated,
            "notes": {
                "written": self.notes,
                "problems": [{"session": session, "problem": problem} for session, problem in self.note_problems],
            },
            "extractor": self.extractor,
            "model": self.model,
            "tokens": {"input": self.input_tokens, "output": self.output_tokens},
            "seconds": round(self.seconds, 3),
            "dry_run": self.dry_run,
        }


@dataclass(slots=True)
class Tally:
    """The counts while a pass runs. A session that is met twice counts once, in its last state."""

    states: dict[str, SessionState] = field(default_factory=dict)
    decisions: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failure] = field(default_factory=dict)
    skips: dict[str, Skip] = field(default_factory=dict)
    damaged: dict[str, Damage] = field(default_factory=dict)
    unchanged: int = 0
    unfinished: int = 0
    older: int = 0
    waiting: list[str] = field(default_factory=list)
    busy: int = 0
    repeated: int = 0
    notes: int = 0
    note_problems: dict[str, str] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0

    def done(self, key: str, decisions: Iterable[Decision], landed: Landed | None) -> None:
        """A session's decisions are kept (or, in a dry run, ``landed`` is None and they would be)."""
        self.states[key] = SessionState.DONE
        self.decided(decisions, landed)

    def decided(self, decisions: Iterable[Decision], landed: Landed | None) -> None:
        """Decisions of a session, or about the facts of a repository."""
        applied = [row.applied for row in landed.decisions] if landed else None
        for position, decision in enumerate(decisions):
            if applied and applied[position] is Applied.ALREADY_USED:
                self.repeated += 1
                continue
            self.decisions[decision.disposition.value] += 1
            self.codes[decision.code.value] += 1

    def noted(self, key: str, noted: Noted) -> None:
        """A session's note is kept, or something went wrong with it."""
        self.notes += noted.note is not None
        if noted.problem:
            self.note_problems[key] = noted.problem

    def skipped(self, key: str, skip: Skip) -> None:
        """A file or session holds nothing for us."""
        self.states[key] = SessionState.SKIPPED
        self.skips[key] = skip

    def left(self, key: str, failure: Failure, *, failed: bool) -> None:
        """A session stays pending, or has failed for good."""
        self.states[key] = SessionState.FAILED if failed else SessionState.PENDING
        self.failures[key] = failure

    def closed(self, path: str, error: OSError) -> None:
        """A folder cannot be looked into: what is in it waits."""
        next_step = f"make it readable, then: afterpass run {path}"
        self.left(path, Failure(path, path, "find", error.strerror or str(error), next_step), failed=False)

    def spent(self, calls: Iterable[Call]) -> None:
        """What a session's model calls cost, whether they led anywhere or not."""
        for call in calls:
            self.input_tokens += call.tokens_in or 0
            self.output_tokens += call.tokens_out or 0

    def result(self, *, extractor: str, model: str | None, seconds: float, dry_run: bool) -> RunResult:
        """The counts as they stand."""
        counted = Counter(self.states.values())
        shown = (SessionState.DONE, SessionState.SKIPPED, SessionState.PENDING, SessionState.FAILED)
        return RunResult(
            sessions={state.value: counted[state] for state in shown},
            decisions=dict(sorted(self.decisions.items())),
            codes=dict(sorted(self.codes.items())),
            failures=tuple(self.failures.values()),
            skips=tuple(self.skips.values()),
            damaged=tuple(self.damaged.values()),
            unchanged=self.unchanged,
            unfinished=self.unfinished,
            older=self.older,
            waiting=tuple(self.waiting),
            busy=self.busy,
            repeated=self.repeated,
            notes=self.notes,
            note_problems=tuple(self.note_problems.items()),
            extractor=extractor,
            model=model,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            seconds=seconds,
            dry_run=dry_run,
        )
