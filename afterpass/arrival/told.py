"""What a session has been told already, so that a prompt repeats only what has to be asked about.

Ids, placements and digests only: a forgotten value is not in here.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import Any, NamedTuple

from store.snapshot import FOLDER, name_of, write_private

# Whoever starts a session waits for this module, so it imports next to nothing: paths are strings here.
# ruff: noqa: PTH108, PTH118, PTH123, PTH204, PTH208

KEPT_SECONDS = 14 * 86400
PREFIX = "told-"


class Telling(NamedTuple):  # a dataclass would cost the import of what makes them, more than the rest of this module
    """A text for the agent, empty where there is nothing to tell, its record, and how each fact in it stood."""

    text: str
    record: dict[str, Any]
    states: dict[str, str]


def told_to(home: str, session: str) -> dict[str, str]:
    """The facts that a session was told, with how each stood then."""
    try:
        with open(_file(home, session), "rb") as file:
            found = json.loads(file.read())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def tell(home: str, session: str, told: dict[str, str]) -> None:
    """Put on record what a session was told by now. Who cannot repeats himself."""
    with suppress(OSError):
        write_private(_file(home, session), json.dumps(told))


def begin(home: str, session: str, told: dict[str, str]) -> None:
    """A session starts, or starts again with an empty memory: it knows this and nothing else."""
    tell(home, session, told)
    folder = os.path.join(home, FOLDER)
    with suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if name.startswith(PREFIX) and time.time() - os.path.getmtime(path) > KEPT_SECONDS:
                os.unlink(path)


def _file(home: str, session: str) -> str:
    return os.path.join(home, FOLDER, name_of(("told", session)) + ".json")
