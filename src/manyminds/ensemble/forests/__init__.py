"""Forests: many trees on one binned table."""
