"""The command line: one table of commands, each in its own module, loaded only when it is asked for."""

from __future__ import annotations

import _thread
import argparse
import importlib
import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Protocol, cast

from afterpass.exits import Exit
from afterpass.refusals import let_go_of_output, refused
from policy.errors import AfterpassError, UsageError

COMMANDS = {
    "run": "the pass, now: read finished sessions, propose, decide, keep",
    "hook": "record the session that just ended (reads the agent's hook payload from standard input)",
    "install": "let an agent call the hooks: install claude-code | codex | gemini-cli",
    "uninstall": "take the hooks out of an agent's settings again",
    "facts": "what is believed, with dates, evidence and age; add, confirm, edit, retire, restore, forget",
    "review": "the queue of what waits for a person: list, show, accept, reject, snooze, undo",
    "rejected": "the candidates that were not kept, and why",
    "explain": "one session, candidate by candidate: what spoke against each, or with -v every verdict",
    "recall": "what the next session should see, the answer to one question, or notes of past sessions",
    "export": "a managed block of facts in AGENTS.md, CLAUDE.md or GEMINI.md",
    "mcp": "the tools for a model, over the Model Context Protocol",
    "judge": "run the checks on given candidates; nothing is stored",
    "read": "what a reader makes of a transcript: who said what",
    "replay": "judge stored candidates again under today's rules",
    "status": "health: what is done, pending, failed, queued",
    "doctor": "a diagnosis with remedies",
    "store": "the database: verify, backup, export, import, copy, upkeep, compact",
    "stats": "what came of reading back: used, stale, confirmed, changed, missed",
    "policy": "the fact types in force, and trust windows as the store's history suggests them",
    "ui": "the review page, in a browser on this machine",
    "serve": "keep the schedules: nightly, upkeep, weekly",
    "eval": "measure: lifecycle cases, judge cases, sessions with gold",
}

PASSES = ("run", "serve")
"""The commands that leave sessions pending when they are interrupted."""


class Command(Protocol):
    """What a module under ``afterpass/commands`` provides."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's own arguments."""

    def run(self, args: argparse.Namespace) -> Exit:
        """Do it. Raises :class:`AfterpassError` for a failure that one line explains."""


def run(argv: list[str]) -> int:
    """Parse, dispatch, and turn every way of ending into its exit code."""
    _sent.clear()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    try:
        code: int = _dispatch(argv)
    except UsageError as error:
        code = _report(error, Exit.USAGE)
    except AfterpassError as error:
        code = _report(error, Exit.FAILED)
    except BrokenPipeError:
        code = Exit.OK  # the reader of the pipe has seen enough
    except (KeyboardInterrupt, _Terminated):
        code = Exit.INTERRUPTED
    except Exception as error:
        if os.environ.get("AFTERPASS_DEBUG") and not _sent:
            raise
        code = _report(_named(error), Exit.FAILED)
    lost = let_go_of_output()
    if lost is not None and code == Exit.OK and not isinstance(lost, BrokenPipeError):
        code = _report(refused(lost, "standard output"), Exit.FAILED)
    if not _sent:
        return code
    how = "terminated" if _sent[0] == signal.SIGTERM else "interrupted"
    rest = ", the rest is taken up by the next `afterpass run`" if _command_of(argv) in PASSES else ""
    sys.stderr.write(f"{how}: what was finished is kept{rest}\n")
    return 128 + _sent[0]


def _named(error: Exception) -> AfterpassError:
    """What the operating system refused, by its place; else a fault of ours, and how to see where."""
    if isinstance(error, OSError):
        return refused(error)
    return AfterpassError(f"unexpected {type(error).__name__}: {error}", "AFTERPASS_DEBUG=1 shows where")


