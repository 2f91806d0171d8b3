"""Fit and score one pipeline, fold by fold."""
