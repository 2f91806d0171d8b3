"""Which pipeline is tried next, and what is stored about it."""
