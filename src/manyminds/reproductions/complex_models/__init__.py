"""Whole chains, and the search for them, on the data of the challenge of 2003."""
