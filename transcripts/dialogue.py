"""The common part of readers for simple formats: messages with a role, in one place, by one developer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from transcripts.owner import developer_of, repository_of
from transcripts.session import Origin, Segment, Session, Skipped, Speaker
from transcripts.templates import expanded, with_arguments
from transcripts.turnlog import TurnLog, content_id

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from transcripts.session import BadLine


class Dialogue:
    """A session that is being read, with turns named by their own ids or by their content."""

    def __init__(self, agent: str) -> None:
        """``agent`` is the reader's name."""
        self.name = agent
        self.log = TurnLog()
        self.ident = ""
        self.cwd: str | None = None
        self.branch: str | None = None
        self.remote: str | None = None
        self.owner: str | None = None
        self.parent: str | None = None
        self.place = ""  # what stands for the repository where neither folder nor remote is known
        self._count = 0

    def id_of(self, native: Any, text: str = "") -> str:
        """The native id, else one made of a developer's text and its place, else the place alone."""
        self._count += 1
        if isinstance(native, str | int) and str(native):
            return str(native)
        return content_id(self.ident, str(self._count), text) if text else f"{self.ident}#{self._count}"

    def developer(
        self,
        text: str,
        time: datetime | None = None,
        *,
        native: Any = None,
        segments: tuple[Segment, ...] | None = None,
        channel: str = "prompt",
        human: bool = True,
        withdrawn: bool = False,
    ) -> None:
        """A message of the developer's; ``segments`` where the format itself says what was typed."""
        if not text.strip() and not segments:
            return
        parts = segments if segments is not None else self.words(text, human=human)
        self._check()
        self.log.developer(
            self.id_of(native, text),
            parts,
            time,
            withdrawn=withdrawn,
            cwd=self.cwd,
            branch=self.branch,
            developer=developer_of(self.cwd, owner=self.owner),
            channel=channel,
        )

    def _check(self) -> None:
        """A place that a file gives as something else than text is no place."""
        for key in ("cwd", "branch", "remote", "owner", "parent"):
            value = getattr(self, key)
            if value is not None and (not isinstance(value, str) or not value):
                setattr(self, key, None)

    def words(self, text: str, *, human: bool = True) -> tuple[Segment, ...]:
        """The segments of typed text; the name of a slash command is the program's, and so is what it was made into."""
        arguments = expanded(text, self.name, self.cwd)
        if arguments is not None:
            return with_arguments(text, arguments, self.log.cut)
        command = re.match(r"\s*/[a-z][\w:-]*(?:[ \t]+|\s*$)", text)
        if command is None:
            return self.log.cut(text, human=human)
        return (Segment(Origin.INJECTED, text[: command.end()]), *self.log.cut(text[command.end() :], human=human))

    def typed_inside(self, text: str, start: int, end: int) -> tuple[Segment, ...]:
        """The segments of a message of which only ``text[start:end]`` is the developer's."""
        return (
            Segment(Origin.INJECTED, text[:start]),
            *self.log.cut(text[start:end]),
            Segment(Origin.INJECTED, text[end:]),
        )

    def agent(self, text: str, time: datetime | None = None, native: Any = None) -> None:
        """Something that the agent said."""
        self.log.spoke = True
        if text.strip():
            self.log.agent(self.id_of(native), text, time)

    def tool(self, text: str, time: datetime | None = None, native: Any = None) -> None:
        """What a tool gave back."""
        self.log.spoke = True
        if text.strip():
            self.log.tool(self.id_of(native), text, time)

    def system(self, text: str, time: datetime | None = None, native: Any = None) -> None:
        """A message that a program wrote."""
        if text.strip():
            self.log.system(self.id_of(native), text, time)

    def withdraw_after(self, count: int) -> None:
        """Developer turns from the ``count``-th turn on were taken back."""
        turns = self.log.turns
        for index in range(count, len(turns)):
            if turns[index].speaker is Speaker.DEVELOPER:
                turns[index] = turns[index].taken_back()

    def session(
        self,
        path: Path,
        *,
        bad: list[BadLine] | None = None,
        incomplete: bool = False,
        started: datetime | None = None,
        ended: datetime | None = None,
        automation: bool = False,
        remains: bool = False,
    ) -> Session | Skipped:
        """The session, or why the file holds none."""
        self._check()
        ident = self.ident or content_id(*(turn.text for turn in self.log.turns[:1]))
        place = self.place or ident
        return self.log.finish(
            path,
            agent=self.name,
            ident=ident,
            repo=repository_of(self.cwd, self.remote) or f"unknown:{self.name}:{place}",
            bad=bad or [],
            incomplete=incomplete,
            developer=developer_of(self.cwd, owner=self.owner),
            cwd=self.cwd,
            branch=self.branch,
            started=started,
            ended=ended,
            parent=self.parent,
            automation=automation,
            remains=remains,
        )


def listed(value: Any) -> list[Any]:
    """The value where it is a list, else nothing to go through."""
    return value if isinstance(value, list) else []


def text_of(content: Any, *kinds: str) -> str:
    """The text of a content that is a string or a list of parts; ``kinds`` limits the parts' types."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and (not kinds or part.get("type", kinds[0]) in kinds):
            text = part.get("text")
            texts += [text] if isinstance(text, str) else []
    return "\n".join(texts)
