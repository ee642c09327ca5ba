"""The review page: the queue in a browser on this machine, for as long as ``afterpass ui`` runs."""
