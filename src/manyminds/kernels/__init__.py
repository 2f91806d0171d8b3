"""Compiled loops over arrays, without checks and without random state of their own."""
