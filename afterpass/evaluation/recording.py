"""Recorded proposals: what an extractor said once is played back, so that a suite runs without its model."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.files import EvalError, read_lines
from extractors.candidate import Candidate, Malformed, parse_candidate
from extractors.interface import Call, Extraction, ReplyFormat
from extractors.prompt import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from extractors.interface import Extractor
    from policy.model import Policy
    from transcripts.session import Session

FIELDS = ("turn", "evidence", "type", "subject", "value", "kind", "about", "until", "importance")


class Recorder:
    """Asks a model's extractor and appends what it said to a file, one line per session.

    What the file holds of the same model and prompt is not asked for again: an interrupted run goes on.
    Raises EvalError where the file is something else.
    """

    def __init__(self, inner: Extractor, path: Path) -> None:
        self.inner, self.name, self.model, self.path = inner, inner.name, inner.model, path
        self.said = {key: one for key, one in _recorded(path).items() if self._is_of_today(one)}

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        """The inner extractor's proposals. Raises what it raises; a failure is not recorded."""
        if (known := self.said.get(key_of(session))) is not None:
            return _extraction(known)
        said = self.inner.propose(session, policy=policy, known_slots=known_slots, first_turn=first_turn)
        record = {
            "key": key_of(session),
            "session": session.id,
            "extractor": self.name,
            "model": self.model,
            "candidates": [_candidate_json(one) for one in said.candidates],
            "calls": [asdict(call) for call in said.calls],
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return said

    def _is_of_today(self, record: dict[str, Any]) -> bool:
        """Whether the recorded reply is what the same model would be asked now."""
        return record.get("model") == self.model and all(
            call.get("prompt_version") == VERSION for call in record.get("calls", [])
        )


class Player:
    """Says again what was recorded. A session that was not recorded is an error, never an empty list."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.said = _recorded(path)
        if not self.said:
            raise EvalError(f"{path}: holds no recorded reply")
        last = next(reversed(self.said.values()))
        self.name, self.model = str(last.get("extractor")), last.get("model")

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        """The recorded proposals of the session. Raises EvalError where there are none."""
        record = self.said.get(key_of(session))
        if record is None:
            raise EvalError(f"{self.path}: no reply for session {session.id}", "record it again with --record")
        return _extraction(record)


def key_of(session: Session) -> str:
    """What a recorded reply belongs to: the session's names and every word in it."""
    digest = hashlib.sha256(f"{session.repo}\0{session.id}\0{session.developer}".encode())
    for turn in session.turns:
        digest.update(f"\0{turn.id}\0{turn.speaker}\0{turn.text}".encode("utf-8", "replace"))
    return digest.hexdigest()[:24]


def _recorded(path: Path) -> dict[str, dict[str, Any]]:
    """The records of a file by their key, the last one of each; none where there is no file."""
    said: dict[str, dict[str, Any]] = {}
    for where, record in read_lines(path) if path.exists() else ():
        if not isinstance(record.get("key"), str) or not isinstance(record.get("candidates"), list):
            raise EvalError(f"{where}: not a recorded reply")
        said[record["key"]] = record
    return said


def _extraction(record: dict[str, Any]) -> Extraction:
    return Extraction(
        tuple(
            parse_candidate(one, str(one.get("extractor", ""))) if isinstance(one, dict) else Malformed(one, "")
            for one in record["candidates"]
        ),
        tuple(_call(call) for call in record.get("calls", [])),
    )


def _candidate_json(one: Candidate | Malformed) -> Any:
    if isinstance(one, Malformed):
        return one.raw if isinstance(one.raw, dict) else {"malformed": one.raw, "extractor": one.extractor}
    found = {field: getattr(one, field) for field in FIELDS}
    found["until"] = one.until.isoformat() if one.until else None
    return {**found, "extractor": one.extractor}


def _call(record: dict[str, Any]) -> Call:
    return Call(**{**record, "format": ReplyFormat(record["format"])})
