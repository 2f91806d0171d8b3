"""The report of a feature selection."""
