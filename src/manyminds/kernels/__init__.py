"""Compiled loops over arrays: they check nothing, draw nothing by themselves, return arrays."""
