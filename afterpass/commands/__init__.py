"""One module per sub-command, loaded only when it is asked for."""
