"""What one installation is told: where its state lies, which extractor and model it uses, which sessions it takes.

Options win over the environment, the environment over ``settings.toml`` in the home. Only the standard library is
imported, and of it little: every command loads this.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from policy.errors import UsageError
from policy.home import home_dir

FILE_NAME = "settings.toml"
EXTRACTORS = ("auto", "cues", "ollama", "openai")


class SettingsError(UsageError):
    """A settings file, variable or option that cannot be used. ``where`` names it, ``key`` the setting."""

    def __init__(self, where: str, key: str, what: str, next_step: str = "") -> None:
        super().__init__(f"{where}: {what}", next_step)
        self.where = where
        self.key = key


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a pass needs to know before it reads a session.

    ``timeout`` is in seconds per model call, ``lock_timeout`` in seconds of another process's hold on the store,
    ``idle_minutes`` how long a session rests before it counts as finished without a hook, ``turn_end_minutes`` how
    long it rests after a hook that only says that a turn has ended. ``since`` leaves out sessions that ended before
    that day. ``roots`` are searched besides the agents' own folders. ``automation`` counts what programs sent as the
    developer's.
    """

    home: Path
    extractor: str = "auto"
    model: str | None = None
    base_url: str | None = None
    timeout: float = 120.0
    lock_timeout: float = 60.0
    store: str | None = field(default=None, repr=False)  # a URL may carry a password
    policy: Path | None = None
    api_key: str | None = field(default=None, repr=False)
    roots: tuple[Path, ...] = ()
    idle_minutes: float = 30.0
    turn_end_minutes: float = 5.0
    since: date | None = None
    workers: int = 4
    prefect: bool = False
    automation: bool = False
    developer: str | None = None
    repositories: tuple[tuple[str, str], ...] = ()
    developers: tuple[tuple[str, str], ...] = ()

    @property
    def inbox(self) -> Path:
        """Where the hook leaves one marker per finished session."""
        return self.home / "inbox"


def load_settings(
    home: str | Path | None = None,
    *,
    options: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """The settings in force. ``options`` are the command line's, by setting name; None means not given.

    Raises SettingsError for an unknown key or a value that cannot be used, naming the file, the key and what is near.
    """
    environ = os.environ if environ is None else environ
    place = Path(home_dir(environ, None if home is None else str(home)))
    values = _from_file(place / FILE_NAME)
    values |= _from_environment(environ)
    for key, given in (options or {}).items():
        if given is not None:
            option = "--" + key.replace("_", "-")
            values[key] = _parse(option, _known(key, option), given)
    return Settings(home=place, **values)  # type: ignore[arg-type]  # each parser returns its field's type


def _from_file(path: Path) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(str(path), "", f"cannot be read: {error}", "mend or move the file") from error
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            str(path), "", f"not valid TOML: {error}", "mend the line, or move the file away"
        ) from error
    relative = {"policy", "roots"}
    values: dict[str, object] = {}
    for key, given in table.items():
        value = _parse(str(path), _known(key, str(path)), given)
        values[key] = _beside(path, value) if key in relative else value
    return values


def _beside(path: Path, value: object) -> object:
    """Paths in the file are relative to the file."""
    if isinstance(value, tuple):
        return tuple(path.parent / item for item in value)
    return path.parent / value if isinstance(value, Path) else value


def _from_environment(environ: Mapping[str, str]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key in _PARSERS:
        name = "AFTERPASS_" + key.upper()
        if environ.get(name, "").strip():
            values[key] = _parse(name, key, environ[name])
    if "api_key" not in values and environ.get("OPENAI_API_KEY", "").strip():
        values["api_key"] = environ["OPENAI_API_KEY"].strip()
    return values


def _known(key: str, where: str) -> str:
    if key in _PARSERS:
        return key
    from difflib import get_close_matches

    near = get_close_matches(key, _PARSERS, n=1, cutoff=0.0)
    raise SettingsError(where, key, f"unknown key {key!r}", f"the nearest known key is {near[0]!r}")


def _parse(where: str, key: str, given: object) -> object:
    try:
        return _PARSERS[key](given)
    except (TypeError, ValueError) as error:
        shown = "the value given" if key in {"api_key", "store"} else repr(given)
        raise SettingsError(where, key, f"{key} cannot be {shown}", str(error)) from error


def _word(given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        raise ValueError("give a text")
    return given.strip()


def _extractor(given: object) -> str:
    name = _word(given).lower()
    if name not in EXTRACTORS:
        raise ValueError("use one of " + ", ".join(EXTRACTORS))
    return name


def _url(given: object) -> str:
    address = _word(given)
    if not address.startswith(("http://", "https://")):
        raise ValueError("give an address that begins with http:// or https://")
    return address


def _path(given: object) -> Path:
    return given.expanduser() if isinstance(given, Path) else Path(_word(given)).expanduser()


def _paths(given: object) -> tuple[Path, ...]:
    if isinstance(given, str):
        given = [part for part in given.split(os.pathsep) if part.strip()]
    if not isinstance(given, (list, tuple)):
        raise TypeError("give a list of folders")
    return tuple(_path(item) for item in given)


def _positive(given: object) -> float:
    number = _number(given)
    if number <= 0:
        raise ValueError("give a number above zero")
    return number


def _number(given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        raise TypeError("give a number")
    try:
        number = float(given)
    except ValueError:
        raise ValueError("give a number") from None
    if not math.isfinite(number) or number < 0:
        raise ValueError("give a number that is not negative")
    return number


def _day(given: object) -> date:
    if isinstance(given, date):
        return date(given.year, given.month, given.day)
    try:
        return date.fromisoformat(_word(given))
    except ValueError:
        raise ValueError("give a day such as 2026-06-10") from None


def _names(given: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, Mapping):
        raise TypeError('give a table of "name" = "name"')
    return tuple((_word(name).rstrip("/") or "/", _word(meant)) for name, meant in given.items())


def _workers(given: object) -> int:
    number = _positive(given)
    if number != int(number) or number > 256:
        raise ValueError("give a whole number from 1 to 256")
    return int(number)


def _flag(given: object) -> bool:
    if isinstance(given, bool):
        return given
    word = _word(given).lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off"}:
        return False
    raise ValueError("use true or false")


_PARSERS: dict[str, Callable[[object], object]] = {
    "extractor": _extractor,
    "model": _word,
    "base_url": _url,
    "timeout": _positive,
    "lock_timeout": _positive,
    "store": _word,
    "policy": _path,
    "api_key": _word,
    "roots": _paths,
    "idle_minutes": _number,
    "turn_end_minutes": _number,
    "since": _day,
    "workers": _workers,
    "prefect": _flag,
    "automation": _flag,
    "developer": _word,
    "repositories": _names,
    "developers": _names,
}
