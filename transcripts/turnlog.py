"""What every reader fills as it goes through a file: the turns in file order, and what the session has already said.

Developer turns are always kept whole. Agent and tool turns are context: their texts are capped, and past a budget per
session no more of them are kept, so that memory is bounded whatever a file holds.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.earlier import Earlier
from transcripts.plausible import BEFORE, SINCE
from transcripts.segments import segment
from transcripts.session import Origin, Segment, Session, Skipped, Speaker, Turn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from transcripts.session import BadLine

TOOL_HEAD, TOOL_TAIL = 6_000, 2_000  # characters kept of one tool output
SCREENFUL = 1_500  # characters of a tool output that people see and copy from
AGENT_HEAD, AGENT_TAIL = 40_000, 10_000
CONTEXT_CHARACTERS = 24_000_000  # of agent and tool text per session
CONTEXT_TURNS = 60_000

_DEVELOPER, _AGENT, _TOOL, _SYSTEM = Speaker.DEVELOPER, Speaker.AGENT, Speaker.TOOL, Speaker.SYSTEM
_TYPED, _PASTED, _INJECTED = Origin.TYPED, Origin.PASTED, Origin.INJECTED  # looked up once: turns are many


class TurnLog:
    """The turns of one session while it is being read."""

    def __init__(self) -> None:
        """An empty session."""
        self.turns: list[Turn] = []
        self.earlier = Earlier()
        self.seen: set[str] = set()
        self.spoke = False  # whether an agent has said or done anything
        self.automated = 0  # prompts that a program sent
        self._characters = 0
        self._context = 0
        self._last_time: datetime | None = None
        self._last_agent = ""

    def agent(self, ident: str, text: str, time: datetime | None = None) -> None:
        """Something that the agent said to the developer."""
        self.spoke = True
        if len(text) > AGENT_HEAD + AGENT_TAIL:
            text = capped(text, AGENT_HEAD, AGENT_TAIL)
        self._last_agent = text
        self._add_context(ident, _AGENT, text, time)

    def tool(self, ident: str, text: str, time: datetime | None = None) -> None:
        """What a tool gave back; also what a sub-agent said, which the developer did not see."""
        if len(text) > TOOL_HEAD + TOOL_TAIL:
            text = capped(text, TOOL_HEAD, TOOL_TAIL)
        self._add_context(ident, _TOOL, text, time)

    def system(self, ident: str, text: str, time: datetime | None = None) -> None:
        """A whole message that a program put where the developer's messages stand."""
        self._add_context(ident, _SYSTEM, capped(text, TOOL_HEAD, TOOL_TAIL), time)

    def _add_context(self, ident: str, speaker: Speaker, text: str, time: datetime | None) -> None:
        if not text:
            return
        self.earlier.add(text if speaker is _AGENT else text[:SCREENFUL])
        self._characters += len(text)
        self._context += 1
        if self._characters > CONTEXT_CHARACTERS or self._context > CONTEXT_TURNS or ident in self.seen:
            return
        self.seen.add(ident)
        if time is not None:
            self._last_time = time
        self.turns.append(Turn(ident, speaker, (Segment(_INJECTED, text),), self._last_time))

    def cut(self, text: str, *, human: bool = True) -> tuple[Segment, ...]:
        """The segments of developer text, compared with what the session has said so far."""
        return segment(text, self.earlier, human=human)

    def developer(
        self,
        ident: str,
        segments: tuple[Segment, ...],
        time: datetime | None = None,
        *,
        withdrawn: bool = False,
        cwd: str | None = None,
        branch: str | None = None,
        developer: str | None = None,
        channel: str = "prompt",
    ) -> Turn | None:
        """A developer turn, once per ``ident``. Without a word that is not injected it becomes a system turn."""
        if ident in self.seen:
            return None
        segments = joined(segments)
        words = [part for part in segments if part.origin is not _INJECTED]
        if not words:
            self.system(ident, "".join(part.text for part in segments), time)
            return None
        self.seen.add(ident)
        if self._last_agent and not withdrawn and self._context > CONTEXT_TURNS:
            answer = (Segment(_INJECTED, self._last_agent),)  # what an assent needs is kept past the budget
            self.turns.append(Turn(f"{ident}#before", _AGENT, answer, self._last_time))
        self._last_agent = ""
        turn = Turn(ident, _DEVELOPER, segments, self.at(time), withdrawn, cwd, branch, developer, channel)
        self.turns.append(turn)
        for part in words:
            if part.origin is _TYPED:
                self.earlier.add_own(part.text)
            elif part.origin is _PASTED:
                self.earlier.add(part.text)
        return turn

    def at(self, time: datetime | None) -> datetime | None:
        """The time of a record; one without a usable time happened when its neighbour did."""
        if time is not None:
            self._last_time = time
        return self._last_time

    def finish(
        self,
        path: Path,
        *,
        agent: str,
        ident: str,
        repo: str,
        bad: list[BadLine],
        incomplete: bool = False,
        developer: str | None = None,
        cwd: str | None = None,
        branch: str | None = None,
        started: datetime | None = None,
        ended: datetime | None = None,
        parent: str | None = None,
        automation: bool = False,
        remains: bool = False,
    ) -> Session | Skipped:
        """The session, or why the file holds none for us."""
        times = [] if started and ended else [turn.time for turn in self.turns if turn.time is not None]
        session = Session(
            id=ident,
            agent=agent,
            repo=repo or f"unknown:{agent}:{ident}",  # shared with no other session
            turns=tuple(self.turns),
            developer=developer,
            cwd=cwd,
            branch=branch,
            started=started or min(times, default=None),
            ended=ended or max(times, default=None),
            path=path,
            parent=parent,
            automation=automation,
            bad_lines=tuple(bad),
            incomplete=incomplete,
            remains=remains,
        )
        if any(turn.speaker is _DEVELOPER for turn in self.turns):
            return session
        return self._skipped(path, session)

    def _skipped(self, path: Path, session: Session) -> Skipped:
        agent = session.agent
        if self.automated:
            reason = f"a program sent all {self.automated} prompts of this {agent} session"
            return Skipped(path, "automation", reason, session)
        if self.spoke:
            reason = f"{agent}: the agent speaks in this file, but no developer turn was recognised"
            return Skipped(path, "unrecognised", reason, session)
        state = "; its last line is still being written" if session.incomplete else ""
        lost = f"; {len(session.bad_lines)} lines could not be read" if session.bad_lines else ""
        return Skipped(path, "empty", f"{agent}: nobody has said anything in this file{state}{lost}", session)


