"""The memory that reading one very large transcript takes: ``python -m benchmarks memory`` writes and reads a gigabyte.

``AFTERPASS_BENCH_MB`` makes it smaller or larger.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result
from benchmarks.reading import write_transcript

MEGABYTES = int(os.environ.get("AFTERPASS_BENCH_MB", "1024"))
MOST = 200  # megabytes
READ = """
import re, sys, time
from pathlib import Path
from transcripts.registry import read_transcript
start = time.perf_counter()
session = read_transcript(Path(sys.argv[1]))
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())  # ru_maxrss is the parent's, if higher
print(peak[1], time.perf_counter() - start, len(session.developer_turns()))
"""


def results() -> Iterator[Result]:
    """One line: the highest resident size of a process that does nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "00000000-0000-4000-8000-000000000000.jsonl"
        prompts = write_transcript(path, 0, MEGABYTES * 1_000_000)
        size = path.stat().st_size / 1e6
        command = (sys.executable, "-I", "-c", READ, str(path))
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    kilobytes, seconds, turns = ran.stdout.split()
    assert int(turns) == prompts, (turns, prompts)
    peak = int(kilobytes) / 1e3
    note = f"{size:,.0f} MB with {prompts:,} prompts read in {float(seconds):.0f} s, peak {peak:.0f} MB"
    yield Result("memory of reading one large transcript", f"{MOST} MB", peak / 1e3, MOST / 1e3, 1.0, note, "MB")
