"""SWE-agent's trajectories: no person speaks in them, so that none of them gives a developer turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.session import Skipped

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "swe-agent"


def identify(file: TranscriptFile) -> bool:
    """A document with a history of typed messages, or a trajectory."""
    shape = file.shape
    if "conversation_id" in shape.keys or shape.opens != "{":
        return False
    return "trajectory" in shape.keys or ("history" in shape.keys and b'"message_type"' in file.head)


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The user's role holds the issue's text and observations: never a developer's words."""
    return Skipped(file.path, "automation", "a trajectory of SWE-agent: a program sent its prompts")
