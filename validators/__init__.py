"""Decide: one deterministic check per file, pure functions, every verdict on record."""
