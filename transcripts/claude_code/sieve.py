"""Which lines of a session file are worth parsing: decided on bytes, before any JSON is read."""

from __future__ import annotations

# How an agent's message begins behind its first `"type":"`, up to the kind of its first block.
_AGENT = b'message","role":"assistant","content":[{"type":"'
_ASKS = (b'AskUserQuestion"', b'ExitPlanMode"')


class Sieve:
    """Lets through what may hold anybody's words. ``agent_seen`` says that an agent's line was held back.

    A line may hold a second record, glued to the first or to what is left of it. Only where a line ends as its first
    record must end is it left unread.
    """

    def __init__(self) -> None:
        """No agent was seen yet."""
        self.agent_seen = False

    def wanted(self, line: bytes) -> bool:
        """Whether a line may matter. Its first ``"type"`` is its own, or that of an agent's message."""
        at = line.find(b'"type":"', 0, 600) + 8
        if line.startswith(_AGENT, at):
            if _wordless(line, at + len(_AGENT)) and _ends_with(line, b'"type":"assistant",', 200):
                self.agent_seen = True
                return False
            return True
        return not (line.startswith(b"progress", at) and _ends_with(line, b'"parentToolUseID":', 250))


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


def _ends_with(line: bytes, key: bytes, within: int) -> bool:
    """Whether a top-level key stands near the end, with nothing but plain values behind it."""
    at = line.find(key, max(0, len(line) - within))
    return at >= 0 and line.find(b"{", at) < 0
