"""Bayesian networks of categories and numbers: fit, complete, ask, sample."""
