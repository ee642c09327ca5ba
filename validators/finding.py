"""What becomes of a candidate that no check refused."""

from __future__ import annotations

from dataclasses import dataclass

from validators.verdict import Code, Disposition, KnownFact


@dataclass(frozen=True, slots=True)
class Finding:
    """A disposition with its code, and the known facts that it is about."""

    disposition: Disposition
    code: Code
    detail: str
    targets: tuple[KnownFact, ...] = ()
