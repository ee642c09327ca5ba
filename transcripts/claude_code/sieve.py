"""Which lines of a session file are worth parsing, and how much of them: decided on bytes, before any JSON is read."""

from __future__ import annotations

# The first `"type":"…` of an agent's line, by its first eight letters.
_AGENT = frozenset({b'message"', b"assistan", b"thinking", b"tool_use", b"redacted"})


def _speaks(line: bytes, at: int) -> bool:
    """Whether an agent's line may hold words: text, a question or a plan in its first block, or a second block."""
    block = line.find(b'"content":[{"type":"', at)
    if block < 0:
        return True
    kind = block + 20
    if line.startswith(b"tool_use", kind):
        named = line.find(b'"name":"', kind)
        if line.startswith((b"AskUserQuestion", b"ExitPlanMode"), named + 8):
            return True
    elif not line.startswith((b"thinking", b"redacted_thinking"), kind):
        return True
    return line.find(b'},{"type":"', kind) >= 0


def _ends_with(line: bytes, key: bytes, within: int) -> bool:
    """Whether a top-level key stands near the end, with nothing but plain values behind it."""
    at = line.find(key, max(0, len(line) - within))
    return at >= 0 and line.find(b"{", at) < 0


class Sieve:
    """Lets through what may hold anybody's words. ``agent_seen`` says that an agent's line was held back."""

    def __init__(self) -> None:
        """No agent was seen yet."""
        self.agent_seen = False

    def wanted(self, line: bytes) -> bytes | None:
        """Keep lines that cannot matter from being parsed: the first ``"type"`` of a line is nearly always its own.

        A line may hold a second record, glued to the first or to what is left of it. Only where the line ends with the
        keys that its first record ends with is it left out unread.
        """
        at = line.find(b'"type":"')
        if at < 0:
            return line
        kind = line[at + 8 : at + 12]
        if kind == b"prog":
            return None if _ends_with(line, b'"parentToolUseID":', 250) else line
        if line[at + 8 : at + 16] in _AGENT and line.find(b'"role":"assistant"', 0, at + 400) >= 0:
            if not _ends_with(line, b'"type":"assistant",', 200) or _speaks(line, at):
                return line
            self.agent_seen = True
            return None
        result = line.find(b',"toolUseResult":', at)
        if result < 0 or len(line) - result < 400 or line.startswith((b'{"questions"', b'{"answers"'), result + 17):
            return line
        near = result - 250  # where the keys stand in builds that write the result last
        complete = line.find(b'"uuid":"', near, result) >= 0 and line.find(b'"timestamp":', near, result) >= 0
        if complete and line.find(b'"message":', 0, result) >= 0 and line.find(b'"type":"text"', at, result) < 0:
            return line[:result] + b"}"
        return line