def joined(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The same text with neighbours of one origin put together and empty segments left out."""
    if len(segments) < 2:
        return segments
    out: list[Segment] = []
    for part in segments:
        if not part.text:
            continue
        if out and out[-1].origin is part.origin:
            out[-1] = Segment(part.origin, out[-1].text + part.text)
        else:
            out.append(part)
    return tuple(out)


def capped(text: str, head: int, tail: int) -> str:
    """The beginning and the end of a long text, with a note between them about how much is left out.

    Cut between lines, or else between words, so that neither part holds half of a credential: half of one is not
    recognised. A text without a line's end near the cut loses its end.
    """
    if len(text) <= head + tail:
        return text
    if "-----BEGIN" in text:  # a key over many lines: no place inside it is a good one
        from transcripts.secrets import redact

        text = redact(text)
    first = max(text.rfind("\n", head // 2, head), 0) or max(text.rfind(" ", 0, head), 0)
    last = text.find("\n", len(text) - tail, len(text) - tail // 2)
    end = text[last:] if last >= 0 else "\n"
    return f"{text[:first]}\n[… {len(text) - first - len(end)} characters left out …]{end}"


@cache
def _digest() -> Callable[[bytes], Any]:
    import hashlib

    return hashlib.sha256


def content_id(*parts: str) -> str:
    """The identity of a turn that its format gives none: the same words at the same place, the same id."""
    return str(_digest()("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:20])


def parse_time(value: Any) -> datetime | None:
    """An aware time from an ISO string (without a zone: UTC) or a Unix stamp in seconds or milliseconds.

    None for what is no time, and for a time at which no session can have taken place.
    """
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            moment = datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return moment if SINCE <= moment < BEFORE else None
