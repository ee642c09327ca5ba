"""Small cases, written out in a line each."""

from __future__ import annotations

from typing import Any

import pytest

REPO = "github.com/acme/webapp"


@pytest.fixture
def record() -> dict[str, Any]:
    """A lifecycle case: pnpm is stated, then changed to bun and accepted."""
    return {
        "id": "one",
        "category": "update",
        "repo": REPO,
        "sessions": [
            {
                "session": "s1",
                "developer": "dana@acme.example",
                "ended": "2026-02-01T10:00:00Z",
                "turns": [{"speaker": "developer", "text": "we use pnpm in this repo. fix the header"}],
                "gold": [{"type": "package_manager", "subject": "", "value": "pnpm", "kind": "standing"}],
            },
            {
                "session": "s2",
                "developer": "dana@acme.example",
                "ended": "2026-03-01T10:00:00Z",
                "turns": [
                    {"speaker": "developer", "text": "we use bun in this repo now, pnpm is history"},
                    {"speaker": "agent", "text": "Noted."},
                ],
                "gold": [{"type": "package_manager", "subject": "", "value": "bun", "kind": "standing"}],
            },
        ],
        "reviews": "accept",
        "store_after": [
            [{"type": "package_manager", "subject": "", "value": "pnpm", "state": "active"}],
            [{"type": "package_manager", "subject": "", "value": "bun", "state": "active"}],
        ],
        "ask": {
            "on": "2026-04-01",
            "developer": "dana@acme.example",
            "text": "Add zod. Which package manager?",
            "type": "package_manager",
            "subject": "",
        },
        "expect": {"value": "bun", "source": "memory", "ask_first": False, "placement": "load"},
        "tempting_wrong": ["pnpm"],
        "why": "An accepted change.",
    }
