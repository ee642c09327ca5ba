"""Propose: generous extractors that turn a session into candidates. Nothing here decides."""
