"""Bagged learners, with and without random oracles."""
