"""Measuring: a fact's life over several sessions, sessions with gold, single judgements."""
