"""``afterpass hook``: record durably that a session has ended, start the pass in the background, return 0.

An agent may kill a session-end hook after a second and a half, so this module imports as little as it can, bounds
its time and what it reads, and never fails: whatever goes wrong becomes one line in ``hook.log``.
"""

from __future__ import annotations

import json
import os
import sys
import time

from policy.home import home_dir

# pathlib, argparse, logging and subprocess would cost more than the whole job: paths are strings here.
# ruff: noqa: PTH100, PTH103, PTH104, PTH105, PTH110, PTH111, PTH112, PTH118, PTH202

TIME_LIMIT = 1.2  # seconds for everything; Claude Code gives all session-end hooks together 1.5
READ_LIMIT = 0.8  # seconds for standard input
SIZE_LIMIT = 4 << 20  # bytes of standard input; the last answer of the agent may be in it
LOG_LIMIT = 1 << 20  # bytes, then the log is set aside once

ENDS = {"SessionEnd"}  # the session is finished
TURN_ENDS = {"Stop", "agent-turn-complete"}  # it is finished once it has rested for a while
STARTS = {"SessionStart"}  # nothing to record, but a good moment to catch up


def run_if_called(argv: list[str]) -> int | None:
    """Run the hook when ``argv`` calls it plainly; None when the full command line has to look at it (``--help``)."""
    home, payload, flags = None, None, set()
    words = iter(argv)
    for word in words:
        if word == "--home":
            home = next(words, None)
            if home is None:
                return None
        elif word.startswith("--home="):
            home = word[len("--home=") :]
        elif word in {"--record-only", "--background", "--json"}:
            flags.add(word)
        elif word == "hook" and "hook" not in flags:
            flags.add("hook")
        elif "hook" in flags and word.startswith("{") and payload is None:
            payload = word  # Codex's notify gives its payload as the last argument
        else:
            return None
    if "hook" not in flags:
        return None
    directory = home_dir(os.environ, home)
    if "--background" in flags:
        from flows.background import main

        return main(directory)
    return run_hook(directory, payload, record_only="--record-only" in flags)


def run_hook(home: str, payload: str | None, *, record_only: bool) -> int:
    """Record and start, within the time limit. Returns 0 whatever happens."""
    try:
        _guard()
        started = _record(home, payload)
        if started and not record_only:
            _start_background(home)
    except Exception as error:  # noqa: BLE001 - the agent must never see this fail; the log line says what did
        log(home, f"{type(error).__name__}: {error}")
    return 0


def _guard() -> None:
    """Outlive the closing terminal for the moment this takes, and no longer than the limit."""
    import signal

    def expire(_signal: int, _frame: object) -> None:
        raise TimeoutError(f"gave up after {TIME_LIMIT} s")

    for name in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT)


def _record(home: str, payload: str | None) -> bool:
    """Write the marker. True when a pass has something to look at."""
    told = parse(read_input() if payload is None else payload.encode("utf-8", "surrogateescape"))
    event = text_of(told, "hook_event_name") or text_of(told, "type") or ("Stop" if "turn-id" in told else "SessionEnd")
    if event in STARTS:
        return True
    if event not in ENDS and event not in TURN_ENDS:
        log(home, f"ignored the event {event[:40]!r}: only the end of a session or of a turn is recorded")
        return False
    if event in TURN_ENDS and text_of(told, "agent_id"):
        return False  # a sub-agent's turn
    session = text_of(told, "session_id") or text_of(told, "thread-id") or text_of(told, "thread_id")
    path = text_of(told, "transcript_path")
    cwd = text_of(told, "cwd")
    if not session and not path:
        raise ValueError("the payload names neither session_id nor transcript_path")
    if path:
        path = os.path.join(cwd, os.path.expanduser(path)) if cwd else os.path.abspath(os.path.expanduser(path))
    marker = {"marker": 1, "event": event, "session": session, "path": path, "cwd": cwd, "at": time.time()}
    _write_marker(home, json.dumps(marker).encode("ascii"))
    return True


def text_of(told: dict[str, object], key: str) -> str | None:
    """A field of a payload where it holds a usable text, else None."""
    value = told.get(key)
    return value if isinstance(value, str) and value.strip() and "\0" not in value else None


