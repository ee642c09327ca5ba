"""What becomes of a candidate that no check refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from validators.verdict import Code, Disposition, KnownFact

if TYPE_CHECKING:
    from validators.view import View


class Finding(NamedTuple):
    """A disposition with its code, the known facts that it is about, and the candidate of this session it restates."""

    disposition: Disposition
    code: Code
    detail: str
    targets: tuple[KnownFact, ...] = ()
    restates: View | None = None
