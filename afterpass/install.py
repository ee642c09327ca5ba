"""``afterpass install``: entries in an agent's own settings, so that the agent calls the hooks: one that records a
session when it has ended, and one that tells a session what is remembered, when it starts and at each prompt.

Everything else in the file stays as it is, a backup is made before each change, and what cannot be understood is
left untouched with an error that says so.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from policy.errors import AfterpassError, UsageError, reason

TIMEOUT = 10
"""Seconds that the agent gives the hook. In Claude Code it also raises what all session-end hooks share."""

MARKS = {"record": "-m afterpass hook", "tell": "-m afterpass recall --hook"}
"""What a command of ours holds, whichever Python and home it names, by what it does."""
MENDED = "mend the file first; it was left untouched"


class InstallError(AfterpassError):
    """An agent's settings that cannot be read, understood or written. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Agent:
    """Where an agent keeps its hooks. ``ends`` is the event that tells best that a session is over, ``tells`` are those
    whose hooks can add to what the agent knows. ``unit`` is what its timeouts are counted in, as parts of a second.
    """

    name: str
    ends: str
    tells: tuple[str, ...]
    home_variable: str
    default_home: str
    file: str
    unit: int = 1

    @property
    def events(self) -> dict[str, str]:
        """Event to what its hook does, ``record`` or ``tell``."""
        return {self.ends: "record", **dict.fromkeys(self.tells, "tell")}

    def settings_file(self, environ: Mapping[str, str]) -> Path:
        """The file that holds the user's hooks."""
        home = environ.get(self.home_variable) or self.default_home
        return Path(home).expanduser().absolute() / self.file


PROMPTED, GEMINI = ("SessionStart", "UserPromptSubmit"), ("SessionStart", "BeforeAgent")
AGENTS = {
    agent.name: agent
    for agent in (
        Agent("claude-code", "SessionEnd", PROMPTED, "CLAUDE_CONFIG_DIR", "~/.claude", "settings.json"),
        # Codex has no event for the end of a session: Stop tells the end of a turn.
        Agent("codex", "Stop", PROMPTED, "CODEX_HOME", "~/.codex", "hooks.json"),
        Agent("gemini-cli", "SessionEnd", GEMINI, "GEMINI_CLI_HOME", "~", ".gemini/settings.json", unit=1000),
    )
}


@dataclass(frozen=True, slots=True)
class Change:
    """What was done, or in a dry run would be. ``before`` and ``after`` are None where there is no file."""

    agent: str
    path: Path
    before: str | None
    after: str | None
    backup: Path | None = None
    dry_run: bool = False
    note: str = ""

    @property
    def changed(self) -> bool:
        """Whether the file's content changes."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; empty where there is none."""
        from difflib import unified_diff

        lines = unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            str(self.path),
            str(self.path),
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    def to_json(self) -> dict[str, Any]:
        """``{"agent", "path", "changed", "backup", "dry_run", "diff", "note"}``."""
        return {
            "agent": self.agent,
            "path": str(self.path),
            "changed": self.changed,
            "backup": str(self.backup) if self.backup else None,
            "dry_run": self.dry_run,
            "diff": self.diff(),
            "note": self.note,
        }


def hook_command(home: Path | None = None, does: str = "record") -> str:
    """What the agent's shell is to run; ``does`` is one of MARKS."""
    words = [sys.executable, "-I", *MARKS[does].split()]
    if home is not None:
        words += ["--home", str(home.expanduser().absolute())]
    return shlex.join(words)


def install(
    agent: str, *, dry_run: bool = False, home: Path | None = None, environ: Mapping[str, str] | None = None
) -> Change:
    """Add the hooks to the agent's settings, or bring older entries up to date. Doing it twice changes nothing.

    ``home`` is the state directory that the hooks are to use, where it is not the default one. Raises InstallError.
    """
    commands = {does: hook_command(home, does) for does in MARKS}
    return _edit(_agent(agent), commands, dry_run, os.environ if environ is None else environ)


def uninstall(agent: str, *, dry_run: bool = False, environ: Mapping[str, str] | None = None) -> Change:
    """Take the hooks out again; empty lists that this leaves behind go with them. Raises InstallError."""
    return _edit(_agent(agent), {}, dry_run, os.environ if environ is None else environ)


def _agent(name: str) -> Agent:
    if name not in AGENTS:
        raise UsageError(f"unknown agent {name!r}", "use one of " + ", ".join(AGENTS))
    return AGENTS[name]


def _edit(agent: Agent, commands: Mapping[str, str], dry_run: bool, environ: Mapping[str, str]) -> Change:
    """``commands`` by what they do; none takes ours out."""
    path = agent.settings_file(environ)
    before = _read(path)
    settings = _parse(path, before)
    for event, does in agent.events.items():
        _set_hook(path, settings, event, commands.get(does), TIMEOUT * agent.unit)
    after = before if before is None or settings == _parse(path, before) else _render(settings, before)
    if before is None and settings:
        after = _render(settings, "")
    note = _note(agent, path, settings) if commands else ""
    change = Change(agent.name, path, before, after, dry_run=dry_run, note=note)
    if dry_run or not change.changed:
        return change
    backup = _back_up(path) if before is not None else None
    _write(path, change.after or "")
    return replace(change, backup=backup)


