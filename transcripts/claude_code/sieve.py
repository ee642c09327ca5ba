"""Which lines of a session file are worth parsing: decided on bytes, before any JSON is read."""

from __future__ import annotations

# How an agent's message begins behind its first `"type":"`, up to the kind of its first block.
_AGENT = b'"type":"message","role":"assistant","content":[{"type":"'
_END = b'"type":"assistant",'
_ASKS = (b'AskUserQuestion"', b'ExitPlanMode"')


class Sieve:
    """Lets through what may hold anybody's words. ``agent_seen`` says that an agent's line was held back.

    A line may hold a second record, glued to the first or to what is left of it. Only where a line ends as its first
    record must end is it left unread. Both places are mostly those of the line before, which is looked at first.
    """

    def __init__(self) -> None:
        """No agent was seen yet."""
        self.agent_seen = False
        self._begins = 0  # where the last agent's message began
        self._ends = 0  # how far from its end the last agent's line said whose it was

    def wanted(self, line: bytes) -> bool:
        """Whether a line may matter. Its first ``"type"`` is its own, or that of an agent's message."""
        at = self._begins
        if not line.startswith(_AGENT, at):
            at = line.find(b'"type":"', 0, 600)
            if not line.startswith(_AGENT, at):
                progress = line.startswith(b'"type":"progress', at)
                return not (progress and _ends_with(line, b'"parentToolUseID":', 250) >= 0)
            self._begins = at
        if _wordless(line, at + len(_AGENT)) and self._is_agents(line):
            self.agent_seen = True
            return False
        return True

    def _is_agents(self, line: bytes) -> bool:
        """Whether the line ends as an agent's record does."""
        at = len(line) - self._ends
        if line.startswith(_END, at) and line.find(b"{", at) < 0:
            return True
        at = _ends_with(line, _END, 200)
        if at >= 0:
            self._ends = len(line) - at
        return at >= 0


def _wordless(line: bytes, at: int) -> bool:
    """Whether an agent's message is a single block without words: a thought, or a call that asks nothing.

    A second block would open a brace before the usage figures do, a second record a list behind them. A block that has
    braces of its own is parsed to be sure.
    """
    if line.startswith(b'tool_use"', at):
        named = line.find(b'"name":"', at) + 8
        at = line.find(b"{", named) + 1
        if line.startswith(_ASKS, named) or not line.startswith(b'"input":', at - 9):
            return False
    elif not line.startswith((b'thinking"', b'redacted_thinking"'), at):
        return False
    brace = line.find(b"{", at)
    return line.startswith(b'"usage":', brace - 8) and line.find(b"[", brace) < 0


def _ends_with(line: bytes, key: bytes, within: int) -> int:
    """Where a top-level key stands near the end with nothing but plain values behind it; -1 where none does."""
    at = line.find(key, max(0, len(line) - within))
    return -1 if line.find(b"{", at) >= 0 else at
