"""Between which times a session can have taken place: what lies outside comes from a broken clock or is no time."""

from __future__ import annotations

from datetime import UTC, datetime

SINCE = datetime(2015, 1, 1, tzinfo=UTC)
"""No coding agent wrote a transcript before."""
BEFORE = datetime(2100, 1, 1, tzinfo=UTC)
