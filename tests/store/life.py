"""Processes that live on one store at the same time: passes, reviewers, readers, upkeep.

Run as ``python life.py worker ROLE HOME URL SEED COUNT LOG``: does COUNT units of work (0: until killed), writes a line
into LOG after each session that landed, and prints the slowest unit. ``python life.py together`` and ``python life.py
kills`` run several of them, see ``--help``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from extractors.candidate import Candidate, Kind  # noqa: E402 - the path comes first
from policy.load import load_policy  # noqa: E402
from store.database import OpenStore  # noqa: E402
from store.errors import AlreadyDecided, Conflict, NotDecided, SlotChanged, StaleDecision, StaleReview  # noqa: E402
from store.records import Landing, SessionFile  # noqa: E402
from store.store import Store  # noqa: E402
from store.upkeep import Horizons  # noqa: E402
from store.workers import worker_name  # noqa: E402
from transcripts.session import Origin, Segment, Session, Speaker, Turn  # noqa: E402
from validators.verdict import Code, Decision, Disposition, Evidence, KnownFact, value_hash  # noqa: E402

REPO = "github.com/acme/webapp"
START = datetime(2026, 6, 1, tzinfo=UTC)
SLOTS = [("deploy_target", "staging"), ("deploy_target", "production"), ("test_command", ""), ("do_not_edit", "")]
REFUSED = (AlreadyDecided, Conflict, NotDecided, SlotChanged, StaleReview)
ROLES = ("pass", "pass", "pass", "review", "read", "upkeep")


class Worker:
    """One process's work. Everything it may be told by the store is either done or named; nothing else may come."""

    def __init__(self, store: Store, seed: int, log: Path) -> None:
        self.store = store
        self.random = random.Random(seed)
        self.seed = seed
        self.log = log
        self.policy = load_policy()
        self.count = 0

    def unit(self, role: str) -> None:
        """One unit of work of a role."""
        self.count += 1
        {"pass": self.read_a_session, "review": self.review, "read": self.look, "upkeep": self.upkeep}[role]()

    def read_a_session(self) -> None:
        number = self.random.randrange(10**9)
        day = START + timedelta(minutes=number % 100_000)
        type_name, subject = self.random.choice(SLOTS)
        value = self.random.choice(("alpha", "beta", "gamma"))
        text = f"from now on {value} it is, number {number}"
        turn = Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, text),), day)
        session = Session(f"{self.seed}-{number}", "neutral", REPO, (turn,), "dana", started=day, ended=day)
        file = SessionFile(
            f"neutral:{session.id}", f"/t/{session.id}", 1, number, str(number), "neutral", session.id, REPO
        )
        with self.store.connect() as db:
            if db.claim(file, worker=worker_name(), now=day) is None:
                return
        with self.store.connect() as db:
            for _ in range(20):
                mark = db.mark()
                decision = self.judge(db, session, type_name, subject, value)
                landing = Landing(session, file, (decision,), self.policy, day, "1", 1, worker=worker_name(), mark=mark)
                try:
                    db.land(landing)
                except StaleDecision:
                    continue
                break
            else:
                raise RuntimeError("judged again twenty times in vain")
        with self.log.open("a", encoding="utf-8") as log:
            log.write(session.id + "\n")
            log.flush()
            os.fsync(log.fileno())

    def judge(self, db: OpenStore, session: Session, type_name: str, subject: str, value: str) -> Decision:
        """What the checks would say of a plain statement."""
        kind = self.policy.types[type_name]
        known = [fact for fact in db.known(REPO, None) if (fact.type, fact.subject) == (type_name, subject)]
        stated = session.turns[0].time or START
        stones = [each for each in db.tombstones(REPO, None) if (each.type, each.subject) == (type_name, subject)]
        same = [fact for fact in known if fact.value == value]
        if any(each.at > stated and each.value_hash in (None, value_hash(value)) for each in stones):
            code, targets = Code.FORGOTTEN_BEFORE, ()
        elif same:
            code, targets = Code.SAME_VALUE, tuple(same[:1])
            if self.random.random() < 0.1:
                code = Code.FORGOTTEN
        elif known and not kind.multi:
            older = known[0].stated > stated
            code, targets = (Code.OLDER_THAN_CURRENT, ()) if older else (Code.REPLACEMENT, tuple(known[:1]))
        else:
            code, targets = Code.NEW, ()
        return self.decision(session, code, type_name, subject, value, targets)

    def decision(
        self, session: Session, code: Code, type_name: str, subject: str, value: str, targets: tuple[KnownFact, ...]
    ) -> Decision:
        ways = {
            Code.NEW: Disposition.WRITE,
            Code.SAME_VALUE: Disposition.RECONFIRM,
            Code.REPLACEMENT: Disposition.QUEUE,
            Code.FORGOTTEN: Disposition.FORGET,
        }
        quote = f"{value} it is"
        text = session.turns[0].text
        start = text.index(quote)
        return Decision(
            ways.get(code, Disposition.DISCARD),
            code,
            "",
            Candidate(quote, type_name, Kind.STANDING, value, subject, extractor="cues"),
            evidence=Evidence("1", start, start + len(quote), quote),
            type=type_name,
            subject=subject,
            value=value,
            owner=REPO,
            stated_at=session.turns[0].time,
            targets=targets,
        )

    def review(self) -> None:
        now = START + timedelta(days=100, seconds=self.count)
        with self.store.connect() as db:
            items = db.reviews(all=self.random.random() < 0.5)
            if not items:
                return
            item = self.random.choice(items[-20:])
            act: Callable[..., object] = self.random.choice((db.accept, db.accept, db.reject, db.undo))
            try:
                act(item.id, actor="dana", now=now)
            except REFUSED:
                return

    def look(self) -> None:
        with self.store.connect() as db:
            active = db.facts(repo=REPO)
            slots = [(fact.type, fact.subject) for fact in active if not fact.multi and not fact.valid_until]
            if len(slots) != len(set(slots)):
                raise RuntimeError(f"a slot holds two values: {slots}")
            db.seen_files()
            db.open_reviews(REPO, None)
            db.status()

    def upkeep(self) -> None:
        now = START + timedelta(days=100 + 5 * self.count)
        self.store.upkeep(now=now, horizons=Horizons(review=30, archive=60, reply=30, turn=30))


