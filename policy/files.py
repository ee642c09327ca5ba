"""Reading policy files: TOML in, plain tables out, and one-line errors that name file, key and nearest known key."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from policy.errors import AfterpassError
from policy.places import read_bytes

SHIPPED = Path(__file__).parent


class PolicyError(AfterpassError):
    """A policy file that cannot be used. ``path`` and ``key`` say where."""

    def __init__(self, path: Path, key: str, problem: str, next_step: str = "") -> None:
        where = f"{path}: {key}: " if key else f"{path}: "
        super().__init__(where + problem, next_step)
        self.path = path
        self.key = key


def read_toml(path: Path) -> dict[str, Any]:
    """The file's tables. Raises :class:`PolicyError` where it is missing, unreadable or no TOML."""
    try:
        return tomllib.loads(read_bytes(path).decode("utf-8"))
    except FileNotFoundError as error:
        raise PolicyError(path, "", "no such policy file", "check the path of the policy setting") from error
    except OSError as error:
        raise PolicyError(path, "", f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PolicyError(path, "", f"is not UTF-8 (byte {error.start})") from error
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(path, "", f"is not valid TOML: {error}") from error
    except RecursionError as error:
        raise PolicyError(path, "", "is too deeply nested") from error


def unknown_key(path: Path, key: str, name: str, known: Iterable[str]) -> PolicyError:
    """The error for a key that nobody reads, with the nearest one that is read."""
    import difflib  # only a failure needs it

    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(names)}"
    return PolicyError(path, key, "unknown key", hint)


def together(errors: Sequence[PolicyError]) -> PolicyError:
    """The errors of one file in one line, which names the file once."""
    first, *others = errors
    if not others:
        return first
    said = [str(error).removeprefix(f"{first.path}: ") for error in errors]
    return PolicyError(first.path, "", "; ".join(said))


def merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """``base`` with the keys of ``over`` laid on top, table by table; a list or a value replaces what was there."""
    out = dict(base)
    for key, value in over.items():
        below = out.get(key)
        out[key] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return out


@cache
def read_cues(folders: tuple[Path, ...]) -> dict[str, Any]:
    """The cue extractor's patterns: ``cues.toml`` of every folder, later ones laid over earlier ones."""
    tables: dict[str, Any] = {}
    for folder in folders:
        path = folder / "cues.toml"
        if path.exists():
            tables = merged(tables, read_toml(path))
    return tables


@cache
def content_hash(files: tuple[Path, ...]) -> str:
    """Sixteen hex digits over the files' names and bytes: what a decision records as its policy version."""
    import hashlib

    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
