"""A quote where it stands: «between marks», with the words around it in its turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.records import StoredEvidence

AROUND = 60  # characters of the turn on either side


def surroundings(evidence: StoredEvidence) -> tuple[str, str, str]:
    """What stands before the quote in its turn, the quote, and what stands after it, each on one line."""
    return _around(evidence.turn_text or "", evidence.text)


def in_turn(evidence: StoredEvidence) -> str:
    """``before «quote» after`` as one line."""
    before, quote, after = surroundings(evidence)
    return f"{before}«{quote}»{after}".strip()


def in_answer(evidence: StoredEvidence, value: str) -> str:
    """Where the agent said the value just before the developer's turn, as one line; empty where it is not kept."""
    text = evidence.before_text or ""
    if not value or value not in text:
        return ""
    before, quote, after = _around(text, value)
    return f"{before}{quote}{after}".strip()


def _around(text: str, quote: str) -> tuple[str, str, str]:
    at = text.find(quote)
    if at < 0:
        return "", _flat(quote), ""
    before, after = text[max(0, at - AROUND) : at], text[at + len(quote) :]
    cut = f"{after[:AROUND]}…" if len(after) > AROUND else after
    return _flat(f"…{before}" if at > AROUND else before), _flat(quote), _flat(cut)


def _flat(text: str) -> str:
    """Runs of white space as one space, also at the ends: the parts are put together again."""
    flat = " ".join(text.split())
    return f"{' ' if text[:1].isspace() else ''}{flat}{' ' if text[-1:].isspace() and flat else ''}"
