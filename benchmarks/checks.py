"""Every check on its own against one regular-expression search of the same sentence, over the cases."""

from __future__ import annotations

import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.judging import PATTERN
from benchmarks.measure import Result
from extractors.candidate import Candidate, parse_candidate
from policy.load import load_policy
from transcripts.registry import read_transcript
from transcripts.session import Session
from validators.casefile import read_known, read_refusals, read_tombstones
from validators.checks import DISCARDS, QUARANTINES
from validators.context import Context
from validators.language import analysis, reading
from validators.view import View

CASES = Path(__file__).parent.parent / "tests" / "validators" / "cases"
CHECKS = (*DISCARDS, *QUARANTINES)
ROUNDS, SEARCHES = 7, 50
SHARED = "shared"
AGAINST = "one `re.search` of the same sentence by a 20-alternative pattern"


def results() -> Iterator[Result]:
    """The dearest check by its median over all candidates, and what finding and reading the sentence adds to each."""
    ratios: dict[str, list[float]] = defaultdict(list)
    floors: list[float] = []
    for view_of in _views():
        sentence = view_of().sentence
        if not sentence:
            continue
        floor = min(_seconds(partial(_searches, sentence)) for _ in range(ROUNDS))
        floors.append(floor / SEARCHES)
        for name, seconds in _measured(view_of).items():
            ratios[name].append(seconds / floors[-1])
    found = {name: median(values) for name, values in ratios.items()}
    usual = median(floors)
    shared = found.pop(SHARED) / len(CHECKS)
    dearest = max(found, key=found.__getitem__)
    note = f"`{dearest}`; the median of all {len(found)} is {median(found.values()):.1f} ×; {len(floors)} candidates"
    yield Result("the dearest single check, median", AGAINST, found[dearest] * usual, usual, 5, note)
    note = f"{shared * len(CHECKS):.0f} × for all {len(CHECKS)} together"
    yield Result("finding and reading a sentence, per check that shares it", AGAINST, shared * usual, usual, 5, note)


def _measured(view_of: Callable[[], View]) -> dict[str, float]:
    """The least seconds of each check, and of what they share, over some rounds on a sentence that was never read."""
    least: dict[str, float] = {}
    for _ in range(ROUNDS):
        reading._reading.cache_clear()  # a sentence is new in every round
        analysis.analyse.cache_clear()
        view = view_of()
        took = {SHARED: _seconds(partial(attrgetter("widened", "reading"), view))}
        for check in CHECKS:
            took[f"{check.__module__.rpartition('.')[2]}.{check.__name__}"] = _seconds(partial(check, view))
        least = {name: min(seconds, least.get(name, seconds)) for name, seconds in took.items()}
    return least


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _views() -> Iterator[Callable[[], View]]:
    """A maker of fresh views for each candidate of every case."""
    policy = load_policy()
    lines = [line for file in sorted(CASES.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    for case in map(json.loads, lines):
        given = (
            read_known(case.get("known")),
            read_tombstones(case.get("tombstones")),
            read_refusals(case.get("refusals")),
        )
        session = _session(case["session"])
        for candidate in (parse_candidate(item, "given") for item in case["candidates"]):
            if isinstance(candidate, Candidate):
                yield partial(_view, candidate, partial(Context, session, policy, *given))


def _view(candidate: Candidate, context: Callable[[], Context]) -> View:
    return View(candidate, context())


def _searches(sentence: str) -> None:
    for _ in range(SEARCHES):
        PATTERN.search(sentence)


def _session(given: dict[str, Any]) -> Session:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in (given["header"], *given["turns"])), "utf-8")
        session = read_transcript(file)
    assert isinstance(session, Session), session
    return session
