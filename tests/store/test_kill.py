"""A process that is killed at any moment of a landing leaves all of the session's decisions, or none."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from store.store import Store

# Lands one session with a write, a queued item and a refusal, and kills itself before the statement of that number.
LAND_AND_DIE = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from extractors.candidate import Candidate, Kind
from policy.load import load_policy
from store.records import Landing, SessionFile
from store.sql import Sql
from store.store import Store
from store.workers import worker_name
from transcripts.session import Origin, Segment, Session, Speaker, Turn
from validators.verdict import Code, Decision, Disposition, Evidence

home, fatal = Path(sys.argv[1]), int(sys.argv[2])
count = 0

def counting(method):
    def inner(self, name, /, *args, **values):
        global count
        count += 1
        if count == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return method(self, name, *args, **values)
    return inner

text = "use preview, make test, maybe tabs"
moment = datetime(2026, 6, 1, tzinfo=UTC)
turn = Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, text),), moment)
session = Session("s1", "neutral", "github.com/acme/webapp", (turn,), ended=moment)

def decision(quote, disposition, code, type_name, subject, value):
    start = text.index(quote)
    return Decision(disposition, code, "", Candidate(quote, type_name, Kind.STANDING, value, subject),
        evidence=Evidence("1", start, start + len(quote), quote), type=type_name, subject=subject, value=value,
        owner=session.repo, stated_at=moment)

decisions = (
    decision("use preview", Disposition.WRITE, Code.NEW, "deploy_target", "staging", "preview"),
    decision("make test", Disposition.QUEUE, Code.CONFIRMATION, "test_command", "", "make test"),
    decision("maybe tabs", Disposition.DISCARD, Code.NOT_ASSERTED, "code_style", "tabs", "tabs"),
)
with Store(home).connect() as db:
    file = SessionFile("neutral:s1", "/t/s1", 1, 1, "fp", "neutral", "s1")
    assert db.claim(file, worker=worker_name(), now=moment)
    for name in ("rows", "one", "value", "change", "many"):
        setattr(Sql, name, counting(getattr(Sql, name)))
    db.land(Landing(session, file, decisions, load_policy(), moment, "1", 1, worker=worker_name()))
    print(count)
"""


def land_and_die(home: Path, fatal: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LAND_AND_DIE, str(home), str(fatal)], capture_output=True, text=True, check=False
    )


def counts(home: Path) -> tuple[int, ...]:
    with Store(home).connect() as db:
        done = len(db.sessions("done"))
        return done, len(db.facts(all=True)), len(db.reviews(all=True)), len(db.candidates("neutral:s1"))


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many statements the whole landing takes."""
    undisturbed = land_and_die(tmp_path_factory.mktemp("whole") / "home", -1)
    assert undisturbed.returncode == 0, undisturbed.stderr
    return int(undisturbed.stdout)


@pytest.mark.parametrize("where", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_killed_inside_a_landing_nothing_of_it_is_kept_and_it_lands_the_next_time(
    tmp_path: Path, statements: int, where: float
) -> None:
    home = tmp_path / "home"
    fatal = 1 + round(where * (statements - 1))
    killed = land_and_die(home, fatal)
    assert -signal.SIGKILL == killed.returncode
    assert (0, 0, 0, 0) == counts(home)
    again = land_and_die(home, -1)
    assert 0 == again.returncode, again.stderr
    assert (1, 1, 1, 3) == counts(home)


def test_killed_right_after_a_landing_all_of_it_is_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    script = LAND_AND_DIE.replace("    print(count)", "    os.kill(os.getpid(), signal.SIGKILL)")
    killed = subprocess.run([sys.executable, "-c", script, str(home), "-1"], check=False)
    assert -signal.SIGKILL == killed.returncode
    assert (1, 1, 1, 3) == counts(home)
