"""The exit codes, one place."""

from enum import IntEnum


class Exit(IntEnum):
    """What a command's exit status says."""

    OK = 0
    """It did what was asked, or there was nothing to do."""
    FAILED = 1
    """It could not, and one line on standard error says what, where, and the next command."""
    USAGE = 2
    """The command was called wrongly, or a value cannot be parsed."""
    INTERRUPTED = 130
    """SIGINT (Ctrl-C): everything done so far is kept, the rest is pending."""
    TERMINATED = 143
    """SIGTERM: likewise."""
