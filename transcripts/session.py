"""What every reader produces: one session, its turns, and who really said each stretch of them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace


class Speaker(StrEnum):
    """Who a turn belongs to."""

    DEVELOPER = "developer"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"


class Origin(StrEnum):
    """Where a stretch of a developer turn comes from. Only ``typed`` is evidence; ``chosen`` counts like an assent."""

    TYPED = "typed"
    PASTED = "pasted"
    INJECTED = "injected"
    CHOSEN = "chosen"


class Segment(Struct, frozen=True, gc=False):
    """A stretch of a turn with one origin."""

    origin: Origin
    text: str


class Turn(Struct, frozen=True, gc=False):
    """One message. The segments' texts, concatenated, are the turn's text; offsets into it are evidence spans.

    ``id`` is the agent's native id, or a content hash where the format has none. ``time`` is aware, or None.
    ``channel`` says where the words stood: prompt, queued, rejection, answer, beside_tool, command_args.
    """

    id: str
    speaker: Speaker
    segments: tuple[Segment, ...]
    time: datetime | None = None
    withdrawn: bool = False
    cwd: str | None = None
    branch: str | None = None
    developer: str | None = None
    channel: str = "prompt"

    @property
    def text(self) -> str:
        """The whole text, verbatim."""
        return "".join([segment.text for segment in self.segments])

    @property
    def said(self) -> str:
        """What the developer typed or picked, without the white space around it."""
        return "".join([part.text for part in self.segments if part.origin in (Origin.TYPED, Origin.CHOSEN)]).strip()

    def taken_back(self) -> Turn:
        """The same turn, withdrawn."""
        return replace(self, withdrawn=True)


class BadLine(Struct, frozen=True, gc=False):
    """One record that could not be read. It never costs the session; it is counted and named."""

    line: int
    reason: str


class Session(Struct, frozen=True, gc=False):
    """One finished conversation between a developer and a coding agent in one repository.

    ``repo`` is the owner key found by code (normalised remote, else root commit, else real path), never a folder slug.
    ``automation`` is True where a program, not a person, sent the prompts (sub-agents, exec, SDK runs).
    ``parent`` is the session that this one was forked or resumed from.
    """

    id: str
    agent: str
    repo: str
    turns: tuple[Turn, ...]
    developer: str | None = None
    cwd: str | None = None
    branch: str | None = None
    started: datetime | None = None
    ended: datetime | None = None
    path: Path | None = None
    parent: str | None = None
    automation: bool = False
    bad_lines: tuple[BadLine, ...] = ()
    incomplete: bool = False  # the last record was still being written: read again later
    remains: bool = False  # only prompts are left of it, in another file than its own

    def developer_turns(self) -> tuple[Turn, ...]:
        """The developer's turns that were not withdrawn."""
        return tuple(t for t in self.turns if t.speaker is Speaker.DEVELOPER and not t.withdrawn)


class Skipped(Struct, frozen=True, gc=False):
    """A file that holds no session for us: a value with a reason, not an exception.

    ``code`` is one of: ``not_a_session`` (side files), ``empty``, ``unrecognised`` (agent turns, no developer turn),
    ``unknown_format``, ``automation``, ``sub_agent``, ``several`` (a file of many,
    of which none was named). ``session`` is what was read of it, for a person who asks.
    """

    path: Path
    code: str
    reason: str
    session: Session | None = None
