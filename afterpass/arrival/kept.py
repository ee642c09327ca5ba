"""What was worked out before, kept with the state of everything that it was worked out from.

Who reads a kept value looks at every file that went into it, those that were not there among them: while none of them
has changed, the value is what working it out again would give. A process that answers an agent has no time for more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from afterpass.version import __version__
from store.snapshot import FOLDER, name_of, write_private

# Whoever starts a session waits for this module, so it imports next to nothing: paths are strings here.
# ruff: noqa: PTH116, PTH118, PTH123

Stamp = list[int] | str | None


def stamp_of(path: str) -> Stamp:
    """How a file lies there now: time, size and number; None where there is none.

    Of a folder only that it is one, unless the path ends in a slash: then the time of its last new or lost name, too.
    """
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    if (found.st_mode & 0o170000) == 0o040000 and not path.endswith("/"):
        return "folder"
    return [found.st_mtime_ns, found.st_size, found.st_ino]


def stamps_of(paths: Iterable[str]) -> dict[str, Stamp]:
    """The stamps of many files, to be kept with what is made from them. Take them before the files are read."""
    return {path: stamp_of(path) for path in paths}


def path_in(home: str, *parts: str) -> str:
    """Where a kept value lies. The parts are names as :func:`store.snapshot.name_of` makes them."""
    return os.path.join(home, FOLDER, "~".join(parts) + ".json")


def name_of_place(directory: str) -> str:
    """A directory as a part of a kept value's name."""
    return name_of(("at", directory))


def load(path: str, circumstances: Mapping[str, object]) -> dict[str, Any] | None:
    """The kept value, or None where there is none that still holds under these circumstances."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read())
        if found["version"] != __version__ or found["circumstances"] != dict(circumstances):
            return None
        stamps = found["stamps"]
        value = found["value"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(value, dict) or any(stamp_of(each) != stamp for each, stamp in stamps.items()):
        return None
    return value


def save(path: str, circumstances: Mapping[str, object], stamps: Mapping[str, Stamp], value: Mapping[str, Any]) -> None:
    """Keep a value. Whoever cannot does without it. What it was made from may have been taken away meanwhile: then the
    value goes again at once.
    """
    content = {"version": __version__, "circumstances": circumstances, "stamps": stamps, "value": value}
    try:
        write_private(path, json.dumps(content, ensure_ascii=True, separators=(",", ":")))
        if any(stamp_of(each) != stamp for each, stamp in stamps.items()):
            os.unlink(path)  # noqa: PTH108 - see above
    except OSError:
        pass
