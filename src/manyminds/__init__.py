"""Ensembles, stable feature selection and honest model search for tabular data."""

__version__ = "0.1.0"
