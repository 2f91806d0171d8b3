"""Pitfalls of a table: what makes a validated score too good, or a model useless."""

from manyminds.analysis.pitfalls.finding import find_pitfalls
from manyminds.analysis.pitfalls.pitfall import Pitfall

__all__ = ["Pitfall", "find_pitfalls"]
