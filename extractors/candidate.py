"""A candidate: one proposal of an extractor, "this may be a durable fact"."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
SURROGATES = re.compile("[\ud800-\udfff]")
LEAST, MOST = 1.0, 10.0  # the scale of importance


class Kind(StrEnum):
    """The extractor's own label. Weak on purpose: code may overrule it on explicit words."""

    STANDING = "standing"
    ONE_OFF = "one_off"
    OBSERVED = "observed"
    INFERRED = "inferred"
    CORRECTION = "correction"
    FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A well-formed proposal. ``about`` is ``this`` or the repository, team or person that the statement is about.

    ``raw`` is the object as it was proposed, kept for the log. ``extractor`` names who proposed it.
    """

    evidence: str
    type: str
    kind: Kind
    value: str = ""
    subject: str = ""
    turn: str | None = None
    about: str = "this"
    until: date | None = None
    importance: float | None = None
    extractor: str = ""
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """A proposal that is not usable. The raw text is kept and shown to operators."""

    raw: Any
    reason: str
    extractor: str = ""


def parse_candidate(obj: object, extractor: str = "") -> Candidate | Malformed:
    """One proposed object as a candidate, or as malformed with the reason; never raises.

    ``turn`` may be a string or a whole number; an ``importance`` outside 1 to 10 is clamped; ``until`` is an ISO date.
    """
    if not isinstance(obj, dict):
        return Malformed(obj, f"not an object but {_json_name(obj)}", extractor)
    try:
        return _candidate(obj, extractor)
    except _UnusableError as problem:
        return Malformed(obj, str(problem), extractor)


class _UnusableError(ValueError):
    """A field that is missing or has the wrong type; the message names it."""


def _candidate(obj: dict[str, Any], extractor: str) -> Candidate:
    kind = _kind(_text(obj, "kind"))
    value_optional = kind in (Kind.CORRECTION, Kind.FORGET)
    return Candidate(
        evidence=_text(obj, "evidence"),
        type=_text(obj, "type"),
        kind=kind,
        value=_optional_text(obj, "value") if value_optional else _text(obj, "value"),
        subject=_optional_text(obj, "subject"),
        turn=_turn(obj.get("turn")),
        about=_optional_text(obj, "about").strip() or "this",
        until=_until(obj.get("until")),
        importance=_importance(obj.get("importance")),
        extractor=extractor,
        raw=obj,
    )


def _text(obj: dict[str, Any], key: str) -> str:
    if obj.get(key) is None:
        raise _UnusableError(f"{key} is missing")
    return _optional_text(obj, key)


def _optional_text(obj: dict[str, Any], key: str) -> str:
    found = obj.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise _UnusableError(f"{key} is not a string but {_json_name(found)}")
    return found if found.isascii() else re.sub("[\ud800-\udfff]", "\ufffd", found)


def _kind(label: str) -> Kind:
    try:
        return Kind(re.sub(r"[\s-]+", "_", label.strip().casefold()))
    except ValueError:
        raise _UnusableError(f"kind {label[:40]!r} is unknown") from None


def _turn(found: object) -> str | None:
    if found is None:
        return None
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, bool) or not isinstance(found, (str, int)):
        raise _UnusableError(f"turn is neither a string nor a whole number but {_json_name(found)}")
    return str(found).strip() or None


def _until(found: object) -> date | None:
    if found is None:
        return None
    if not isinstance(found, str) or not ISO_DATE.fullmatch(found.strip()):
        raise _UnusableError("until is not an ISO date (YYYY-MM-DD)")
    try:
        return date.fromisoformat(found.strip())
    except ValueError:
        raise _UnusableError("until is not a day of the calendar") from None


def _importance(found: object) -> float | None:
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise _UnusableError(f"importance is not a number but {_json_name(found)}")
    if isinstance(found, float) and math.isnan(found):
        raise _UnusableError("importance is not a number")
    return float(min(max(found, LEAST), MOST))


def _json_name(found: object) -> str:
    names = {type(None): "null", bool: "a boolean", str: "a string", int: "a number", float: "a number", list: "a list"}
    return names.get(type(found), "an object")
