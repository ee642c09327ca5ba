"""How a check says what it found, in one line each."""

from __future__ import annotations

from validators.verdict import Code, Outcome, Verdict


def passed(check: Code, detail: str = "") -> Verdict:
    """Nothing stands against the candidate here."""
    return Verdict(check, Outcome.PASS, detail)


def failed(check: Code, detail: str) -> Verdict:
    """The check's finding; ``detail`` names what it saw, never a credential."""
    return Verdict(check, Outcome.FAIL, detail)


def not_applicable(check: Code, detail: str = "") -> Verdict:
    """There is nothing to look at: an earlier finding or the candidate's kind leaves this check without an object."""
    return Verdict(check, Outcome.NOT_APPLICABLE, detail)
