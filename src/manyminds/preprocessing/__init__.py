"""Preparing columns in ways that scikit-learn does not: by the whole matrix."""

from manyminds.preprocessing.matrix_scaler import MatrixScaler

__all__ = ["MatrixScaler"]
