"""Files that lie beside transcripts and hold no session: told by their content, or by a name that is certain."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile

# Names that no agent gives a transcript.
CERTAIN_NAMES = frozenset(
    {
        "settings.json",
        "settings.local.json",
        "sessions-index.json",
        "session_index.jsonl",
        "workspace.json",
        ".DS_Store",
    }
)
CERTAIN_FOLDERS = frozenset({"tool-results", "paste-cache", "file-history", "shell-snapshots", "todos", "statsig"})
CERTAIN_SUFFIXES = (".meta.json", ".tmp", ".lock", ".png", ".jpg", ".pdf", ".sqlite-wal", ".sqlite-shm", ".db-wal")
CERTAIN_PREFIXES = (".tmp-", ".unreadable-")  # what Gemini CLI is writing, or could not read itself

# Keys that together say what a small JSON file is.
_SHAPES = (
    ({"display", "pastedContents"}, "Claude Code's prompt history"),
    ({"display", "project", "timestamp"}, "Claude Code's prompt history"),
    ({"session_id", "ts", "text"}, "Codex's prompt history"),
    ({"id", "thread_name", "updated_at"}, "Codex's session index"),
    ({"id", "ts", "task"}, "Cline's entry of a task in its history"),
    ({"files_in_context"}, "Cline's list of a task's files"),
    ({"agentType"}, "a description of a sub-agent"),
    ({"permissions"}, "settings"),
    ({"hooks"}, "settings"),
    ({"mcpServers"}, "settings"),
    ({"enabledPlugins"}, "settings"),
    ({"version", "entries", "originalPath"}, "an index of sessions"),
)


def side_file(file: TranscriptFile) -> str:
    """Why this file holds no session, or "" when nothing says so."""
    path, head = file.path, file.head
    if path.name in CERTAIN_NAMES or path.name.endswith(CERTAIN_SUFFIXES) or path.name.startswith(CERTAIN_PREFIXES):
        return "a file that lies beside transcripts"
    if path.parent.name in CERTAIN_FOLDERS:
        return f"a file of the folder {path.parent.name}"
    objects = file.objects.first() or _whole(head)
    for keys, what in _SHAPES:
        if objects and all(keys <= record.keys() for record in objects):
            return what
    if _todo_list().match(head):
        return "a list of tasks"
    return ""


def _whole(head: bytes) -> list[dict[str, Any]]:
    """A file that is one JSON object over several lines."""
    try:
        value = orjson.loads(head)
    except ValueError:
        return []
    return [value] if isinstance(value, dict) else []


@cache
def _todo_list() -> re.Pattern[bytes]:
    return re.compile(
        rb'\s*\[\s*(?:\]\s*$|\{\s*"(?:content|id)"[^}]*"status"\s*:\s*"(?:pending|in_progress|completed)")'
    )
