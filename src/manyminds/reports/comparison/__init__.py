"""The report of a comparison of methods."""
