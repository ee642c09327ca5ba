"""Read: one file per coding agent, all giving the same :class:`~transcripts.session.Session`."""
