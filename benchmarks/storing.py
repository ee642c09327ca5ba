"""Work on a store of a million candidates and 50,000 facts in 500 repositories against the same on one of 100 facts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from benchmarks.measure import Result, in_turns
from extractors.candidate import Candidate, Kind
from policy.load import load_policy
from store.database import OpenStore
from store.records import Landing, SessionFile
from store.store import Store
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.verdict import Code, Decision, Disposition, Evidence

NOW = datetime(2026, 6, 10, tzinfo=UTC)
POLICY = load_policy()
NUMBERS = count()

# Everything is spread over $repos repositories; a session has twenty candidates.
FILL = """
INSERT INTO sessions BY NAME SELECT '' AS team, 'neutral:z' || i AS key, 'neutral' AS agent, 'z' || i AS native_id,
    '/t/z' || i AS path, 'done' AS state, 'r' || (i % $repos) AS repo, 1 AS size, 1 AS mtime_ns, 'f' AS fingerprint,
    1 AS turn_count, 0 AS attempts, 0 AS input_tokens, 0 AS output_tokens, 0 AS seconds, $now AS recorded_at,
    $now AS updated_at FROM range($sessions) AS n(i);
INSERT INTO facts BY NAME SELECT '' AS team, 'f_z' || i AS id, 'r' || (i % $repos) AS owner, 'repo' AS scope,
    'service_fact' AS type, 'service ' || (i // $repos) AS subject, 'runs on host ' || i AS value, 'active' AS state,
    false AS multi, 'low' AS stakes, concat_ws(chr(31), 'repo', 'r' || (i % $repos), 'service_fact',
    'service ' || (i // $repos)) AS slot, slot AS active_key, $now AS stated_at, $now AS recorded_at,
    $now AS valid_from, 1 AS times_stated, '[]' AS derived_from, 's_z' || i AS evidence_id, 'z' AS evidence_session,
    'neutral:z' AS evidence_session_key, '1' AS evidence_turn, 0 AS evidence_start, 9 AS evidence_end,
    'runs on host ' || i AS evidence_text, 't_z' || i AS evidence_turn_id FROM range($facts) AS n(i);
INSERT INTO turns BY NAME SELECT '' AS team, 't_z' || i AS id, 'neutral:z' AS session_key, '1' AS turn,
    'developer' AS speaker, 'this one runs on host ' || i AS text, 'h' AS text_hash, 'h' AS transcript_hash,
    $now AS recorded_at FROM range($facts) AS n(i);
INSERT INTO statements BY NAME SELECT '' AS team, 's_z' || i AS id, 'f_z' || i AS fact_id, 'neutral:z' AS session_key,
    'z' AS session, '1' AS turn, 0 AS start_char, 9 AS end_char, 'runs on host ' || i AS quote, $now AS stated_at,
    'h' AS turn_hash, 't_z' || i AS turn_id, $now AS recorded_at FROM range($facts) AS n(i);
INSERT INTO candidates BY NAME SELECT '' AS team, 'c_z' || i AS id, 'neutral:z' || (i // 20) AS session_key,
    'z' || (i // 20) AS session, i % 20 AS position, 'cues' AS extractor, 'p' AS policy_version, '{}' AS raw,
    'r' || ((i // 20) % $repos) AS owner, 'code_style' AS type, 'topic ' || i AS subject, 'value ' || i AS value,
    'standing' AS kind, 'quote ' || i AS quote, 'discard' AS disposition, 'one_off_cue' AS code, '' AS detail,
    '[]' AS verdicts, 'kept' AS applied, $now AS recorded_at FROM range($candidates) AS n(i);
"""


def results() -> Iterator[Result]:
    """Reading a repository's facts, reading what a pass has to know, and landing a session."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        large, small = Store(Path(folder) / "large"), Store(Path(folder) / "small")
        fill(large, repos=500, facts=50_000, candidates=1_000_000)
        fill(small, repos=1, facts=100, candidates=2_000)
        big, little = stack.enter_context(large.connect()), stack.enter_context(small.connect())
        against = "the same in a store of 100 facts"
        works: dict[str, Callable[[OpenStore], object]] = {
            "a repository's facts": lambda db: db.facts(repo="r0"),
            "what a pass has to know": lambda db: (db.known("r0", "dana"), db.tombstones("r0", "dana")),
            "landing a session": _land,
        }
        for name, work in works.items():
            ours, floor = in_turns(lambda work=work: work(big), lambda work=work: work(little), 25)  # type: ignore[misc]
            yield Result(f"{name}: 1,000,000 candidates, 50,000 facts", against, ours, floor, 2)


def fill(store: Store, *, repos: int, facts: int, candidates: int) -> None:
    """Facts and candidates of the repositories ``r0``, ``r1`` …"""
    amounts = {"repos": repos, "facts": facts, "candidates": candidates, "sessions": candidates // 20}
    with store.connect() as db:
        for statement in FILL.strip().split(";\n"):
            named = {name: value for name, value in {**amounts, "now": NOW}.items() if f"${name}" in statement}
            db.sql.raw.execute(statement.rstrip(";"), named)
        db.sql.raw.execute("CHECKPOINT")


def _land(db: OpenStore) -> None:
    """A session with one new fact and one refusal."""
    number = next(NUMBERS)
    text = f"staging {number} moved to preview, and use tabs today"
    turn = Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, text),), NOW)
    session = Session(f"n{number}", "neutral", "r0", (turn,), "dana", ended=NOW)
    file = SessionFile(f"neutral:n{number}", f"/t/n{number}", 1, 1, "f", "neutral", f"n{number}", "r0")
    moved, tabs = f"staging {number} moved to preview", "use tabs today"
    decisions = (
        _decision(moved, text, Disposition.WRITE, Code.NEW, "deploy_target", f"staging {number}", "preview"),
        _decision(tabs, text, Disposition.DISCARD, Code.ONE_OFF_CUE, "code_style", "tabs", "use tabs"),
    )
    db.claim(file, worker="benchmark", now=NOW)
    db.land(Landing(session, file, decisions, POLICY, NOW, "1", 1, worker="benchmark"))


def _decision(
    quote: str, text: str, disposition: Disposition, code: Code, type_name: str, subject: str, value: str
) -> Decision:
    start = text.index(quote)
    return Decision(
        disposition,
        code,
        "",
        Candidate(quote, type_name, Kind.STANDING, value, subject, extractor="cues"),
        evidence=Evidence("1", start, start + len(quote), quote),
        type=type_name,
        subject=subject,
        value=value,
        owner="r0",
        stated_at=NOW,
    )
