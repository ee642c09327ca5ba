"""Claude Code's session files: ``~/.claude/projects/<slug>/<session>.jsonl``."""

from transcripts.claude_code.reader import identify, name, read

__all__ = ["identify", "name", "read"]
