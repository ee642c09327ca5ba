"""Run: the pass over one session, and session end, nightly and upkeep around it."""
