"""Reading a repository's files without ever failing on one: what cannot be read says nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MOST_BYTES = 1_000_000
MOST_FILES = 60


def text_of(path: Path) -> str | None:
    """The file's text, or None where there is none that can be read."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def json_of(path: Path) -> dict[str, Any]:
    """The file's JSON object, or an empty one."""
    text = text_of(path)
    try:
        found = json.loads(text) if text else None
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def yaml_of(path: Path) -> dict[Any, Any]:
    """The file's YAML mapping, or an empty one."""
    text = text_of(path)
    if not text:
        return {}
    import yaml  # only a repository with CI files needs it

    try:
        found = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def workflows(root: Path) -> list[Path]:
    """The files of GitHub's workflows, by name."""
    folder = root / ".github" / "workflows"
    return sorted(folder.glob("*.y*ml"))[:MOST_FILES] if folder.is_dir() else []
