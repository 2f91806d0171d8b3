"""Smaller ensembles: which members to keep, for all rows or for each row."""