def read_input() -> bytes:
    """Standard input, until its end, the end of a whole JSON object, the size limit or the time limit."""
    import select

    deadline = time.monotonic() + READ_LIMIT
    data = b""
    while len(data) < SIZE_LIMIT:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([0], [], [], left)[0]:
            break
        chunk = os.read(0, 1 << 16)
        if not chunk:
            break
        data += chunk
        if len(chunk) < 1 << 16 and _is_whole(data):
            break  # an agent that leaves the pipe open is not waited for
    return data


def _is_whole(data: bytes) -> bool:
    if not data.rstrip().endswith(b"}"):
        return False
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def parse(data: bytes) -> dict[str, object]:
    """A payload's fields; of one that was cut off by a limit the few that matter. Raises ValueError."""
    if not data.strip():
        raise ValueError("no payload on standard input")
    try:
        told = json.loads(data.decode("utf-8-sig", "replace"))
    except ValueError as error:
        told = _salvage(data)
        if not told:
            raise ValueError(f"the payload is not JSON: {error}") from error
    if not isinstance(told, dict):
        raise ValueError("the payload is not a JSON object")  # noqa: TRY004 - one kind of error: bad input
    return told


def _salvage(data: bytes) -> dict[str, object]:
    """The few fields that matter, from a payload that was cut off by a limit."""
    import re

    found = re.findall(
        rb'"(session_id|transcript_path|cwd|hook_event_name|thread-id)"\s*:\s*("(?:[^"\\]|\\.)*")', data[: 1 << 16]
    )
    told: dict[str, object] = {}
    for key, quoted in found:
        told.setdefault(key.decode(), json.loads(quoted.decode("utf-8", "replace"), strict=False))
    return told


def _write_marker(home: str, content: bytes) -> None:
    """Temporary name, fsync, rename, fsync of the folder: the marker is there whole, or it is not there."""
    inbox = os.path.join(home, "inbox")
    if not os.path.isdir(inbox):
        os.makedirs(home, 0o700, exist_ok=True)
        os.makedirs(inbox, 0o700, exist_ok=True)
    name = f"{time.time_ns():020d}-{os.getpid()}"
    temporary, final = os.path.join(inbox, f".{name}.tmp"), os.path.join(inbox, f"{name}.json")
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, content)
        os.fsync(file)
    except TimeoutError:
        os.rename(temporary, final)  # on a disk too slow to promise anything, probably kept beats surely lost
        raise
    finally:
        os.close(file)
    os.rename(temporary, final)
    folder = os.open(inbox, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _start_background(home: str) -> None:
    """Start ``hook --background`` detached, unless one already waits: that one has yet to look into the inbox."""
    import fcntl
    import signal

    lock = os.open(os.path.join(home, "background.waiting"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    finally:
        os.close(lock)
    os.chdir(home)  # the child's working directory
    log = os.path.join(home, "background.log")
    silence = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
    ]
    command = [sys.executable, "-I", "-m", "afterpass", "hook", "--background", "--home", home]
    try:
        os.posix_spawn(
            sys.executable,
            command,
            os.environ,
            file_actions=silence,
            setsid=True,
            setsigdef=[signal.SIGHUP, signal.SIGINT, signal.SIGTERM],
        )
    except NotImplementedError:  # a platform whose spawn cannot: the child makes its own session
        os.posix_spawn(sys.executable, command, os.environ, file_actions=silence)


def log(home: str, line: str, who: str = "hook") -> None:
    """One line, with its time. Where even that cannot be written, standard error gets it."""
    try:
        write_log(home, line, who)
    except (OSError, TimeoutError) as error:
        text = f"{who}: {' '.join(line.split())[:500]} ({error})\n"
        sys.stderr.write(f"afterpass {text}")


def write_log(home: str, line: str, who: str) -> None:
    """One line, with its time. Raises OSError."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    text = f"{stamp} {who}: {' '.join(line.split())[:500]}\n"
    path = os.path.join(home, "hook.log")
    os.makedirs(home, 0o700, exist_ok=True)
    if os.path.exists(path) and os.path.getsize(path) > LOG_LIMIT:
        os.replace(path, path + ".1")
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, text.encode("utf-8", "replace"))
    finally:
        os.close(file)
