"""The face: command line, hook, recall, review."""
