"""Candidates as the cue extractor makes them: the fields once, in the object and in the raw form for the log."""

from __future__ import annotations

from datetime import date

from extractors.candidate import Candidate, Kind
from transcripts.session import Turn


def candidate(
    turn: Turn,
    quote: str,
    fact: tuple[str, str, str],
    *,
    kind: Kind = Kind.STANDING,
    about: str = "this",
    until: date | None = None,
    importance: float | None = None,
    cue: str,
) -> Candidate:
    """The proposal that ``quote`` of ``turn`` states ``fact``: type, subject, value. ``cue`` names what found it."""
    type_name, subject, value = fact
    raw: dict[str, object] = {
        "turn": turn.id,
        "evidence": quote,
        "type": type_name,
        "subject": subject,
        "value": value,
        "kind": kind.value,
        "about": about,
        "until": until.isoformat() if until else None,
        "importance": importance,
        "cue": cue,
    }
    return Candidate(
        evidence=quote,
        type=type_name,
        kind=kind,
        value=value,
        subject=subject,
        turn=turn.id,
        about=about,
        until=until,
        importance=importance,
        extractor="cues",
        raw=raw,
    )
