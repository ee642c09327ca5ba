"""The rule's end has already passed when the session ended.

Cause: a dated rule ("until 31 July …") in a session that was resumed, or read, after that day. The day itself still
counts. Remedy: none; the default is in force again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where ``until`` lies before the day on which the session ended."""
    if view.until and view.session_end and view.until < view.session_end.date():
        return failed(Code.EXPIRED, f"ended on {view.until}, the session on {view.session_end.date()}")
    return passed(Code.EXPIRED)
