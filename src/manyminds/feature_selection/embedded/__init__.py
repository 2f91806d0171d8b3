"""Selectors that use a model: its splits, gains or importances."""
