"""Pieces of messages that nobody typed, for property tests: each marked as what it is, by a word of its own."""

from __future__ import annotations

from hypothesis import strategies as st

words = st.text(alphabet="abcdefghij ,", min_size=1, max_size=40)
brought_in = st.one_of(
    words.map(lambda text: f"<system-reminder>\nINJECTED {text}\n</system-reminder>\n"),
    words.map(lambda text: f"<user-prompt-submit-hook>INJECTED {text}</user-prompt-submit-hook>\n"),
    words.map(lambda text: f'<afterpass-memory repo="x">\nINJECTED {text}\n</afterpass-memory>\n'),
    words.map(lambda text: f"```\nPASTED {text}\n```\n"),
    words.map(lambda text: f'<pasted_content id="q">\nPASTED {text}\n</pasted_content id="q">\n'),
    words.map(lambda text: f"> PASTED {text}\n\n"),
    words.map(lambda text: f"2026-01-01 10:00:00 INFO PASTED {text}\n\n"),
)
