"""What becomes of a candidate that no check refused."""

from __future__ import annotations

from typing import NamedTuple

from validators.verdict import Code, Disposition, KnownFact


class Finding(NamedTuple):
    """A disposition with its code, and the known facts that it is about."""

    disposition: Disposition
    code: Code
    detail: str
    targets: tuple[KnownFact, ...] = ()
