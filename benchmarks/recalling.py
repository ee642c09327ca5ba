"""What a session that starts waits for: the hook's whole process, in a store of 50,000 facts."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result, in_turns, process
from benchmarks.processes import AFTERPASS, PYTHON
from benchmarks.storing import fill
from store.store import Store

FACTS = 50_000


def results() -> Iterator[Result]:
    """The start of a session: of a repository with 100 of the facts, and of one that has them all."""
    for repos in (500, 1):
        with tempfile.TemporaryDirectory() as folder:
            home, checkout = Path(folder) / "home", Path(folder) / "checkout"
            checkout.mkdir()
            fill(Store(home), repos=repos, facts=FACTS, candidates=20)
            (home / "settings.toml").write_text(f"[repositories]\n{json.dumps(str(checkout))} = 'r0'\n", "utf-8")
            payload = {"session_id": "s-1", "cwd": str(checkout), "hook_event_name": "SessionStart"}
            hook = process(
                (*AFTERPASS, "recall", "--hook"), json.dumps(payload).encode(), AFTERPASS_HOME=str(home), HOME=folder
            )
            hook()  # the first start of a place asks the store and keeps the answer
            ours, floor = in_turns(hook, process((PYTHON, "-c", "pass")), 21)
            told = f"{len(hook().stdout):,} bytes told"  # so that silence does not pass for speed
            name = f"`afterpass recall --hook`, {FACTS // repos:,} of {FACTS:,} facts"
            yield Result(name, "`python -c pass`", ours, floor, 8, told)
