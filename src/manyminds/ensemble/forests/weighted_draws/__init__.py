"""Forests that draw features by what these have gained so far."""
