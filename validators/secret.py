"""The evidence or the value holds a credential.

Cause: a token, key, password or connection string stands in the quote, in the value, or in the sentence around
them. It is judged on the text as it was said and redacted everywhere else, the log included.
Remedy: rotate the credential if it was pasted into a session, and keep a pointer to where it lives instead ("the
key is in the vault under deploy").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a credential reaches into the widened sentence, the quote or the value."""
    return failed(Code.SECRET, view.credential) if view.credential else passed(Code.SECRET)