def _set_hook(path: Path, settings: dict[str, Any], event: str, command: str | None, timeout: int) -> None:
    """One event with this command of ours, once, in the place of an older one; without a command with none of ours."""
    groups = _groups(path, settings, event)
    ours = [handler for group in groups for handler in group.get("hooks", []) if _is_ours(handler)]
    if command is not None:
        wanted = {"type": "command", "command": command, "timeout": timeout}
        if ours:
            ours[0].update(wanted)
        else:
            _add(settings, event, {"hooks": [wanted]})
    _remove(settings, event, ours[1:] if command is not None else ours)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InstallError(f"{path} cannot be read: {reason(error)}", "it was left untouched") from error


def _parse(path: Path, text: str | None) -> dict[str, Any]:
    if text is None or not text.strip():
        return {}
    try:
        settings = json.loads(text, object_pairs_hook=_unique)
    except ValueError as error:
        raise InstallError(
            f"{path} is not valid JSON: {error}", "mend the file first; it was left untouched"
        ) from error
    if not isinstance(settings, dict):
        raise InstallError(f"{path} does not hold a JSON object", MENDED)
    return settings


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands twice would lose one of its values by being written back."""
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [key for key, _ in pairs]
        raise ValueError("a key stands twice: " + next(name for name in names if names.count(name) > 1))
    return table


def _groups(path: Path, settings: dict[str, Any], event: str) -> list[dict[str, Any]]:
    """The event's groups of handlers. Raises InstallError where they do not have the agent's shape."""
    hooks = settings.get("hooks", {})
    groups = hooks.get(event, []) if isinstance(hooks, dict) else None
    if not isinstance(groups, list) or not all(
        isinstance(group, dict) and isinstance(group.get("hooks", []), list) for group in groups
    ):
        raise InstallError(f"{path}: hooks.{event} is not a list of groups", MENDED)
    return groups


def _add(settings: dict[str, Any], event: str, group: dict[str, Any]) -> None:
    settings.setdefault("hooks", {}).setdefault(event, []).append(group)


def _remove(settings: dict[str, Any], event: str, handlers: list[Any]) -> None:
    """Take these handlers out, and whatever becomes empty by that."""
    if not handlers:
        return
    hooks = settings["hooks"]
    gone = {id(handler) for handler in handlers}
    kept = []
    for group in hooks[event]:
        left = [handler for handler in group.get("hooks", []) if id(handler) not in gone]
        if left or not group.get("hooks"):
            kept.append({**group, "hooks": left} if "hooks" in group else group)
    hooks[event] = kept
    if not kept:
        del hooks[event]
    if not hooks:
        del settings["hooks"]


def _is_ours(handler: object) -> bool:
    return isinstance(handler, dict) and any(mark in str(handler.get("command", "")) for mark in MARKS.values())


def _render(settings: dict[str, Any], before: str) -> str:
    """The settings as text, indented as the file was."""
    first = next((line for line in before.splitlines()[1:] if line.strip()), "  x")
    indent = first[: len(first) - len(first.lstrip())] or "  "
    return json.dumps(settings, indent=indent, ensure_ascii=False) + "\n"


def _note(agent: Agent, path: Path, settings: dict[str, Any]) -> str:
    """What else the agent needs before it calls the hook."""
    if agent.name == "claude-code":
        return "disableAllHooks is set: no hook runs until it is taken out" if settings.get("disableAllHooks") else ""
    if agent.name == "gemini-cli":
        switch = settings.get("hooksConfig")
        off = isinstance(switch, dict) and switch.get("enabled") is False
        return "hooks are off (hooksConfig.enabled): no hook runs until they are turned on" if off else ""
    import tomllib

    try:
        features = tomllib.loads((path.parent / "config.toml").read_text(encoding="utf-8")).get("features", {})
    except (OSError, ValueError):
        features = {}
    if isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks")):
        return f"hooks are off in {path.parent / 'config.toml'} ([features]): turn them on"
    return "Codex asks once whether it may run a new hook: say yes when it does (or look at /hooks)"


def _back_up(path: Path) -> Path:
    """A copy beside the file, named by the time."""
    import shutil

    backup = path.with_name(f"{path.name}.before-afterpass-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    try:
        shutil.copy2(path, backup)
    except OSError as error:
        raise InstallError(f"no backup of {path} could be made: {reason(error)}", "it was left untouched") from error
    return backup


def _write(path: Path, text: str) -> None:
    """Whole or not at all, through a symbolic link, with the rights that the file has."""
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.afterpass-{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise InstallError(f"{path} cannot be written: {reason(error)}", "check its rights and the disk") from error