def work(args: argparse.Namespace) -> int:
    store = Store(Path(args.home), url=args.url or None, lock_timeout=60)
    worker, slowest, done = Worker(store, args.seed, Path(args.log)), 0.0, 0
    until = time.monotonic() + args.seconds if args.seconds else None
    while not args.count or done < args.count:
        if until and time.monotonic() > until:
            break
        began = time.perf_counter()
        worker.unit(args.role)
        slowest, done = max(slowest, time.perf_counter() - began), done + 1
    print(json.dumps({"role": args.role, "units": done, "slowest": round(slowest, 3)}))
    return 0


def start(role: str, home: Path, url: str, seed: int, *, count: int = 0, seconds: float = 0) -> subprocess.Popen[str]:
    """A worker as a process of its own."""
    arguments = ["worker", role, str(home), url, str(seed), str(count), str(home / f"landed-{seed}.log")]
    return subprocess.Popen(
        [sys.executable, __file__, *arguments, "--seconds", str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def check(home: Path, url: str) -> dict[str, int]:
    """The store is clean, and everything that a worker said had landed is there. Raises RuntimeError."""
    landed = {line for log in home.glob("landed-*.log") for line in log.read_text(encoding="utf-8").split("\n") if line}
    with Store(home, url=url or None).connect() as db:
        problems = db.verify()
        done = {row.native_id for row in db.sessions("done")}
        status = db.status()
    if problems:
        raise RuntimeError(f"{len(problems)} problems, such as {problems[0]}")
    if landed - done:
        raise RuntimeError(f"{len(landed - done)} sessions that had landed are not done")
    return {"landed": len(landed), "done": len(done), "facts": sum(status.facts.values())}


def together(args: argparse.Namespace) -> int:
    """Six processes at once, then the check."""
    home = Path(args.home or tempfile.mkdtemp())
    home.mkdir(parents=True, exist_ok=True)
    running = [
        start(role, home, args.url, seed, count=args.count, seconds=args.seconds) for seed, role in enumerate(ROLES)
    ]
    reports = []
    for process in running:
        out, err = process.communicate()
        if process.returncode:
            raise RuntimeError(err[-2000:])
        reports.append(json.loads(out))
    print(json.dumps({"workers": reports, **check(home, args.url)}, indent=1))
    return 0


def kills(args: argparse.Namespace) -> int:
    """Kill one of several workers at a random moment, check, start another: COUNT times."""
    home = Path(args.home or tempfile.mkdtemp())
    home.mkdir(parents=True, exist_ok=True)
    chance = random.Random(args.seed)
    seed = 1000
    running: list[subprocess.Popen[str]] = []
    roles = ("pass", "pass", "review", "upkeep")
    try:
        for turn in range(args.count):
            while len(running) < len(roles):
                seed += 1
                running.append(start(roles[seed % len(roles)], home, args.url, seed))
            time.sleep(chance.uniform(0.2, 2.5))
            victim = running.pop(chance.randrange(len(running)))
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            state = check(home, args.url)
            if args.verbose:
                print(turn, state, flush=True)
            for process in running:
                if process.poll() is not None:
                    raise RuntimeError((process.stderr.read() if process.stderr else "")[-2000:])
    finally:
        for process in running:
            process.kill()
            process.wait()
    print(json.dumps({"kills": args.count, **check(home, args.url)}))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("worker")
    for name in ("role", "home", "url"):
        one.add_argument(name)
    one.add_argument("seed", type=int)
    one.add_argument("count", type=int)
    one.add_argument("log")
    one.add_argument("--seconds", type=float, default=0)
    one.set_defaults(run=work)
    for name, run in (("together", together), ("kills", kills)):
        many = commands.add_parser(name, description=run.__doc__)
        many.add_argument("--home")
        many.add_argument("--url", default="")
        many.add_argument("--count", type=int, default=0)
        many.add_argument("--seconds", type=float, default=0)
        many.add_argument("--seed", type=int, default=1)
        many.add_argument("--verbose", action="store_true")
        many.set_defaults(run=run)
    args = parser.parse_args()
    result: int = args.run(args)
    return result


if __name__ == "__main__":
    raise SystemExit(main())
