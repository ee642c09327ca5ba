"""How a benchmark measures: ours and a floor in turns within one run, the median of each, their ratio."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the report: seconds of ours and of the floor, and the highest ratio that is accepted."""

    name: str
    against: str
    ours: float
    floor: float
    limit: float
    note: str = ""
    unit: str = "ms"  # of a thousandth

    @property
    def ratio(self) -> float:
        """Ours as a multiple of the floor."""
        return self.ours / self.floor

    @property
    def holds(self) -> bool:
        """Whether the ratio is within its limit."""
        return self.ratio <= self.limit


def in_turns(
    ours: Callable[[], object],
    floor: Callable[[], object],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Median seconds of each, taken alternately so that a busy moment of the machine meets both.

    What never waits is best measured by ``time.process_time``: a moment in which others run does not count.
    """
    ours(), floor()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for call, kept in zip((ours, floor), times, strict=True):
            start = clock()
            call()
            kept.append(clock() - start)
    return statistics.median(times[0]), statistics.median(times[1])


def process(
    command: Sequence[str], stdin: bytes = b"", **environment: str
) -> Callable[[], subprocess.CompletedProcess[bytes]]:
    """A call that runs a whole process to its end."""
    env = {**os.environ, **environment}

    def call() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, input=stdin, capture_output=True, check=True, env=env)

    return call
