"""Compiled loops of gradient boosting: all rounds of a fit in one call."""
