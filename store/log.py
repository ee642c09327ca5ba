"""The log: every proposal and why it was kept or refused, every pass, and health at a glance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from store.errors import NotFound
from store.facts import evidence_of
from store.ids import short_id
from store.ledger import LedgerOf
from store.records import Applied, CandidateRow, Pass, Status
from store.redaction import clean_json
from store.sql import one_query, transactional

LEFT_OUT = frozenset({"team", "repo", "raw", "verdicts", "applied"})


class LogOf(LedgerOf):
    """The log's part of an open store; see :class:`store.interface.Log`."""

    path: Path | None

    @transactional
    def rejected(
        self,
        *,
        since: datetime | None = None,
        code: str | None = None,
        repo: str | None = None,
        session: str | None = None,
    ) -> list[CandidateRow]:
        # The session is looked up first: a name that could be in any of three columns makes the whole log be read.
        row = self.ledger(session) if session else None
        key = row.key if row else session
        rows = self.sql.rows("rejected_candidates", since=since, code=code, repo=repo, session_key=key)
        return [_candidate(row) for row in rows]

    @one_query
    def candidates(self, session_key: str) -> list[CandidateRow]:
        return [_candidate(row) for row in self.sql.rows("candidates_of_session", session_key=session_key)]

    @one_query
    def replayable(self) -> list[CandidateRow]:
        return [_candidate(row) for row in self.sql.rows("all_candidates")]

    @one_query
    def begin_pass(self, kind: str, *, worker: str, now: datetime) -> str:
        pass_id = short_id("q", worker, now, kind)
        self.sql.change("begin_pass", id=pass_id, kind=kind, worker=worker, now=now)
        return pass_id

    @one_query
    def finish_pass(self, pass_id: str, *, summary: Mapping[str, Any], now: datetime) -> None:
        if not self.sql.change("finish_pass", id=pass_id, summary=clean_json(dict(summary)), now=now):
            raise NotFound(f"there is no pass {pass_id!r}", "`afterpass status` shows the last one")

    @one_query
    def passes(self, limit: int = 20) -> list[Pass]:
        return [
            Pass(**{**row, "summary": json.loads(row["summary"]) if row["summary"] else None})
            for row in self.sql.rows("last_passes", most=limit)
        ]

    @transactional
    def status(self) -> Status:
        counts: dict[str, dict[str, int]] = {}
        for row in self.sql.rows("counts"):
            counts.setdefault(row["noun"], {})[row["name"]] = int(row["number"])
        waiting = self.sessions("pending")
        return Status(
            sessions=counts.get("sessions", {}),
            facts=counts.get("facts", {}),
            candidates=counts.get("candidates", {}),
            reviews_open=counts.get("reviews", {}).get("open", 0),
            last_pass=next(iter(self.passes(1)), None),
            oldest_pending=min(waiting, key=lambda row: (row.ended_at or row.recorded_at, row.key), default=None),
            input_tokens=counts["tokens"]["input"],
            output_tokens=counts["tokens"]["output"],
            file_bytes=_bytes(self.path),
            schema_version=counts["schema"]["version"],
        )


def _bytes(path: Path | None) -> int | None:
    if path is None:
        return None
    return sum(file.stat().st_size for file in (path, Path(f"{path}.wal")) if file.exists())


def _candidate(row: Mapping[str, Any]) -> CandidateRow:
    own = {name: value for name, value in row.items() if name not in LEFT_OUT and not name.startswith("evidence_")}
    return CandidateRow(
        **own,
        raw=json.loads(row["raw"]),
        verdicts=tuple(json.loads(row["verdicts"])),
        applied=Applied(row["applied"]),
        evidence=evidence_of(row),
    )
