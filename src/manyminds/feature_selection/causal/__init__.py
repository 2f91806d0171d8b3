"""Selectors that learn the network around the target."""
