"""What a status code and the words beside it mean: try again, do something first, or ask for less."""

from __future__ import annotations

import re

from extractors.errors import Terminal, Transient
from transcripts.secrets import redact

TOO_LONG = re.compile(
    r"context.{0,20}(?:length|size|window)|maximum context|exceed\w*.{0,30}context|context.{0,30}exceed"
    r"|too many (?:input )?tokens|prompt is too long|input is too long|reduce the length",
    re.I,
)
BUSY = frozenset({408, 409, 425, 429})
QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.I)


def too_long(status: int, said: str) -> bool:
    """Whether the server refuses because prompt and reply do not fit the model's context."""
    return status == 413 or (status in {400, 422, 500} and bool(TOO_LONG.search(said)))


def failure(step: str, model: str, url: str, status: int, said: str, wait: float | None) -> Transient | Terminal:
    """The error for an answer that is none. ``wait`` is what Retry-After asked for, in seconds."""
    words = redact(" ".join(said.split()))[:200]
    what = f"{model} at {url}: {status} {words}".rstrip()
    if status in BUSY or status >= 500:
        hint = "check the account's quota" if QUOTA.search(said) else "the session stays pending; run again later"
        error = Transient(step, what, hint)
        error.retry_after = wait
        return error
    if status in {401, 403}:
        return Terminal(step, what, "set AFTERPASS_API_KEY to a key that this server accepts")
    if status == 404:
        return Terminal(step, what, "check --model and --base-url")
    return Terminal(step, what, "check --model, --base-url and the server's log")
