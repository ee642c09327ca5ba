"""Where memory arrives: in a session that starts, in an instruction file, at a model that asks for it."""
