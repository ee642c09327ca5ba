"""SWE-agent's trajectories: no person speaks in them, so that none of them gives a developer turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.documents import shape_of
from transcripts.session import Skipped

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.session import Session

name = "swe-agent"


def identify(path: Path, head: bytes) -> bool:
    """A document with a history of typed messages, or a trajectory."""
    shape = shape_of(head)
    if "conversation_id" in shape.keys or shape.opens != "{":
        return False
    return "trajectory" in shape.keys or ("history" in shape.keys and b'"message_type"' in head)


def read(path: Path, *, automation: bool = False) -> Session | Skipped:
    """The user's role holds the issue's text and observations: never a developer's words."""
    return Skipped(path, "automation", "a trajectory of SWE-agent: a program sent its prompts")
