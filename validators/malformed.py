"""The proposal is not a usable candidate: a field is missing or has the wrong type.

Cause: a model that does not keep to the schema, or a hand-written file with a slip. The raw text is kept.
Remedy: look at the raw object in ``afterpass rejected --code malformed``; many of them from one model mean that it
needs another reply format (``--extractor openai`` falls back by itself) or a larger model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.outcome import failed, passed
from validators.verdict import Code, Verdict

if TYPE_CHECKING:
    from extractors.candidate import Malformed
    from validators.view import View


def check(view: View) -> Verdict:
    """Passes: what became a view is well-formed."""
    return passed(Code.MALFORMED)


def finding(candidate: Malformed) -> Verdict:
    """The verdict on a proposal that never became a view."""
    return failed(Code.MALFORMED, candidate.reason)
