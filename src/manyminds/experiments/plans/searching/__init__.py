"""Plans about the search for complex models."""
