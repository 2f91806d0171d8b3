"""Graphs: their forms, separation, equivalence, comparison, random ones."""
