"""Selectors that score features without a model."""
