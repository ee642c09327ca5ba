"""The evidence or the value holds a credential.

Cause: a token, key, password or connection string stands in the quote, in the value, or in the sentence around
them. It is judged on the text as it was said and redacted everywhere else, the log included.
Remedy: rotate the credential if it was pasted into a session, and keep a pointer to where it lives instead ("the
key is in the vault under deploy").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcripts.secrets import PLACEHOLDER, Span, find_secrets
from validators.outcome import failed, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from validators.view import View


def check(view: View) -> Verdict:
    """Fails where a credential reaches into the widened sentence, the quote or the value."""
    for text, where in ((view.candidate.value, "value"), (view.candidate.evidence, "quote")):
        found = find_secrets(text)
        if found or PLACEHOLDER in text:
            return failed(Code.SECRET, f"the {where} holds a credential ({found[0].kind if found else 'redacted'})")
    if PLACEHOLDER in view.sentence:
        return failed(Code.SECRET, "the sentence holds a credential (redacted)")
    for span in view.turn_secrets:
        if any(_reaches(span, start, end, view) for start, end in view.widened.spans):
            return failed(Code.SECRET, f"the sentence holds a credential ({span.kind})")
    return passed(Code.SECRET)


def _reaches(span: Span, start: int, end: int, view: View) -> bool:
    """Whether a credential stands in the sentence [start, end), or follows it as what it introduces."""
    if span.start >= end and view.turn:
        return not view.turn.text[end : min(span.start, end + 40)].strip() and span.start - end < 40
    return start < span.end and span.start < end
