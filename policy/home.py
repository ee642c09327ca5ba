"""Where Afterpass keeps its state. The session-end hook loads this and little else, so it imports next to nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def home_dir(environ: Mapping[str, str], option: str | None = None) -> str:
    """The state directory as an absolute path: ``--home``, else AFTERPASS_HOME, else the platform's data directory."""
    chosen = option or environ.get("AFTERPASS_HOME") or _platform_default(environ)
    return os.path.abspath(os.path.expanduser(chosen))  # noqa: PTH100, PTH111 - pathlib costs the hook milliseconds


def _platform_default(environ: Mapping[str, str]) -> str:
    if sys.platform.startswith("linux"):
        return os.path.join(_absolute(environ.get("XDG_DATA_HOME")) or "~/.local/share", "afterpass")  # noqa: PTH118
    if sys.platform == "darwin":
        return "~/Library/Application Support/afterpass"
    from platformdirs import user_data_dir

    return user_data_dir("afterpass", appauthor=False)


def _absolute(path: str | None) -> str | None:
    """The XDG rules: a relative path in the variable is to be ignored."""
    return path if path and os.path.isabs(path) else None  # noqa: PTH117 - see home_dir
