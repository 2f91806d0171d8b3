"""Forests whose trees see rotated columns, and hybrids of several kinds."""
