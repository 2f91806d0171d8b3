"""Forests whose members see turned tables: rotation forests and their hybrids."""
