"""The report of an analysis of a table."""
