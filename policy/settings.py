"""What one installation is told: where its state lies, which extractor and model it uses, which sessions it takes.

Options win over the environment, the environment over ``settings.toml`` in the home. Only the standard library is
imported, and of it little: every command loads this.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from policy.errors import UsageError
from policy.home import home_dir
from policy.people import person_key

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
    developer's. ``notes`` has the model that proposes write a note of each session, ``embedding_model`` of the same
    server makes the notes' vectors.
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
    notes: bool = True
    embedding_model: str | None = None
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

    Raises SettingsError for unknown keys and values that cannot be used, naming the file, every such key and what is
    near.
    """
    settings, problems = usable_settings(home, options=options, environ=environ)
    if problems:
        raise _together(problems)
    return settings


def usable_settings(
    home: str | Path | None = None,
    *,
    options: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
) -> tuple[Settings, list[SettingsError]]:
    """The settings as far as they can be used, and everything that cannot: for whoever goes on all the same."""
    environ = os.environ if environ is None else environ
    place = Path(home_dir(environ, None if home is None else str(home)))
    problems = _no_home(place)
    values = {} if problems else _from_file(place / FILE_NAME, problems)
    values |= _from_environment(environ, problems)
    for key, given in (options or {}).items():
        if given is not None:
            _take(values, "--" + key.replace("_", "-"), key, given, problems)
    return Settings(home=place, **values), problems  # type: ignore[arg-type]  # each parser returns its field's type


def _together(problems: Sequence[SettingsError]) -> SettingsError:
    """All problems in one line; a place that several share is named once."""
    first, *others = problems
    if not others:
        return first
    said = [str(other).removeprefix(f"{first.where}: ") for other in others]
    return SettingsError(first.where, first.key, "; ".join([str(first).removeprefix(f"{first.where}: "), *said]))


def _no_home(place: Path) -> list[SettingsError]:
    """What stands in the home's place, or in that of a folder above it, and is no folder."""
    for part in (place, *place.parents):
        if os.path.isdir(part):  # noqa: PTH112 - pathlib would raise for a name that is too long
            break
        if os.path.lexists(part):
            what = "is a file" if part.exists() else "is a link that leads nowhere"
            other = "name a folder with --home or AFTERPASS_HOME"
            return [SettingsError(f"the home {place} cannot be used", "home", f"{part} {what}", other)]
    return []


def _from_file(path: Path, problems: list[SettingsError]) -> dict[str, object]:
    if path.exists() and not path.is_file():
        problems.append(SettingsError(str(path), "", "is no file", "move it away, or put a file of settings there"))
        return {}
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or error
        problems.append(SettingsError(str(path), "", f"cannot be read: {said}", "mend or move the file"))
        return {}
    import tomllib

    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        said = error if isinstance(error, ValueError) else "too deeply nested"
        problems.append(SettingsError(str(path), "", f"not valid TOML: {said}", "mend the line, or move the file away"))
        return {}
    values: dict[str, object] = {}
    for key, given in table.items():
        _take(values, str(path), key, given, problems)
    for key in {"policy", "roots"} & values.keys():
        values[key] = _beside(path, values[key])
    return values


def _take(values: dict[str, object], where: str, key: str, given: object, problems: list[SettingsError]) -> None:
    """Put one setting among ``values``, or what is wrong with it among ``problems``."""
    try:
        given = _parse(where, _known(key, where), given)
    except SettingsError as error:
        problems.append(error)
    else:
        values[key] = given


def _beside(path: Path, value: object) -> object:
    """Paths in the file are relative to the file."""
    if isinstance(value, tuple):
        return tuple(path.parent / item for item in value)
    return path.parent / value if isinstance(value, Path) else value


def _from_environment(environ: Mapping[str, str], problems: list[SettingsError]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key in _PARSERS:
        name = "AFTERPASS_" + key.upper()
        if environ.get(name, "").strip():
            _take(values, name, key, environ[name], problems)
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


def _person(given: object) -> str:
    return person_key(_word(given))


def _people(given: object) -> tuple[tuple[str, str], ...]:
    return tuple((person_key(name), person_key(meant)) for name, meant in _names(given))


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
    "notes": _flag,
    "embedding_model": _word,
    "roots": _paths,
    "idle_minutes": _number,
    "turn_end_minutes": _number,
    "since": _day,
    "workers": _workers,
    "prefect": _flag,
    "automation": _flag,
    "developer": _person,
    "repositories": _names,
    "developers": _people,
}
