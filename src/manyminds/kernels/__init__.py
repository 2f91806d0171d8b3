"""Compiled loops over arrays: they check nothing and draw nothing of their own."""
