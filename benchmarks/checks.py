"""Every check on its own against one regular-expression search of the same sentence, over the cases.

What several checks ask of a sentence is found out once and shared: where the quote stands, whether it holds the value,
what it is about, what its words say. That is measured apart, and divided among the checks that ask for it. All else
belongs to the check, and to the first where two need it.

The search is the least that a filter of words could do, whatever the check: one pattern of twenty words and phrases,
which stops at the first. It is measured as the checks are, once in every round, in the midst of them, and a sentence is
new in every round: no answer is left from the one before.
"""

from __future__ import annotations

import functools
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from msgspec.structs import replace

from benchmarks.judging import PATTERN
from benchmarks.measure import Result
from extractors.candidate import Candidate, Kind, parse_candidate
from policy.load import load_policy
from transcripts import neutral
from transcripts.file import TranscriptFile
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.casefile import read_known, read_refusals, read_tombstones
from validators.checks import DISCARDS, QUARANTINES, Check
from validators.context import Context
from validators.view import View

TABLES = Path(__file__).parent.parent / "tests" / "validators"
CHECKS = (*DISCARDS, *QUARANTINES)
SHARED = ("widened", "in_sentence", "by_assent", "subject", "reading")  # of a view, in the order of what needs what
SEARCH = "search"
ROUNDS, EVERY = 9, 10
LIMIT = 5
AGAINST = "one `re.search` of the same sentence by a 20-alternative pattern"


def results() -> Iterator[Result]:
    """Each check, the dearest first, then what is shared, for each check that asks; medians of all candidates."""
    views = [view_of for view_of in _views() if view_of().sentence]
    floors: list[float] = []
    ratios: dict[str, list[float]] = defaultdict(list)
    for view_of in views:
        took = _measured(view_of)
        floors.append(took.pop(SEARCH))
        for name, seconds in took.items():
            ratios[name].append(seconds / floors[-1])
    usual = median(floors)
    found = {name: median(values) * usual for name, values in ratios.items()}
    shared = {name: found.pop(name) for name in SHARED}
    for name in sorted(found, key=found.__getitem__, reverse=True):
        yield Result(f"`{name}`", AGAINST, found[name], usual, LIMIT, f"{len(views)} candidates")
    for name, seconds in shared.items():
        asking = sum(any(_asks(check, view_of(), name) for view_of in views) for check in CHECKS)
        note = f"{seconds / usual:.1f} × for {asking} checks together"
        yield Result(f"shared `{name}`, for each check that asks", AGAINST, seconds / asking, usual, LIMIT, note)


def _measured(view_of: Callable[[], View]) -> dict[str, float]:
    """The least seconds of the search, of each check and of what they share, over some rounds on a new sentence."""
    least: dict[str, float] = {}
    for _ in range(ROUNDS):
        _forget_answers()
        view = view_of()
        took = {name: _seconds(partial(getattr, view, name)) for name in SHARED}
        took[SEARCH] = _seconds(partial(PATTERN.search, view.sentence))
        took |= {_name(check): _seconds(partial(check, view)) for check in CHECKS}
        least = {name: min(seconds, least.get(name, seconds)) for name, seconds in took.items()}
    return least


def _forget_answers() -> None:
    """Empty the bounded caches of the rooms that judge; what they keep for good are the lexicons."""
    rooms = [module for name, module in sys.modules.items() if name.startswith(("validators.", "transcripts."))]
    for found in (value for module in rooms for value in vars(module).values()):
        if isinstance(found, functools._lru_cache_wrapper) and found.cache_parameters()["maxsize"]:
            found.cache_clear()


def _asks(check: Check, view: View, name: str) -> bool:
    """Whether the check, run alone, asks for this of the view."""
    check(view)
    return name in vars(view)


def _name(check: Check) -> str:
    return f"{check.__module__.rpartition('.')[2]}.{check.__name__}".removesuffix(".check")


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _views() -> Iterator[Callable[[], View]]:
    """A maker of fresh views for each candidate of the cases of judgement, and of every tenth line of language."""
    policy = load_policy()
    for case in map(json.loads, (TABLES / "cases" / "judge.jsonl").read_text("utf-8").splitlines()):
        given = (
            read_known(case.get("known")),
            read_tombstones(case.get("tombstones")),
            read_refusals(case.get("refusals")),
        )
        session = _session(case["session"])
        for candidate in (parse_candidate(item, "given") for item in case["candidates"]):
            if isinstance(candidate, Candidate):
                yield partial(_view, candidate, partial(Context, session, policy, *given))
    tables = sorted((TABLES / "language" / "cases").glob("*.txt"))
    lines = [line for table in tables for line in table.read_text("utf-8").splitlines() if " | " in line]
    for line in lines[::EVERY]:
        said, candidate = _said(line)
        yield partial(_view, candidate, partial(Context, replace(session, turns=(said,)), policy))


def _view(candidate: Candidate, context: Callable[[], Context]) -> View:
    return View(candidate, context())


def _said(line: str) -> tuple[Turn, Candidate]:
    """The turn and the candidate of a line ``expected | type=value … | text``, its options aside."""
    _, spec, text = line.split(" | ", 2)
    of, _, value = spec.split(" [")[0].strip().partition("=")
    quote = text.partition("«")[2].partition("»")[0] or text
    words = (Segment(Origin.TYPED, text.translate({ord("«"): None, ord("»"): None})),)
    turn = Turn("1", Speaker.DEVELOPER, words, datetime(2026, 6, 10, 9, tzinfo=UTC))
    return turn, Candidate(quote, of, Kind.STANDING, value, turn="1")


def _session(given: dict[str, Any]) -> Session:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in (given["header"], *given["turns"])), "utf-8")
        with TranscriptFile(path) as file:
            session = neutral.read(file)
    assert isinstance(session, Session), session
    return session
