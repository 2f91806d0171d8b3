"""Bias and variance of nets: one, a bag of them, or one for each column of a code."""
