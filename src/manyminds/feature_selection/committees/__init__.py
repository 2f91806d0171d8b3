"""Selectors made of selectors and of learners."""
