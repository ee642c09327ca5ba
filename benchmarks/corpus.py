"""Reading a folder of real transcripts against the fastest parse of the same bytes, format by format and in all."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from benchmarks.measure import Result
from transcripts.discovery import SUFFIXES, Root, discover
from transcripts.errors import TranscriptError
from transcripts.registry import read_all

ROUNDS = 15
LIMIT = 2.0
PARSED = (".jsonl", ".json", ".md", ".traj")
_HEADING = re.compile(rb"^#{1,6} ", re.MULTILINE)
Act = Callable[[Path], None]


def results_of(folder: Path) -> Iterator[Result]:
    """A line for each folder in ``folder``, and one for all of them: processor time, the best of ``ROUNDS``.

    The floor opens and reads each file too: ``orjson.loads`` of every line, or of a JSON document; Markdown is split at
    its headings by one regular expression.
    """
    groups = _files(folder)
    best = {name: [float("inf"), float("inf")] for name in groups}
    for number in range(ROUNDS + 1):
        for name, paths in groups.items():
            for place, act in enumerate((_read, _parse)):
                seconds = _timed(act, paths)
                if number:  # the first round only warms up
                    best[name][place] = min(best[name][place], seconds)
    for name, (ours, floor) in sorted(best.items(), key=lambda entry: -entry[1][0]):
        size = sum(path.stat().st_size for path in groups[name])
        note = f"{len(groups[name])} files, {size / 1e6:.2f} MB"
        yield Result(f"reading {name}", "the fastest parse of the same files", ours, floor, LIMIT, note)
    ours, floor = (sum(times[place] for times in best.values()) for place in (0, 1))
    yield Result(f"reading all of {folder.name}", "the fastest parse of the same files", ours, floor, LIMIT)


def _files(folder: Path) -> dict[str, list[Path]]:
    """The transcripts in each folder of a folder."""
    groups: dict[str, list[Path]] = {}
    for found in discover([Root(folder.absolute(), suffixes=(*SUFFIXES, ".traj"))]):
        inside = found.path.relative_to(folder.absolute())
        if found.path.suffix in PARSED and len(inside.parts) > 1:
            groups.setdefault(inside.parts[0], []).append(found.path)
    return groups


def _timed(act: Act, paths: list[Path]) -> float:
    start = time.process_time()
    for path in paths:
        act(path)
    return time.process_time() - start


def _read(path: Path) -> None:
    try:
        for _ in read_all(path):
            pass
    except TranscriptError:
        pass


def _parse(path: Path) -> None:
    if path.suffix == ".md":
        _HEADING.split(path.read_bytes())
        return
    with path.open("rb") as stream:
        for record in stream if path.suffix == ".jsonl" else (stream.read(),):
            try:  # noqa: SIM105 - a context manager would be a load on the floor
                orjson.loads(record)
            except ValueError:
                pass
