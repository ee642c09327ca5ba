"""Codex's rollout files: ``~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl``."""

from transcripts.codex.reader import identify, name, read

__all__ = ["identify", "name", "read"]
