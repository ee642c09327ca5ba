"""``afterpass recall --hook``: what an agent's session start and prompt hooks are told.

It answers within its time limit or says nothing: the agent and its developer must never see it fail. Whatever goes
wrong becomes one line in ``hook.log``.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from afterpass.hook import parse, read_input, text_of, write_log
from policy.home import home_dir

if TYPE_CHECKING:
    from afterpass.arrival.told import Telling

# Whoever starts a session waits for this module, so it imports next to nothing: paths are strings here.
# ruff: noqa: PTH109, PTH118

TIME_LIMIT = 4.0
"""Seconds for everything, on a machine that is busy beyond all measure: tenths are usual. What takes longer is worked
out in the background and told the next time.
"""

STARTS = frozenset({"SessionStart"})  # Claude Code, Codex and Gemini CLI
PROMPTS = frozenset({"UserPromptSubmit", "BeforeAgent"})  # Claude Code and Codex; Gemini CLI
LONGEST_PROMPT = 8000  # characters that are looked at: what comes after them was pasted in
WARMING = "recall.warming"


class Call(NamedTuple):
    """One call of the hook. ``prompt`` is None at the start of a session."""

    event: str
    session: str
    directory: str
    prompt: str | None


def run_if_called(argv: list[str]) -> int | None:
    """Answer when ``argv`` calls the hook plainly; None when the full command line has to look at it (``--help``)."""
    home, payload, flags = None, None, set()
    words = iter(argv)
    for word in words:
        if word == "--home":
            home = next(words, None)
            if home is None:
                return None
        elif word.startswith("--home="):
            home = word[len("--home=") :]
        elif word in {"recall", "--hook", "--json"}:
            flags.add(word)
        elif word == "--warm":
            payload = next(words, None)
        else:
            return None
    if not flags >= {"recall", "--hook"}:
        return None
    directory = home_dir(os.environ, home)
    gc.disable()  # a process this short has nothing to collect
    code = run_hook(directory) if payload is None else warm(directory, payload)
    os._exit(code)  # everything is written: taking the modules apart would cost more than a start without them


def run_hook(home: str) -> int:
    """Read the payload, answer on standard output. Returns 0 whatever happens."""
    started, call = time.monotonic(), None
    try:
        _guard()
        call = _call(home, parse(read_input()))
        if call is not None:
            telling = _tell(home, call, TIME_LIMIT)
            if telling.text:
                _say(call.event, telling.text)
            _put_on_record(home, call, telling, time.monotonic() - started)
    except TimeoutError as error:
        _log(home, f"{error}; worked out in the background instead")
        if call is not None:
            _start_warming(home, call)
    except Exception as error:  # noqa: BLE001 - the agent must never see this fail; the log line says what did
        _log(home, f"{type(error).__name__}: {error}")
    return 0


def warm(home: str, payload: str) -> int:
    """Work out in the background, without a limit, what could not be told in time. Returns 0."""
    import fcntl

    lock = os.open(os.path.join(home, WARMING), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        call = _call(home, parse(payload.encode("utf-8", "surrogateescape")))
        if call is not None:
            _tell(home, call, None)
    except BlockingIOError:
        pass  # another one is at it
    except Exception as error:  # noqa: BLE001 - nobody watches this process: its log line is all that would be known
        _log(home, f"in the background: {type(error).__name__}: {error}")
    finally:
        os.close(lock)
    return 0


def _log(home: str, line: str) -> None:
    """One line in ``hook.log``. Where it cannot be written there is nobody to tell: an agent shows what is printed."""
    with suppress(OSError, TimeoutError):
        write_log(home, line, "recall")


def _guard() -> None:
    import signal

    def expire(_signal: int, _frame: object) -> None:
        raise TimeoutError(f"not ready after {TIME_LIMIT} s")

    signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT)


def _call(home: str, told: dict[str, object]) -> Call | None:
    """What is asked, or None where there is nothing to tell: another event, a sub-agent."""
    event = text_of(told, "hook_event_name") or ""
    if event not in STARTS | PROMPTS:
        _log(home, f"ignored the event {event[:40]!r}: only the start of a session and a prompt are answered")
        return None
    prompt = (text_of(told, "prompt") or "")[:LONGEST_PROMPT] if event in PROMPTS else None
    if text_of(told, "agent_id") or prompt == "":
        return None
    return Call(event, text_of(told, "session_id") or "", text_of(told, "cwd") or os.getcwd(), prompt)


def _tell(home: str, call: Call, limit: float | None) -> Telling:
    """What a call is told. Raises TimeoutError where it cannot be worked out within ``limit`` seconds."""
    from afterpass.arrival.place import place_of

    place = place_of(call.directory, home, os.environ)
    if call.prompt is None:
        from afterpass.arrival.starting import tell_start

        return tell_start(home, place, call.session, limit)
    from afterpass.arrival.prompted import tell_prompt

    return tell_prompt(home, place, call.session, call.prompt, limit)


def _say(event: str, text: str) -> None:
    """In the form that all three agents read."""
    answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    os.write(1, json.dumps(answer).encode("ascii") + b"\n")


def _put_on_record(home: str, call: Call, telling: Telling, seconds: float) -> None:
    from store.recalls import append

    append(
        home,
        {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "by": "hook",
            "event": call.event,
            "session": call.session,
            **telling.record,
            "ms": round(seconds * 1000),
        },
    )


def _start_warming(home: str, call: Call) -> None:
    """Make everything ready for the next call of this place, detached and without a limit. What the developer wrote is
    not handed on: every user of the machine sees the arguments of a process.
    """
    names = {"hook_event_name": "SessionStart", "cwd": call.directory}
    command = [sys.executable, "-I", "-m", "afterpass", "recall", "--hook", "--home", home, "--warm", json.dumps(names)]
    silence = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        os.posix_spawn(sys.executable, command, os.environ, file_actions=silence, setsid=True)
    except NotImplementedError:  # a platform whose spawn cannot make a session
        os.posix_spawn(sys.executable, command, os.environ, file_actions=silence)
