"""FCBF and CFS: how many features they keep, and what is lost by it."""