def _dispatch(argv: list[str]) -> int:
    name = _command_of(argv)
    try:
        args = parse(argv)
    except SystemExit as end:  # after --help, --version, or a message about wrong usage
        return int(end.code or Exit.OK)
    if name is None:
        parser_of_all().print_help()
        return Exit.OK
    return int(_load(name).run(args))


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments of the command that is named, wherever its options stand. Raises SystemExit for wrong usage."""
    name = _command_of(argv)
    if name is None:
        return parser_of_all().parse_args(argv)
    parser = parser_of(name)
    at = argv.index(name)
    rest = [*argv[:at], *argv[at + 1 :]]
    try:
        return parser.parse_intermixed_args(rest)
    except TypeError:  # argparse does not mix where an argument is itself a choice of commands
        return parser.parse_args(rest)


_sent: list[int] = []
"""The signals that came. Remembered, because a library may turn the exception that a signal raises into another one."""


class _Terminated(BaseException):
    """SIGTERM, raised in the main thread so that open transactions roll back."""


UNWINDING_SECONDS = 20.0
"""How long an interrupted command may take to give back what it holds."""


def _end(number: int, _frame: FrameType | None) -> None:
    if not _sent:
        _thread.start_new_thread(_end_anyway, (128 + number,))  # bare: nothing may be imported in a signal handler
    _sent.append(number)
    raise KeyboardInterrupt if number == signal.SIGINT else _Terminated


def _end_anyway(code: int) -> None:
    """End the process where unwinding hangs, say on a lock left held by the interrupt: a kill loses nothing either."""
    time.sleep(UNWINDING_SECONDS)
    os._exit(code)


def _report(error: AfterpassError, code: Exit) -> Exit:
    if not _sent:
        sys.stderr.write(f"afterpass: {error}\n")
    return code


def _command_of(argv: list[str]) -> str | None:
    """The sub-command among the arguments, so that only its module is loaded."""
    skip = False
    for word in argv:
        if skip:
            skip = False
        elif word == "--home":
            skip = True
        elif word == "--version":
            return None
        elif not word.startswith("-"):
            return word if word in COMMANDS else None
    return None


def _load(name: str) -> Command:
    return cast(Command, importlib.import_module(f"afterpass.commands.{name}"))


def parser_of_all() -> argparse.ArgumentParser:
    """The parser of the command line without a command: every command with its summary, none loaded."""
    parser = argparse.ArgumentParser(
        prog="afterpass",
        description="Reads finished coding-agent sessions and keeps what stays true, with evidence.",
        epilog="Every command takes --json and --home. Exit codes: 0 done, 1 failed (one line says why), 2 wrong use.",
        formatter_class=_Help,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    _add_common(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog="afterpass")
    for command, summary in COMMANDS.items():
        commands.add_parser(command, help=summary)
    return parser


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of one command; no other is loaded."""
    summary = COMMANDS[name]
    description = summary[0].upper() + summary[1:] + "."
    parser = argparse.ArgumentParser(prog=f"afterpass {name}", description=description, formatter_class=_Help)
    _add_common(parser)
    _load(name).add_arguments(parser)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    """``--home`` and ``--json`` hold before and after the sub-command."""
    parser.add_argument(
        "--home",
        type=home_given,
        default=argparse.SUPPRESS,
        metavar="DIR",
        help="where state lives (default: AFTERPASS_HOME, else your data folder)",
    )
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="one JSON document on standard output"
    )


def home_given(given: str) -> Path:
    """A home's folder. An empty name would be the current one."""
    if not given.strip():
        raise argparse.ArgumentTypeError("it is empty: name a folder, or leave --home out")
    return Path(given)


class _Help(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal. argparse makes one of these per argument, and would load ``shutil`` to ask for that."""

    def __init__(self, prog: str) -> None:
        try:
            columns = int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size().columns
        except (ValueError, OSError):
            columns = 80
        super().__init__(prog, width=columns - 2)


class _Version(argparse.Action):
    """Prints the version; loaded from its own file so that the build reads the same one."""

    def __call__(self, parser: argparse.ArgumentParser, *_args: object, **_kwargs: object) -> None:
        from afterpass.version import __version__

        sys.stdout.write(f"afterpass {__version__}\n")
        parser.exit()
